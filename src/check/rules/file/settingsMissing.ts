import { SETTINGS } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A catalogue has settings. */
export const settingsMissing: Rule = {
  id: "settings-missing",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A catalogue has settings.",
  rationale: "Without kyma-modules.yaml nobody knows which landscapes there are, and who may release.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("settings-missing"),
  bad: { change: { [SETTINGS]: undefined }, at: { file: SETTINGS, line: "" } },
  good: { change: {} },
};
