import { describe, expect, it } from "vitest";
import { PLAIN, textReport, type Paper } from "../../../src/check/report/text.ts";
import type { CheckResult } from "../../../src/check/result.ts";
import { mentions } from "../../support/mentions.ts";
import { FACTS, finding, MIXED, result, SOURCE } from "./samples.ts";

const COLORED: Paper = { paint: (style, text) => `<${style}>${text}</>`, width: Number.POSITIVE_INFINITY };

function print(value: CheckResult, paper: Paper = PLAIN, source: string = SOURCE): readonly string[] {
  return textReport(value, { ...FACTS, sourceOf: () => source }, paper).split("\n");
}

describe("the report for people", () => {
  it("shows findings by file with the line and a caret, what was waived, what was not run, and counts", () => {
    expect(textReport(MIXED, FACTS, PLAIN).split("\n")).toEqual([
      "channels/fast/istio.yaml",
      "  3:12  error  Version 1.2.0 is below 1.3.0, which this channel served.  [version-downgrade]",
      "        |   version: 1.2.0",
      "        |            ^",
      "        Submit a higher version, or withdraw 1.3.0.",
      "   4:3  note   A jump.  [version-minor-jump]",
      "        |   channel: fast",
      "        |   ^",
      "        None.",
      "",
      "modules/keda/module.yaml",
      "  120:1  warning  Version 1.2.0 is below 1.3.0, which this channel served.  [file-stray]",
      "         Submit a higher version, or withdraw 1.3.0.",
      "",
      "Waived",
      "  channels/fast/istio.yaml:3:12  warning  Version 1.2.0 is below 1.3.0, which this channel served.  [image-digest]",
      "    waived until 2027-01-31T00:00:00Z: digests come with 1.4, modules/istio/module.yaml:9",
      "",
      "Not run, so not passed",
      "  the registry was not asked (--offline): image-exists: istio 1.3.3, keda 1.0.0",
      "  no tags were asked for: version-released",
      "",
      "1 error, 1 warning, 1 note in 2 of 812 files; 1 waived; 2 rules not run (0.84 s)",
    ]);
  });

  it.each<[string, Partial<CheckResult>, unknown]>([
    ["nothing found", {}, "No findings in 812 files (0.84 s)"],
    ["one file", { files: 1 }, "No findings in 1 file (0.84 s)"],
    ["nothing checked", { files: 0 }, mentions("No findings", "no file", "0.84 s")],
    ["only notes", { findings: [finding({ severity: "note" })] }, "1 note in 1 of 812 files (0.84 s)"],
    ["a finding in a file that was not read", { findings: [finding()], files: 0 }, "1 error in 1 of 1 file (0.84 s)"],
    ["a plural", { findings: [finding(), finding()] }, "2 errors in 1 of 812 files (0.84 s)"],
  ])("ends with a line that counts: %s", (_case, changes, line) => {
    expect(print(result(changes)).at(-1)).toEqual(line);
  });

  it.each<[string, Partial<CheckResult>, unknown]>([
    ["errors", { findings: [finding()] }, "<bad>1 error in 1 of 812 files</> <quiet>(0.84 s)</>"],
    [
      "warnings",
      { findings: [finding({ severity: "warning" })] },
      "<change>1 warning in 1 of 812 files</> <quiet>(0.84 s)</>",
    ],
    ["no findings", {}, "<good>No findings in 812 files</> <quiet>(0.84 s)</>"],
    ["no files", { files: 0 }, expect.stringMatching(/^<change>[^<]*no file[^<]*<\/> <quiet>\(0\.84 s\)<\/>$/)],
    [
      "no findings, but not all judged",
      { notRun: [{ rule: "image-exists", subject: undefined, why: "this was not asked" }] },
      "<good>No findings in 812 files</>; <change>1 rule not run</> <quiet>(0.84 s)</>",
    ],
  ])("colours what it comes to: %s", (_case, changes, line) => {
    expect(print(result(changes), COLORED).at(-1)).toEqual(line);
  });

  it("leaves the place of the caret as it is when it colours", () => {
    expect(print(result({ findings: [finding()] }), COLORED).slice(0, 4)).toEqual([
      "<strong>channels/fast/istio.yaml</>",
      "  3:12  <bad>error</>  Version 1.2.0 is below 1.3.0, which this channel served.  <quiet>[version-downgrade]</>",
      "        <quiet>|</>   version: 1.2.0",
      "        <quiet>|</>            <bad>^</>",
    ]);
  });

  it("prints a message of several lines in full, with the rule after the last line", () => {
    const lines = print(
      result({ findings: [finding({ message: "Refused:\n  spec: {}", remedy: "Do this,\nthen that." })] }),
    );

    expect(lines.slice(1, 7)).toEqual([
      "  3:12  error  Refused:",
      "          spec: {}  [version-downgrade]",
      "        |   version: 1.2.0",
      "        |            ^",
      "        Do this,",
      "        then that.",
    ]);
  });

  it.each<[string, string, number, number]>([
    ["a line that the file does not have", "a: 1\n", 7, 1],
    ["an empty line", "a: 1\n\nb: 2\n", 2, 1],
    ["a blank line", "a: 1\n  \t\nb: 2\n", 2, 2],
    ["the end of the file", "a: 1\n", 2, 1],
  ])("shows no source for %s", (_case, source, line, column) => {
    expect(print(result({ findings: [finding({ line, column })] }), PLAIN, source)[2]).toBe(
      "       Submit a higher version, or withdraw 1.3.0.",
    );
  });

  it("hides line breaks of other systems", () => {
    const lines = print(result({ findings: [finding({ line: 1, column: 4 })] }), PLAIN, "a: 1\r\nb: 2\r\n");

    expect(lines.slice(2, 4)).toEqual(["       | a: 1", "       |    ^"]);
  });

  it.each([40, 80, 132])("cuts source lines to %i columns", (width) => {
    const source = `key: ${"x".repeat(500)}here${"y".repeat(500)}\n`;
    const lines = print(result({ findings: [finding({ line: 1, column: 506 })] }), { ...PLAIN, width }, source);
    const [text = "", mark = ""] = lines.filter((line) => /^ +\| /.test(line));

    expect(text.length).toBeLessThan(width);
    expect(text).toMatch(/^ +\| …x+herey+…$/);
    expect(text.indexOf("here")).toBe(mark.indexOf("^"));
  });

  it("names five subjects of a rule that was not run, and counts the others", () => {
    const notRun = Array.from({ length: 8 }, (_, at) => ({
      rule: "r",
      subject: `istio 1.0.${at}`,
      why: "this was not asked",
    }));

    expect(print(result({ notRun }))[1]).toBe(
      "  this was not asked: r: istio 1.0.0, istio 1.0.1, istio 1.0.2, istio 1.0.3, istio 1.0.4 and 3 more",
    );
  });

  it("names no subject of a rule that did not run at all", () => {
    const notRun = [undefined, "istio 1.0.0"].map((subject) => ({ rule: "r", subject, why: "this was not asked" }));

    expect(print(result({ notRun }))[1]).toBe("  this was not asked: r");
  });

  it("counts the rules that did not run for one reason, and lists them if verbose", () => {
    const notRun = ["a", "b", "c", "d"].map((rule) => ({ rule, subject: "istio 1.0.0", why: "this was not asked" }));
    const verbose = textReport(result({ notRun }), { ...FACTS, detail: "verbose" }, PLAIN).split("\n");

    expect(print(result({ notRun })).slice(0, 2)).toEqual([
      mentions("Not run", "--verbose"),
      "  this was not asked: 4 rules",
    ]);
    expect(verbose[0]).not.toContain("--verbose");
    expect(verbose.slice(0, 4)).toEqual([
      mentions("Not run"),
      "  this was not asked",
      "    a: istio 1.0.0",
      "    b: istio 1.0.0",
    ]);
  });

  it("shows an example below the line, and nothing that is wider than the terminal", () => {
    const example = "This was refused:\n  spec:\n    size: a text of some length, which goes on and on";
    const lines = print(result({ findings: [finding({ example })] }), { ...PLAIN, width: 50 });

    expect(lines.slice(1, 13)).toEqual([
      "  3:12  error  Version 1.2.0 is below 1.3.0, which",
      "        this channel served.  [version-downgrade]",
      "        |   version: 1.2.0",
      "        |            ^",
      "        This was refused:",
      "          spec:",
      "            size: a text of some length, which",
      "            goes on and on",
      "        Submit a higher version, or withdraw",
      "        1.3.0.",
      "",
      "1 error in 1 of 812 files (0.84 s)",
    ]);
  });

  it("shows the first three findings with the same fix, names the next ten, and counts the others", () => {
    const findings = Array.from({ length: 16 }, (_, at) => finding({ line: at + 1, message: `Wrong ${at}.` }));
    const other = finding({ remedy: "Another." });
    const lines = print(result({ findings: [...findings, other] }));
    const verbose = textReport(result({ findings }), { ...FACTS, detail: "verbose" }, PLAIN);

    expect(lines.filter((line) => line.includes("[version-downgrade]"))).toHaveLength(4);
    expect(lines.slice(-15)).toEqual([
      mentions("same fix", "--verbose"),
      "  error  version-downgrade: 13 more",
      ...findings.slice(3, 13).map(({ message }, at) => `    channels/fast/istio.yaml:${at + 4}:12  ${message}`),
      "    and 3 more",
      "",
      "17 errors in 1 of 812 files (0.84 s)",
    ]);
    expect(verbose.match(/\[version-downgrade\]/g)).toHaveLength(16);
    expect(
      print(result({ findings: findings.slice(0, 4) }))
        .join()
        .match(/\[version-downgrade\]/g),
    ).toHaveLength(4);
  });

  it("shows only errors if quiet, and counts everything", () => {
    const findings = [finding(), finding({ severity: "warning", message: "Perhaps." })];
    const quiet = textReport({ ...MIXED, findings }, { ...FACTS, detail: "quiet" }, PLAIN);

    expect(quiet).not.toMatch(/Perhaps|image-digest|image-exists|version-released/);
    expect(quiet.split("\n").at(-1)).toBe("1 error, 1 warning in 1 of 812 files; 1 waived; 2 rules not run (0.84 s)");
  });

  it("lets no escape of a file, a message or a path through to the terminal", () => {
    const escape = "\u001b[31m";
    const hostile = finding({
      file: `a${escape}`,
      message: `m${escape}\r`,
      remedy: "\u202eabc\u0007",
      line: 1,
      column: 4,
    });
    const lines = print(result({ findings: [hostile] }), PLAIN, `a: ${escape}\u009bx\n`);

    expect(lines.slice(0, 5)).toEqual([
      "a\\u001b[31m",
      "  1:4  error  m\\u001b[31m\\r  [version-downgrade]",
      "       | a: \\u001b[31m\\u009bx",
      "       |    ^",
      "       \\u202eabc\\u0007",
    ]);
  });
});
