import { LINKED, MODULE } from "../../example.ts";
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
    change: { [MODULE]: `${LINKED}---\n${LINKED}` },
    at: { file: MODULE, line: "---" },
  },
  good: { change: { [MODULE]: LINKED } },
};
