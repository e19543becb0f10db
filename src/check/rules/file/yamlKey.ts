import { LINKED, MODULE } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A key is text. */
export const yamlKey: Rule = {
  id: "yaml-key",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A key is text.",
  rationale: 'JSON, and so Kubernetes, knows only text as a key: `1` and `"1"` would be one.',
  source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
  judge: foundWhileReading("yaml-key"),
  bad: { change: { [MODULE]: `${LINKED}1: a\n` }, at: { file: MODULE, line: "1: a" } },
  good: { change: { [MODULE]: LINKED } },
};
