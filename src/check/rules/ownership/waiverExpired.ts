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

/** No waiver stays when its time is over. */
export const waiverExpired: Rule = {
  id: "waiver-expired",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand: "No waiver stands in module.yaml longer than it holds.",
  rationale:
    "A waiver is a promise to mend something by a date. One that stays behind unseen looks as if it still mattered; whoever reads the file cannot tell what is waived and what is merely written there.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#waive-a-rule",
  judge: expiredWaivers,
  bad: { base: waivedUntil("2020-01-01T00:00:00Z"), change: BUMP, at: { file: MODULE, line: "until:" } },
  good: { base: waivedUntil("2100-01-01T00:00:00Z"), change: BUMP },
};

/** Of the modules that the change touches: nobody else's change has to wait for it. */
function expiredWaivers(context: Context): readonly Violation[] {
  return touchedModules(context).flatMap(({ module: { name, says }, file }) =>
    (says.waivers ?? []).flatMap((waiver, index) => {
      if (!isExpired(waiver, context.nowMs)) return [];
      const message = `The waiver of ${waiver.rule} for ${name} ${waiver.version} ended at ${waiver.until}.`;
      const remedy = "Mend what it waived and remove the waiver, or ask a release manager for a new one.";
      return [violation(file, ["waivers", index, "until"], { message, remedy })];
    }),
  );
}
