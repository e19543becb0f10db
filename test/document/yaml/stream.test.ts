import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readManifest } from "../../../src/kubernetes/manifest.ts";
import { locate } from "../../../src/document/yaml/read.ts";
import { readYamlStream } from "../../../src/document/yaml/stream.ts";

const REAL = new URL("../../../../shared/kyma-data/manifests/", import.meta.url);

function values(text: string): readonly unknown[] {
  const { files, findings } = readYamlStream("a.yaml", Buffer.from(text));
  expect(findings).toEqual([]);
  return files.map(({ value }) => value);
}

describe("a stream of documents", () => {
  test("is read document by document, without empty ones", () => {
    expect(values("a: 1\n---\n# nothing\n---\nb: ü\n...\n--- \n[c]\n---")).toEqual([{ a: 1 }, { b: "ü" }, ["c"]]);
    expect(values("")).toEqual([]);
  });

  test("counts lines from the start of the file", () => {
    const { files, findings } = readYamlStream("a.yaml", Buffer.from("a: 1\n---\nb: 2\n---\nc: [\n---\nd:\n  e: 3\n"));
    expect(files.map((file) => locate(file, ["d", "e"]).line)).toEqual([1, 3, 8]);
    expect(findings.map(({ line, rule }) => ({ line, rule }))).toEqual([{ line: 6, rule: "yaml-syntax" }]);
  });

  test("keeps the valid documents when one is not", () => {
    const { files, findings } = readYamlStream("a.yaml", Buffer.from("a: 1\n---\na: 1\na: 2\n"));
    expect(files.map(({ value }) => value)).toEqual([{ a: 1 }]);
    expect(findings).toHaveLength(1);
  });
});

describe("quoted text that continues at the indentation of its key", () => {
  test.each([
    ["in single quotes", "a:\n  b: 'one\n  two ''x''\n  three'\n  c: 1\n", { a: { b: "one two 'x' three", c: 1 } }],
    ["in double quotes", 'a:\n  b: "one \\"x\\"\n  two"\n  c: 1\n', { a: { b: 'one "x" two', c: 1 } }],
    ["with an escaped break", 'a:\n  b: "one \\\n  two"\n', { a: { b: "one two" } }],
    ["with empty lines", "a:\n  b: 'one\n\n  two'\n", { a: { b: "one\ntwo" } }],
    ["below a dash", "a:\n- b: 'one\n  two'\n  c: 1\n", { a: [{ b: "one two", c: 1 }] }],
    [
      "as an element",
      "a:\n- 'one\n  two'\n- 'three\n\n  four'\n- b: 'x\n  y'\n",
      { a: ["one two", "three\nfour", { b: "x y" }] },
    ],
    ["after a quoted key", "a:\n  'b': 'one\n  two'\n", { a: { b: "one two" } }],
    ["deeper than its key", "a:\n  b: 'one\n    two'\n  c: 'x\n  y'\n", { a: { b: "one two", c: "x y" } }],
  ])("is read: %s", (_what, text, value) => {
    expect(values(text)).toEqual([value]);
  });

  test("does not change block scalars beside it", () => {
    const block =
      "a:\n  x: 'one\n  two'\n  b: |\n    c: 'not\n    quoted\n\n  d: >- # folded\n    e: \"f\n  g:\n  - |\n   h: 'i\n  - j\n";
    expect(values(block)).toEqual([{ a: { x: "one two", b: "c: 'not\nquoted\n", d: 'e: "f', g: ["h: 'i\n", "j"] } }]);
  });

  test("does not move the lines below it", () => {
    const { files } = readYamlStream("a.yaml", Buffer.from("a:\n  b: 'one\n  two'\n  c: 1\n"));
    expect(files.map((file) => locate(file, ["a", "c"]))).toEqual([{ line: 4, column: 6 }]);
  });

  test("is refused when it is still invalid, at its line in the file", () => {
    const { findings } = readYamlStream("a.yaml", Buffer.from("a:\n  b: 'one\n  two' three\n"));
    expect(findings.map(({ rule, line }) => [rule, line])).toEqual([["yaml-syntax", 3]]);
  });
});

test("every real manifest is read", (context) => {
  if (!existsSync(REAL)) context.skip("there is no ../shared/kyma-data beside this repository");
  const files = globSync("**/*.yaml", { cwd: REAL });
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const { objects, findings } = readManifest(file, true, readFileSync(new URL(file, REAL)));
    expect(findings, file).toEqual([]);
    expect(objects.length, file).toBeGreaterThan(0);
  }
});
