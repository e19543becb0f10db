import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A file stands where it is read. */
export const strayFile: Rule = {
  id: "stray-file",
  group: "file",
  severity: "warning",
  waivable: false,
  demand: "A file stands where it is read.",
  rationale: "A template in a wrong folder, or named .yml, looks as if the channel served it, and is nothing.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("stray-file"),
  bad: {
    change: { "channels/fast/sample.yml": "format: 1\n" },
    at: { file: "channels/fast/sample.yml", line: "format" },
  },
  good: { change: {} },
};
