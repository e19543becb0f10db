import { LINKED, MODULE, MODULE_TEXT } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A file is YAML that every reader accepts. */
export const yamlSyntax: Rule = {
  id: "yaml-syntax",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A file is YAML that every reader accepts.",
  rationale:
    "A file that cannot be read says nothing: the tool, lifecycle-manager and the people who review it would each guess something else.",
  source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
  judge: foundWhileReading("yaml-syntax"),
  bad: {
    change: { [MODULE]: `${MODULE_TEXT}links:\n\trepository: https://example.com\n` },
    at: { file: MODULE, line: "repository" },
  },
  good: { change: { [MODULE]: LINKED } },
};
