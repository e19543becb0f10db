import { HOLDS, LINKED, MODULE, MODULE_TEXT } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { readingRules } from "../reading.ts";

const AGREED = `format: 1
holds:
  - version: 1.9.0
    reason: "agreed upon"
    by: sample
    since: "2026-11-01T00:00:00Z"
`;

/** Rules about YAML, which all readers must read alike. */
export const YAML_RULES: readonly Rule[] = readingRules("file", [
  {
    id: "yaml-syntax",
    demand: "A file is YAML that every reader accepts.",
    rationale:
      "The tool, lifecycle-manager and reviewers would each guess something else about a file that cannot be read.",
    source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
    bad: {
      change: { [MODULE]: `${MODULE_TEXT}links:\n\trepository: https://example.com\n` },
      at: { file: MODULE, line: "repository" },
    },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "yaml-ambiguous",
    demand: "A plain value means the same in YAML 1.1 and 1.2.",
    rationale:
      "`no`, `on`, `017` and `1:30` are truth values, octal and sexagesimal numbers to readers of YAML 1.1, kubectl among them, and text or other numbers to readers of YAML 1.2. One file would have two meanings.",
    source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
    bad: {
      change: { [MODULE]: `${MODULE_TEXT}links: { documentation: no }\n` },
      at: { file: MODULE, line: "links" },
    },
    good: {
      change: { [MODULE]: `${MODULE_TEXT}links: { documentation: "https://example.com/no" }\n` },
    },
  },
  {
    id: "yaml-readers",
    demand: "Readers of YAML agree on every value.",
    rationale: "Two well-known readers give this text different values. What is checked must be what is applied.",
    source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
    bad: {
      change: { [HOLDS]: AGREED.replace('"agreed upon"', '"agreed\\\n\n      upon"') },
      at: { file: HOLDS, line: "reason" },
    },
    good: { change: { [HOLDS]: AGREED } },
  },
  {
    id: "yaml-duplicate-key",
    demand: "A key is unique in its map.",
    rationale: "Readers keep the first, keep the last, or refuse the file; a reviewer may see only one of them.",
    source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
    bad: {
      change: { [MODULE]: `${LINKED}owners: ["@sample/other"]\n` },
      at: { file: MODULE, line: "@sample/other" },
    },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "yaml-documents",
    demand: "A file holds one document.",
    rationale: "Some tools read what follows the first `---`, others ignore it.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: { [MODULE]: `${LINKED}---\n${LINKED}` },
      at: { file: MODULE, line: "---" },
    },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "yaml-directive",
    demand: "A file contains no directive.",
    rationale: "A line that begins with `%` changes how everything below it is read.",
    source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
    bad: {
      change: { [MODULE]: `%YAML 1.1\n---\n${LINKED}` },
      at: { file: MODULE, line: "%YAML" },
    },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "yaml-alias",
    demand: "An alias refers to a complete value before it.",
    rationale: "A value that contains itself has no end, and an alias of a missing value has no meaning.",
    source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
    bad: {
      change: { [MODULE]: `${MODULE_TEXT}links: { repository: *address }\n` },
      at: { file: MODULE, line: "links" },
    },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "yaml-size",
    demand: "A file expands to a bounded number of values.",
    rationale: "A few lines of aliases can expand to billions of values, and stop every program that reads them.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: {
        [MODULE]: `${MODULE_TEXT}links: &a { b: &b [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b], d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c], e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d], f: [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e] }\n`,
      },
      at: { file: MODULE, line: "format" },
    },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "yaml-key",
    demand: "A key is text.",
    rationale: 'JSON, and therefore Kubernetes, allows only text as a key: `1` and `"1"` would be the same key.',
    source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
    bad: { change: { [MODULE]: `${LINKED}1: a\n` }, at: { file: MODULE, line: "1: a" } },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "yaml-escape",
    demand: "An escape sequence represents a whole character.",
    rationale: "Half a surrogate pair is not a character: it is lost or replaced when the file is sent anywhere.",
    source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
    bad: {
      change: {
        [MODULE]: `${MODULE_TEXT}links: { documentation: "https://example.com/\\ud800" }\n`,
      },
      at: { file: MODULE, line: "links" },
    },
    good: {
      change: { [MODULE]: `${MODULE_TEXT}links: { documentation: "https://example.com/" }\n` },
    },
  },
]);
