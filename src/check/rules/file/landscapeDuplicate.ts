import { edit, SETTINGS, SETTINGS_TEXT } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A landscape stands in the settings once. */
export const landscapeDuplicate: Rule = {
  id: "landscape-duplicate",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A landscape stands in the settings once.",
  rationale: "Two of one name could not be told apart by a channel or by a command.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("landscape-duplicate"),
  bad: {
    change: {
      [SETTINGS]: edit(SETTINGS_TEXT, "registry:", "  - name: dev\n    controlPlane: { context: other }\nregistry:"),
    },
    at: { file: SETTINGS, line: "- name: dev" },
  },
  good: {
    change: {
      [SETTINGS]: edit(SETTINGS_TEXT, "registry:", "  - name: prod\n    controlPlane: { context: other }\nregistry:"),
    },
  },
};
