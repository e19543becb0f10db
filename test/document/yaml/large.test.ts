import { describe, expect, it } from "vitest";
import { problems, read } from "./reading.ts";

describe("readYaml of a large file", () => {
  it("reports a hundred thousand problems, each with its place", () => {
    const found = problems(read("- y\n".repeat(100_000)));

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
    expect(problems(read(text))).toEqual([]);
  });
});
