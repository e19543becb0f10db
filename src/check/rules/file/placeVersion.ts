import { edit, templateText } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

const VERSION_TEMPLATE = edit(
  edit(templateText("fast", "1.2.0"), "sample-fast", "sample-1.2.0"),
  "  channel: fast\n",
  "",
);
/** A version's template says the version in whose folder it stands. */
export const placeVersion: Rule = {
  id: "place-version",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A version's template says the version in whose folder it stands.",
  rationale: "The folder is looked up by the version: another one would be installed.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("place-version"),
  bad: {
    change: { "modules/sample/1.2.0/template.yaml": edit(VERSION_TEMPLATE, "version: 1.2.0", "version: 1.3.0") },
    at: { file: "modules/sample/1.2.0/template.yaml", line: "version: 1.3.0" },
  },
  good: { change: { "modules/sample/1.2.0/template.yaml": VERSION_TEMPLATE } },
};
