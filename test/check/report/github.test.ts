import { describe, expect, it } from "vitest";
import type { Finding, Severity } from "../../../src/document/finding.ts";
import { githubReport } from "../../../src/check/report/github.ts";
import type { CheckResult } from "../../../src/check/result.ts";
import { mentions } from "../../support/mentions.ts";
import { FACTS, finding, MIXED, result } from "./samples.ts";

function print(value: CheckResult, pathPrefix = ""): readonly string[] {
  return githubReport(value, { ...FACTS, pathPrefix }).split("\n");
}

const many = (severity: Severity, count: number): readonly Finding[] =>
  Array.from({ length: count }, (_, at) => finding({ severity, line: at + 1 }));

describe("the report for GitHub Actions", () => {
  it("makes annotations, the worst first, and ends with what was not run and the counts", () => {
    expect(print(MIXED)).toEqual([
      "::error file=channels/fast/istio.yaml,line=3,col=12,title=version-downgrade::Version 1.2.0 is below 1.3.0, which this channel served.%0ASubmit a higher version, or withdraw 1.3.0.",
      "::warning file=modules/keda/module.yaml,line=120,col=1,title=file-stray::Version 1.2.0 is below 1.3.0, which this channel served.%0ASubmit a higher version, or withdraw 1.3.0.",
      "::notice file=channels/fast/istio.yaml,line=4,col=3,title=version-minor-jump::A jump.%0ANone.",
      "not run: image-exists: istio 1.3.3, keda 1.0.0, since the registry was not asked (--offline)",
      "not run: version-released, since no tags were asked for",
      "1 error, 1 warning, 1 note in 2 of 812 files; 1 waived; 2 rules not run (0.84 s)",
    ]);
  });

  it.each([
    ["file", { file: "a,b:c%.yaml" }, "file=a%2Cb%3Ac%25.yaml,line=3"],
    ["title", { rule: "a:b,c" }, "title=a%3Ab%2Cc::"],
    ["message", { message: "100 %\n::error::x, y: z" }, "::100 %25%0A::error::x, y: z%0ASubmit"],
    ["controls", { message: "a\r\nb\rc\u001b[0m" }, "::a%0Ab\\rc\\u001b[0m%0ASubmit"],
  ])("escapes as actions/toolkit does: %s", (_part, changes, text) => {
    expect(print(result({ findings: [finding(changes)] }))[0]).toContain(text);
  });

  it.each([
    ["catalogue", "channels/fast.yaml", "catalogue/channels/fast.yaml"],
    ["a/catalogue/", "channels/fast.yaml", "a/catalogue/channels/fast.yaml"],
    ["catalogue", "../loose.yaml", "loose.yaml"],
    ["catalogue", "/tmp/loose.yaml", "/tmp/loose.yaml"],
    ["", "channels/fast.yaml", "channels/fast.yaml"],
  ])("names files as the Git repository does: %s and %s", (pathPrefix, file, path) => {
    expect(print(result({ findings: [finding({ file })] }), pathPrefix)[0]).toMatch(`::error file=${path},line=`);
  });

  it("prints findings that GitHub would not show with their place, and says so", () => {
    const lines = print(result({ findings: [...many("note", 11), ...many("error", 12)] }));

    expect(lines.map((line) => line.split(" ", 1)[0])).toEqual([
      ...Array.from({ length: 10 }, () => "::error"),
      ...Array.from({ length: 10 }, () => "::notice"),
      ...["error", "error", "note"],
      "12",
    ]);
    expect(lines[20]).toBe(
      "error in channels/fast/istio.yaml:11:12: Version 1.2.0 is below 1.3.0, which this channel served. [version-downgrade] Submit a higher version, or withdraw 1.3.0.",
    );
    expect(lines.at(-1)).toEqual(mentions("12 errors, 11 notes", "1 of 812 files", "0.84 s", "10"));
  });

  it("prints no command for a rule that did not run", () => {
    const notRun = [{ rule: "r", subject: undefined, why: "##[error]x\n::error::y" }];

    expect(print(result({ notRun }))[0]).toBe("not run: r, since ## [error]x\\n::error::y");
  });

  it("says that all is well in one line", () => {
    expect(print(result())).toEqual(["No findings in 812 files (0.84 s)"]);
  });
});
