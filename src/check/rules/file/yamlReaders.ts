import { HOLDS } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

const AGREED = `format: 1
holds:
  - version: 1.9.0
    reason: "agreed upon"
    by: sample
    since: "2026-11-01T00:00:00Z"
`;

/** Readers of YAML agree on every value. */
export const yamlReaders: Rule = {
  id: "yaml-readers",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "Readers of YAML agree on every value.",
  rationale: "Two well-known readers give this text different values. What is checked must be what is applied.",
  source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
  judge: foundWhileReading("yaml-readers"),
  bad: {
    change: { [HOLDS]: AGREED.replace('"agreed upon"', '"agreed\\\n\n      upon"') },
    at: { file: HOLDS, line: "reason" },
  },
  good: { change: { [HOLDS]: AGREED } },
};
