import { everComes } from "../../../catalogue/cron.ts";
import type { PromotionFile } from "../../../catalogue/policy.ts";
import type { YamlFile } from "../../../document/yaml/read.ts";
import type { YamlPath } from "../../../document/yaml/tree.ts";
import type { Context } from "../../context.ts";
import { edit, REGULAR_POLICY, SAMPLE, type ExampleFiles } from "../../example.ts";
import { violation, type Rule, type Violation } from "../../rule.ts";
import { touchedModuleFiles } from "../../touched.ts";

/** The change that freezes regular from one instant to another. */
function freezing(from: string, until: string): ExampleFiles {
  const freeze = `  freezes:\n    - { from: "${from}", until: "${until}", reason: year-end }\n`;
  return { [REGULAR_POLICY]: edit(String(SAMPLE[REGULAR_POLICY]), "promotion:\n", `promotion:\n${freeze}`) };
}

/** Freezes and windows can take effect. */
export const channelCalendar: Rule = {
  id: "channel-calendar",
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A freeze ends after it begins, and a window opens on a day that exists.",
  rationale:
    "When a freeze with swapped ends applies is unknown, so promotion moves nothing until it is corrected. With a window on 30 February, nothing is ever promoted again.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/promotion.md#write-a-policy",
  judge: idleCalendars,
  bad: {
    change: freezing("2027-01-04T00:00:00Z", "2026-12-18T00:00:00Z"),
    at: { file: REGULAR_POLICY, line: "year-end" },
  },
  good: { change: freezing("2026-12-18T00:00:00Z", "2027-01-04T00:00:00Z") },
};

function idleCalendars(context: Context): readonly Violation[] {
  const { head, base } = context;
  const channels = [...head.channels.values()].filter(
    ({ name, file }) => base?.channels.get(name)?.file.text !== file.text,
  );
  return [
    ...channels.flatMap(({ file, promotion }) => idleEntries(file, ["promotion"], promotion)),
    ...touchedModuleFiles(context).flatMap(({ module, file }) =>
      Object.entries(module.says.policy ?? {}).flatMap(([name, override]) =>
        idleEntries(file, ["policy", name], override),
      ),
    ),
  ];
}

function idleEntries(
  file: YamlFile,
  path: YamlPath,
  { freezes = [], windows = [] }: PromotionFile,
): readonly Violation[] {
  return [
    ...freezes.flatMap(({ from, until, reason }, index) => {
      if (Date.parse(from) < Date.parse(until)) return [];
      const message = `The freeze (${reason}) begins at ${from} and ends at ${until}, which is not later: nothing moves until that is corrected.`;
      return [violation(file, [...path, "freezes", index, "until"], { message, remedy: "Name a later end." })];
    }),
    ...windows.flatMap(({ opens }, index) => {
      if (everComes(opens)) return [];
      const message = `The window never opens: none of the months in "${opens}" has such a day.`;
      return [violation(file, [...path, "windows", index, "opens"], { message, remedy: "Name a day that exists." })];
    }),
  ];
}
