import type { Channel } from "../../../catalogue/catalogue.ts";
import type { Context } from "../../context.ts";
import { edit, REGULAR_POLICY, SAMPLE, type ExampleFiles } from "../../example.ts";
import { violation, type Rule, type Violation } from "../../rule.ts";

/** The change that lets these modules move together into regular. */
function together(...modules: readonly string[]): ExampleFiles {
  const limits = `  limits: { together: [[${modules.join(", ")}]] }\n`;
  return {
    [REGULAR_POLICY]: edit(String(SAMPLE[REGULAR_POLICY]), "promotion:\n", `promotion:\n${limits}`),
    "modules/other/holds.yaml": "format: 1\nholds: []\n",
  };
}

/** Modules that move together exist, and are in one group only. */
export const channelTogether: Rule = {
  id: "channel-together",
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "Each module of `limits.together` exists, and is in only one group.",
  rationale:
    "A module that does not exist never has a candidate, so no other module waits for it: after a typing error, the others silently move alone. If two groups name the same module, promotion moves none of their modules.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/promotion.md#write-a-policy",
  judge: oddGroups,
  bad: { change: together("sample", "othr"), at: { file: REGULAR_POLICY, line: "othr" } },
  good: { change: together("sample", "other") },
};

function oddGroups({ head, base }: Context): readonly Violation[] {
  const known = new Set<string>([
    ...head.modules.keys(),
    ...[...head.channels.values()].flatMap(({ templates }) => [...templates.keys()]),
  ]);
  return [...head.channels.values()]
    .filter(({ name, file }) => base?.channels.get(name)?.file.text !== file.text)
    .flatMap((channel) => oddNames(channel, known));
}

function oddNames({ file, promotion }: Channel, known: ReadonlySet<string>): readonly Violation[] {
  const groups = promotion.limits?.together ?? [];
  return groups.flatMap((group, index) =>
    group.flatMap((name, place) => {
      const path = ["promotion", "limits", "together", index, place];
      if (!known.has(name)) {
        const message = `${name} should move together with others, but this module does not exist.`;
        return [violation(file, path, { message, remedy: "Correct the name, or remove it." })];
      }
      if (!groups.slice(0, index).some((earlier) => earlier.includes(name))) return [];
      const message = `${name} is in two groups that move together: no module of the two moves.`;
      return [violation(file, path, { message, remedy: "Make one group of the two, or remove it from one." })];
    }),
  );
}
