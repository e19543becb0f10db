import { LINKED, MODULE } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A file has no directive. */
export const yamlDirective: Rule = {
  id: "yaml-directive",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A file has no directive.",
  rationale: "A line that begins with `%` changes how everything below it is read.",
  source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
  judge: foundWhileReading("yaml-directive"),
  bad: {
    change: { [MODULE]: `%YAML 1.1\n---\n${LINKED}` },
    at: { file: MODULE, line: "%YAML" },
  },
  good: { change: { [MODULE]: LINKED } },
};
