import type { Context } from "../../context.ts";
import type { People } from "../../facts.ts";
import { BUMP, edit, MODULE, SAMPLE, type ExampleFiles } from "../../example.ts";
import { violation, type Rule, type Violation } from "../../rule.ts";
import { touchedModuleFiles } from "../../touched.ts";

/** The base with a waiver of `rule`. */
function waiving(rule: string): ExampleFiles {
  const waiver = `waivers: [{ rule: ${rule}, version: 1.2.0, reason: immutable tag, until: "2100-01-01T00:00:00Z" }]`;
  return { [MODULE]: edit(String(SAMPLE[MODULE]), "ocmComponentName", `${waiver}\nocmComponentName`) };
}

const APPROVED: Partial<People> = {
  approvedBy: ["boss"],
  teams: new Map([["@sample/release-managers", ["boss"]]]),
};

/**
 * Every waiver names a rule of `rules` that can be waived.
 *
 * Takes a function, since the list of all rules contains this rule.
 */
export function waiverUnknown(rules: () => readonly Pick<Rule, "id" | "waivable">[]): Rule {
  return {
    id: "waiver-unknown",
    group: "ownership",
    severity: "error",
    waivable: false,
    demand: "Every waiver names a rule that can be waived.",
    rationale:
      "A waiver with a misspelled rule waives nothing, and it is unclear why the finding stays. Rules against ambiguous files, and rules about who decides, cannot be waived.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#waive-a-rule",
    judge: (context) => unknownRules(context, rules()),
    bad: {
      change: { ...BUMP, ...waiving("no-such-rule") },
      people: APPROVED,
      at: { file: MODULE, line: "no-such-rule" },
    },
    good: { change: { ...BUMP, ...waiving("image-mutable-tag") }, people: APPROVED },
  };
}

function unknownRules(context: Context, rules: readonly Pick<Rule, "id" | "waivable">[]): readonly Violation[] {
  const waivables = new Map(rules.map(({ id, waivable }) => [id, waivable]));
  return touchedModuleFiles(context).flatMap(({ module, file }) =>
    (module.says.waivers ?? []).flatMap(({ rule }, index) => {
      const known = waivables.get(rule);
      if (known === true) return [];
      const message = known === undefined ? `There is no rule ${rule}.` : `The rule ${rule} cannot be waived.`;
      const remedy = "Name the rule as its finding prints it, or remove the waiver.";
      return [violation(file, ["waivers", index, "rule"], { message, remedy })];
    }),
  );
}
