import { LINKED, MODULE } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A key stands in a map once. */
export const yamlDuplicateKey: Rule = {
  id: "yaml-duplicate-key",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A key stands in a map once.",
  rationale: "Readers keep the first, the last, or refuse; whoever reviews the file sees only one of them.",
  source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
  judge: foundWhileReading("yaml-duplicate-key"),
  bad: {
    change: { [MODULE]: `${LINKED}owners: ["@sample/other"]\n` },
    at: { file: MODULE, line: "@sample/other" },
  },
  good: { change: { [MODULE]: LINKED } },
};
