import { LINKED, MODULE, MODULE_TEXT } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A file stands for a bounded number of values. */
export const yamlSize: Rule = {
  id: "yaml-size",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A file stands for a bounded number of values.",
  rationale: "A few lines of aliases can stand for billions of values, and stop whoever reads them.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("yaml-size"),
  bad: {
    change: {
      [MODULE]: `${MODULE_TEXT}links: &a { b: &b [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b], d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c], e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d], f: [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e] }\n`,
    },
    at: { file: MODULE, line: "format" },
  },
  good: { change: { [MODULE]: LINKED } },
};
