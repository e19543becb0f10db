import { LINKED, MODULE, MODULE_TEXT } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** An alias stands for a complete value before it. */
export const yamlAlias: Rule = {
  id: "yaml-alias",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "An alias stands for a complete value before it.",
  rationale: "A value that contains itself has no end, and one that stands nowhere no meaning.",
  source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
  judge: foundWhileReading("yaml-alias"),
  bad: {
    change: { [MODULE]: `${MODULE_TEXT}links: { repository: *address }\n` },
    at: { file: MODULE, line: "links" },
  },
  good: { change: { [MODULE]: LINKED } },
};
