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

/** What every reader of YAML takes for the same. */
export const YAML_RULES: readonly Rule[] = readingRules("file", [
  {
    id: "yaml-syntax",
    demand: "A file is YAML that every reader accepts.",
    rationale:
      "A file that cannot be read says nothing: the tool, lifecycle-manager and the people who review it would each guess something else.",
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
      "`no`, `on`, `017` and `1:30` are truth values, octal and sexagesimal numbers to readers of YAML 1.1, kubectl among them, and text or other numbers to readers of YAML 1.2. One file would be two.",
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
    demand: "A key stands in a map once.",
    rationale: "Readers keep the first, the last, or refuse; whoever reviews the file sees only one of them.",
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
    rationale: "What stands behind the first `---` is read by some tools and passed over by others.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: { [MODULE]: `${LINKED}---\n${LINKED}` },
      at: { file: MODULE, line: "---" },
    },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "yaml-directive",
    demand: "A file has no directive.",
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
    demand: "An alias stands for a complete value before it.",
    rationale: "A value that contains itself has no end, and one that stands nowhere no meaning.",
    source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
    bad: {
      change: { [MODULE]: `${MODULE_TEXT}links: { repository: *address }\n` },
      at: { file: MODULE, line: "links" },
    },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "yaml-size",
    demand: "A file stands for a bounded number of values.",
    rationale: "A few lines of aliases can stand for billions of values, and stop whoever reads them.",
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
    rationale: 'JSON, and so Kubernetes, knows only text as a key: `1` and `"1"` would be one.',
    source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
    bad: { change: { [MODULE]: `${LINKED}1: a\n` }, at: { file: MODULE, line: "1: a" } },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "yaml-escape",
    demand: "An escape sequence stands for a whole character.",
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
