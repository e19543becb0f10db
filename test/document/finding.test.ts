import { describe, expect, it } from "vitest";
import { type Finding, findingText, isBroken, sortFindings } from "../../src/document/finding.ts";

const FINDING: Finding = {
  rule: "file-name",
  severity: "error",
  file: "channels/fast/sample.yml",
  line: 1,
  column: 1,
  message: "The name ends with .yml.",
  remedy: "Rename it.",
};

describe("a finding as text", () => {
  it("is its place, its message and its rule, and the remedy on a line below", () => {
    expect(findingText(FINDING)).toBe(
      "channels/fast/sample.yml:1:1: error: The name ends with .yml. [file-name]\n    Rename it.",
    );
  });

  it("paints an error as bad, and a warning as a change", () => {
    const painter = { paint: (style: string, text: string) => `<${style}>${text}` };
    const styles = (["error", "warning", "note"] as const).map(
      (severity) => /<(\w+)>/.exec(findingText({ ...FINDING, severity }, painter))?.[1],
    );

    expect(styles).toEqual(["bad", "change", "change"]);
  });

  it("shows what a terminal would act upon, also in the name of a file", () => {
    expect(findingText({ ...FINDING, file: "a\u001b[2J.yaml" })).not.toContain("\u001b");
  });
});

describe("findings", () => {
  it("are in the order of file, line, column and rule", () => {
    const places = [
      { file: "b", line: 1, column: 1, rule: "x" },
      { file: "a", line: 2, column: 1, rule: "x" },
      { file: "a", line: 1, column: 2, rule: "x" },
      { file: "a", line: 1, column: 1, rule: "y" },
      { file: "a", line: 1, column: 1, rule: "x" },
    ];
    const sorted = sortFindings(places.map((place) => ({ ...FINDING, ...place })));

    expect(sorted.map(({ file, line, column, rule }) => `${file}${line}${column}${rule}`)).toEqual([
      "a11x",
      "a11y",
      "a12x",
      "a21x",
      "b11x",
    ]);
  });

  it("break the file that has an error, and no other", () => {
    const findings = [FINDING, { ...FINDING, file: "other.yaml", severity: "warning" as const }];

    expect(isBroken({ findings }, FINDING.file)).toBe(true);
    expect(isBroken({ findings }, "other.yaml")).toBe(false);
  });
});
