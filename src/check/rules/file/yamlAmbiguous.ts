import { MODULE, MODULE_TEXT } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A plain value means the same in YAML 1.1 and 1.2. */
export const yamlAmbiguous: Rule = {
  id: "yaml-ambiguous",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A plain value means the same in YAML 1.1 and 1.2.",
  rationale:
    "`no`, `on`, `017` and `1:30` are truth values, octal and sexagesimal numbers to readers of YAML 1.1, kubectl among them, and text or other numbers to readers of YAML 1.2. One file would be two.",
  source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
  judge: foundWhileReading("yaml-ambiguous"),
  bad: {
    change: { [MODULE]: `${MODULE_TEXT}links: { documentation: no }\n` },
    at: { file: MODULE, line: "links" },
  },
  good: {
    change: { [MODULE]: `${MODULE_TEXT}links: { documentation: "https://example.com/no" }\n` },
  },
};
