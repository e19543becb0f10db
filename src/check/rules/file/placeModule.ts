import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A template says the module after which its file is named. */
export const placeModule: Rule = {
  id: "place-module",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A template says the module after which its file is named.",
  rationale:
    "lifecycle-manager finds templates by label and by spec.moduleName: it would find those of another module.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("place-module"),
  bad: {
    change: bumpTemplate("moduleName: sample", "moduleName: another"),
    at: { file: FAST, line: "moduleName: another" },
  },
  good: { change: BUMP },
};
