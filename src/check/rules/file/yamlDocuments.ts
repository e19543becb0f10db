import { MODULE } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A file holds one document. */
export const yamlDocuments: Rule = {
  id: "yaml-documents",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A file holds one document.",
  rationale: "What stands behind the first `---` is read by some tools and passed over by others.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("yaml-documents"),
  bad: {
    change: { [MODULE]: 'format: 1\nowners: ["@sample/team"]\n---\nformat: 1\nowners: ["@sample/team"]\n' },
    at: { file: MODULE, line: "---" },
  },
  good: { change: { [MODULE]: 'format: 1\nowners: ["@sample/team"]\n' } },
};
