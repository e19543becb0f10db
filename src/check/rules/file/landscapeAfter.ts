import { edit, SETTINGS, SETTINGS_TEXT } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A landscape comes after one that stands above it. */
export const landscapeAfter: Rule = {
  id: "landscape-after",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A landscape comes after one that stands above it.",
  rationale: "Landscapes stand in roll-out order: a wave that waits for a later one would wait for ever.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("landscape-after"),
  bad: {
    change: {
      [SETTINGS]: edit(
        SETTINGS_TEXT,
        "registry:",
        "  - name: prod\n    controlPlane: { context: prod }\n    after: { landscape: stage }\nregistry:",
      ),
    },
    at: { file: SETTINGS, line: "after" },
  },
  good: {
    change: {
      [SETTINGS]: edit(
        SETTINGS_TEXT,
        "registry:",
        "  - name: prod\n    controlPlane: { context: prod }\n    after: { landscape: dev }\nregistry:",
      ),
    },
  },
};
