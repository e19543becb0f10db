import { MODULE, MODULE_TEXT } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** An escape sequence stands for a whole character. */
export const yamlEscape: Rule = {
  id: "yaml-escape",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "An escape sequence stands for a whole character.",
  rationale: "Half a surrogate pair is no character: it is lost or replaced when the file is sent anywhere.",
  source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
  judge: foundWhileReading("yaml-escape"),
  bad: {
    change: {
      [MODULE]: `${MODULE_TEXT}links: { documentation: "https://example.com/\\ud800" }\n`,
    },
    at: { file: MODULE, line: "links" },
  },
  good: {
    change: { [MODULE]: `${MODULE_TEXT}links: { documentation: "https://example.com/" }\n` },
  },
};
