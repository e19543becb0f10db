import { describe, expect, it } from "vitest";
import { MAX_FILE_BYTES } from "../../../src/document/snapshot.ts";
import { locate, positionAt, readYaml } from "../../../src/document/yaml/read.ts";
import type { YamlPath } from "../../../src/document/yaml/tree.ts";
import { yamlFile } from "../../catalogue/repository.ts";
import { mentions } from "../../support/mentions.ts";
import { problems, read } from "./reading.ts";

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

/** The problem, the text, and the place and rule of each finding. */
const REFUSED: readonly (readonly [string, string | Uint8Array, ...string[]])[] = [
  ["nothing in it", "", "1:1 yaml-documents"],
  ["nothing but comments", "# a\n\n# b\n", "1:1 yaml-documents"],
  ["two documents", "# first\n---\na: 1\n# second\n---\na: 2\n", "5:1 yaml-documents"],
  ["two documents without a marker at the head", "a: 1\n---\na: 2\n", "2:1 yaml-documents"],
  ["two documents, the second empty", "a: 1\n---\n", "2:1 yaml-documents"],
  ["two documents, the first empty", "---\n---\na: 1\n", "2:1 yaml-documents"],
  ["two documents, the first ended by dots", "a: 1\n...\nb: 2\n", "2:1 yaml-documents"],
  ["a document that follows an end", "...\na: 1\n", "2:1 yaml-readers"],
  ["an indented marker", "# c\n  ---\na: 1\n", "3:1 yaml-syntax"],
  ["a directive", "%YAML 1.1\n---\na: 1\n", "1:1 yaml-directive"],
  ["an indented directive", "# c\n\n %FOO\n---\na: 1\n", "3:2 yaml-syntax"],
  ["a duplicate key", "a: 1\nb: 2\na: 3\n", "3:1 yaml-duplicate-key"],
  [
    "several duplicate keys",
    'a: 1\na: 2\n"a": 3\nb:\n  c: 1\n  c: 2\nd: [{ e: 1, e: 2 }]\n',
    "2:1 yaml-duplicate-key",
    "3:1 yaml-duplicate-key",
    "6:3 yaml-duplicate-key",
    "7:13 yaml-duplicate-key",
  ],
  ["ambiguous scalars", "a: no\nb: [017, 1:30]\n", "1:4 yaml-ambiguous", "2:5 yaml-ambiguous", "2:10 yaml-ambiguous"],
  ["an ambiguous key", "on: push\n", "1:1 yaml-ambiguous"],
  ["a merge", "a: &a { b: 1 }\nc:\n  <<: *a\n", "3:3 yaml-ambiguous"],
  ["a key that is a number", "a:\n  1: b\n", "2:3 yaml-key"],
  ["a key that is null", "~: 1\n: 2\n", "1:1 yaml-key", "1:4 yaml-key"],
  ["a key that is a list", "? [a]\n: 1\n", "1:3 yaml-key"],
  ["a key that is an alias", "a: &a b\n*a : 1\n", "2:1 yaml-key"],
  ["a key that is the prototype", '"__proto__": 1\n', "1:1 yaml-key"],
  ["an alias without an anchor", "a: *b\n", "1:4 yaml-alias"],
  ["an alias of a value that contains it", "a: &a\n  b: *a\n", "2:6 yaml-alias"],
  ["an alias of a value that contains it and hides an earlier anchor", "- &a 1\n- &a [*a]\n", "2:7 yaml-alias"],
  ["a tag that some parsers do not know", "a: !!set { b: }\n", "1:4 yaml-syntax"],
  ["a tab as indentation", "a:\n\tb: 1\n", "2:1 yaml-syntax"],
  ["a tab behind a dash", "-\t&a b\n", "1:2 yaml-syntax"],
  ["a carriage return alone", "a: 1\rb: 2\n", "1:4 yaml-syntax"],
  ["line ends of YAML 1.1", "# a\u2028b: 1\nc: d\u0085e\n", "1:4 yaml-ambiguous", "2:5 yaml-ambiguous"],
  ["a block of blanks", "a: |1\n   \nb: 1\n", "1:6 yaml-readers"],
  ["half a character", 'a: "\\ud800"\n', "1:4 yaml-escape"],
  ["no character", 'a: "\\\\ \\U00110000"\n', "1:4 yaml-escape"],
  ["an escaped line end before an empty line", 'a: "b\\\n\n  c"\n', "1:4 yaml-readers"],
  ["a map on the line of its key", "a: &b c: 1\n", "1:4 yaml-syntax"],
  ["a key behind a value", "a:\n- 'b'c: 1\n", "2:6 yaml-syntax"],
  ["an anchor without a blank", "a: &b{ c: 1 }\n", "1:6 yaml-syntax"],
  ["two anchors", "a:\n  &b &c d: 1\n", "2:6 yaml-syntax"],
  ["no YAML", "a: [1\nb: 2\n", "2:1 yaml-syntax"],
  ["brackets without end", "[".repeat(100_000), "1:100 yaml-size"],
  ["a null byte", "a: b\u0000\n", "1:5 yaml-syntax"],
  ["Latin-1", bytes("a: 1\nb: caf", [0xe9], "\n"), "2:7 file-encoding"],
  ["Latin-1 behind characters of several bytes", bytes("a: é😀 ", [0xff]), "1:8 file-encoding"],
  ["Latin-1 behind a replacement character", bytes("\uFEFFa: \uFFFD\n", [0xff], "\n"), "2:1 file-encoding"],
  ["a character cut off at the end", bytes("a: b\nc: ", [0xf0, 0x9f]), "2:4 file-encoding"],
  ["UTF-16", bytes([0xff, 0xfe, 0x61, 0]), "1:1 file-encoding"],
];

describe("readYaml", () => {
  it.each(REFUSED)("refuses %s, and reports the place", (_, text, ...expected) => {
    expect(problems(read(text))).toEqual(expected);
  });

  it("takes = and << for text where they are values, as Go's readers do", () => {
    const file = yamlFile("a.yaml", "enum:\n  - '!='\n  - =\n  - <<\n  - [=, <<]\nequal: =\n\"<<\": 1\n");

    expect(file.value).toEqual({ enum: ["!=", "=", "<<", ["=", "<<"]], equal: "=", "<<": 1 });
  });

  it("gives each finding a message and a remedy", () => {
    const findings = REFUSED.flatMap(([, text]) => {
      const reading = read(text);
      return reading.kind === "refused" ? reading.findings : [];
    });

    expect(findings.filter(({ message, remedy }) => !message.endsWith(".") || !remedy.endsWith("."))).toEqual([]);
    expect(findings.every(({ file, severity }) => file === "a.yaml" && severity === "error")).toBe(true);
  });

  it("refuses anchors that expand without bound", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `- &a${index} [${`*a${index - 1}, `.repeat(index && 9)}x]`);

    expect(problems(read(lines.join("\n")))).toEqual(["1:1 yaml-size"]);
  });

  it("refuses more than 1000 aliases", () => {
    const text = (count: number): string => `a: &a 1\nb:\n${"  - *a\n".repeat(count)}`;

    expect(problems(read(text(1_000)))).toEqual([]);
    expect(problems(read(text(1_001)))).toEqual(["1:1 yaml-size"]);
  });

  it("refuses text that one parser reads as an alias and another as text", () => {
    expect(problems(read("\n\uFEFF*a\n"))).toEqual(["1:1 yaml-syntax"]);
  });

  it("refuses a file that is too large or a link out of the repository", () => {
    const tooLarge = readYaml("a.yaml", { kind: "too-large", size: MAX_FILE_BYTES + 1 });
    const badLink = readYaml("a.yaml", { kind: "bad-link", target: "/etc/passwd" });

    expect(tooLarge).toMatchObject({
      findings: [{ rule: "file-size", line: 1, column: 1, message: mentions("1048577", "1048576") }],
    });
    expect(badLink).toMatchObject({
      findings: [{ rule: "file-link", line: 1, column: 1, message: expect.stringContaining("/etc/passwd") as string }],
    });
  });

  it.each<readonly [string, string, unknown]>([
    ["a byte order mark at the head", "\uFEFFa: 1\n", { a: 1 }],
    ["line ends of Windows", "a:\r\n  - b\r\n  - |\r\n    c\r\n", { a: ["b", "c\n"] }],
    ["a marker and comments", "# a\n--- # b\na: 1 # c\n", { a: 1 }],
    ["a marker that is text", "a: |\n  ---\n  b\n", { a: "---\nb\n" }],
    ["aliases", "a: &a [1]\nb: *a\nc: &a 2\nd: *a\n", { a: [1], b: [1], c: 2, d: 2 }],
    ["the tag of text", "a: !!str 1\nb: ! no\n", { a: "1", b: "no" }],
    ["quoted words", `a: "no"\nb: 'y'\n"1": x\n'': z\n`, { a: "no", b: "y", "1": "x", "": "z" }],
    ["dates as text", "a: 2026-01-01\n", { a: "2026-01-01" }],
    ["tabs within text", 'a: |\n  \tb\nc: "\td"\ne:\tf\n', { a: "\tb\n", c: "\td", e: "f" }],
    ["escaped characters", 'a: "\\U0001F600\\ud83d\\ude00\\u2028"\n', { a: "😀😀\u2028" }],
    ["an escaped line end", 'a: "b \\\n  c"\n', { a: "b c" }],
    ["keys that every object has", "constructor: 1\ntoString: 2\n", { constructor: 1, toString: 2 }],
    ["anchors in lists and before keys", "- &a b: 1\n  c: 2\n- &d\n  &e f: 3\n", [{ b: 1, c: 2 }, { f: 3 }]],
    ["explicit keys", "? a\n: b\n? c\n: d\n", { a: "b", c: "d" }],
  ])("reads %s", (_, text, value) => {
    expect(read(text)).toMatchObject({ kind: "read", file: { path: "a.yaml", value } });
  });

  it.each([
    ["a number", `a: ${"1".repeat(100_000)}\n`],
    ["a key", `${"a".repeat(1_000)}: 1\n`.repeat(2)],
    ["an alias", `a: *${"b".repeat(100_000)}\n`],
    ["a tag", `a: !${"b".repeat(100_000)} c\n`],
    ["an error of the second parser", `a: !!set${"b".repeat(100_000)} {}\n`],
    ["an alias of the second parser", `\n\uFEFF*${"b".repeat(100_000)}\n`],
  ])("shortens %s in a message", (_, text) => {
    const reading = read(text);
    const lengths = reading.kind === "refused" && reading.findings.map(({ message }) => message.length < 300);

    expect(lengths).toEqual([true]);
  });

  it("does not report its own failure as a mistake in the file", () => {
    // Ten levels take less of the stack than a read, so that it ends within one.
    const deep = (level: number): unknown => [level % 10 === 0 && read("a: [b, { c: d }]\n"), deep(level + 1)];
    let thrown: unknown;
    try {
      deep(0);
    } catch (error) {
      thrown = error;
    }

    expect(thrown).toBeInstanceOf(RangeError);
    expect((thrown as Error).stack).toMatch(/yaml.dist|js-yaml|src.document.yaml/);
  });
});

describe("locate", () => {
  const file = yamlFile(
    "a.yaml",
    "# comment\nspec:\n  list:\n    - a\n    - b: c\n  text: 'd'\n  empty:\n  map:\n    e: f\n  block: |\n    g\n",
  );

  it.each<readonly [YamlPath, string]>([
    [[], "2:1"],
    [["spec"], "2:1"],
    [["spec", "list", 0], "4:7"],
    [["spec", "list", 1, "b"], "5:10"],
    [["spec", "text"], "6:9"],
    [["spec", "empty"], "7:3"],
    [["spec", "map"], "8:3"],
    [["spec", "map", "e"], "9:8"],
    [["spec", "missing", "more"], "2:1"],
    [["spec", "list", 7], "3:3"],
    [["spec", "list", "b"], "3:3"],
    [["spec", "text", "below"], "6:9"],
  ])("finds %j at %s", (path, expected) => {
    const { line, column } = locate(file, path);

    expect(`${line}:${column}`).toBe(expected);
  });

  it("gives the first character of an empty file", () => {
    expect(locate({ path: "a.yaml", text: "# c\n", value: undefined }, ["a"])).toEqual({ line: 1, column: 1 });
  });

  it("skips keys that are not text", () => {
    expect(locate({ path: "a.yaml", text: "? [a]\n: 1\nb: 2\n", value: undefined }, ["b"])).toEqual({
      line: 3,
      column: 4,
    });
  });
});

describe("positionAt", () => {
  it("counts lines and columns from 1", () => {
    const text = "ab\n\ncd\r\ne";
    const naive = (offset: number): unknown => {
      const lines = text.slice(0, offset).split("\n");
      return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
    };

    for (let offset = 0; offset <= text.length; offset++) expect(positionAt(text, offset)).toEqual(naive(offset));
  });
});
