import type { Context } from "../../context.ts";
import { BUMP, edit, MODULE, SAMPLE, type ExampleFiles } from "../../example.ts";
import { violation, type Rule, type Violation } from "../../rule.ts";
import { touchedModules } from "../../touched.ts";
import { isExpired } from "../../waiver.ts";

/** A module file whose waiver ends at `until`. */
function waivedUntil(until: string): ExampleFiles {
  const waiver = `waivers: [{ rule: image-mutable-tag, version: 1.1.0, reason: immutable tag, until: "${until}" }]`;
  return { [MODULE]: edit(String(SAMPLE[MODULE]), "ocmComponentName", `${waiver}\nocmComponentName`) };
}

/** Expired waivers are removed. */
export const waiverExpired: Rule = {
  id: "waiver-expired",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand: "module.yaml contains no expired waiver.",
  rationale:
    "A waiver is a promise to fix something by a date. An expired waiver looks as if it still counted: readers of the file cannot tell what is waived.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#waive-a-rule",
  judge: expiredWaivers,
  bad: { base: waivedUntil("2020-01-01T00:00:00Z"), change: BUMP, at: { file: MODULE, line: "until:" } },
  good: { base: waivedUntil("2100-01-01T00:00:00Z"), change: BUMP },
};

/** Judges only modules that the change touches, so that other changes need not wait. */
function expiredWaivers(context: Context): readonly Violation[] {
  return touchedModules(context).flatMap(({ module: { name, says }, file }) =>
    (says.waivers ?? []).flatMap((waiver, index) => {
      if (!isExpired(waiver, context.nowMs)) return [];
      const message = `The waiver of ${waiver.rule} for ${name} ${waiver.version} ended at ${waiver.until}.`;
      const remedy = "Fix what it waived and remove the waiver, or ask a release manager for a new one.";
      return [violation(file, ["waivers", index, "until"], { message, remedy })];
    }),
  );
}
