import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { readYaml } from "../../src/document/yaml/read.ts";
import { isPlainStyle } from "../../src/document/yaml/secondOpinion.ts";
import { fileOf } from "./repository.ts";
import { lines, printed, soup, spoilt } from "./yamlTexts.ts";
import { tries } from "../support/tries.ts";

/** What both readers make of a text. `readYaml` may refuse what `yaml` reads, never the other way round. */
function compare(text: string): void {
  const reading = readYaml("a.yaml", fileOf(text));
  // Every schema of ours wants a map; a text or number alone is not a file of a catalogue.
  if (reading.kind === "refused" || typeof reading.file.value !== "object") return;
  const document = parseDocument(reading.file.text, { version: "1.2", schema: "core", logLevel: "silent" });

  expect(document.errors.map(({ message }) => message)).toEqual([]);
  expect(document.toJS({ maxAliasCount: -1 })).toStrictEqual(reading.file.value);
}

/** The same texts each time: what differs is a bug of js-yaml or `yaml`, and must not stop who changes something else. */
const FIXED = { seed: 1, endOnFailure: false } as const;

/** js-yaml and `yaml` agree upon a value, or `readYaml` refuses the text. */
describe("readYaml and the package yaml", () => {
  it("read the same from printed values", () => {
    fc.assert(fc.property(printed, compare), { ...tries(200), ...FIXED });
  });

  it("read the same from spoilt texts", () => {
    fc.assert(fc.property(spoilt, compare), { ...tries(400), ...FIXED });
  });

  it("read the same from pieces in any order", () => {
    fc.assert(fc.property(soup, compare), { ...tries(2_000), ...FIXED });
  });

  it("read the same from texts that only one of them reads by default", () => {
    const plain = fc.sample(lines, { ...tries(15_000), ...FIXED }).filter(isPlainStyle);
    plain.forEach(compare);

    expect(plain.filter((text) => readYaml("a.yaml", fileOf(text)).kind === "read").length).toBeGreaterThan(1_000);
  });

  it("read most printed values", () => {
    const texts = fc.sample(printed, { ...FIXED, numRuns: 500 });
    const readings = texts.filter((text) => readYaml("a.yaml", fileOf(text)).kind === "read");

    expect(readings.length).toBeGreaterThan(250);
  });

  it.each([
    ["an indented marker", "  ---\na: 1\n"],
    ["an end at the head", "...\na: 1\n"],
    ["a tag on nothing", "a: !!map\n"],
    ["an overflow", "a: 1.5e+400\n"],
    ["a tab before an anchor", "a:\n  \t&b\n"],
    ["an anchor and a flow map", "a: &b{ c: 1 }\n"],
    ["two nested maps on a line", "a: &b c: 1\n"],
    ["text behind quotes", "a:\n- 'b'c: 1\n"],
    ["an empty line behind an escaped line end", 'a: "b\\\n\n  c"\n'],
    ["blanks as the last line of a block", "a: |2\n   b\n   "],
    ["nothing but blanks in a block", "a: |1\n   \nb: 1\n"],
    ["a byte order mark on a line of its own", "a:\n\uFEFF\n"],
  ])("differ in %s, which is refused", (_, text) => {
    expect(readYaml("a.yaml", fileOf(text)).kind).toBe("refused");
  });
});
