import { describe, expect, it } from "vitest";
import { readYaml } from "../../../src/document/yaml/read.ts";
import { fileOf } from "../../catalogue/repository.ts";

/** `<line>:<column> <rule>` of each finding; nothing for a file that is read. */
function problems(text: string): readonly string[] {
  const reading = readYaml("a.yaml", fileOf(text));
  return reading.kind === "read" ? [] : reading.findings.map(({ line, column, rule }) => `${line}:${column} ${rule}`);
}

describe("readYaml of a large file", () => {
  it("reports a hundred thousand problems, each with its place", () => {
    const found = problems("- y\n".repeat(100_000));

    expect(found).toHaveLength(100_001);
    expect(found.at(-1)).toBe("100000:3 yaml-ambiguous");
  });

  it.each([
    ["blanks", `a: b${" ".repeat(900_000)}é\n`],
    ["blanks in a list", `a: [${" ".repeat(900_000)}é]\n`],
    ["words", `a: ${"b ".repeat(400_000)}é\n`],
    ["dashes", `- a${" -".repeat(400_000)}é\n`],
    ["keys", `é: 1\n${Array.from({ length: 45_000 }, (_, index) => `a${index}: 1\n`).join("")}`],
    ["anchors", `- é\n${Array.from({ length: 45_000 }, (_, index) => `- &a${index} b\n`).join("")}`],
    ["brackets", `a: ${"[".repeat(98)}é${"]".repeat(98)}\n`],
  ])("reads a megabyte of %s", (_, text) => {
    expect(problems(text)).toEqual([]);
  });
});
