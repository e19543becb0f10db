import { describe, expect, it } from "vitest";
import { junitReport } from "../../../src/check/report/junit.ts";
import type { CheckResult } from "../../../src/check/result.ts";
import { FACTS, finding, MIXED, result, rule } from "./samples.ts";
import { readXml, type ReadElement } from "./xmlReader.ts";

function read(value: CheckResult, pathPrefix = ""): ReadElement {
  return readXml(junitReport(value, { ...FACTS, pathPrefix }));
}

function casesOf(value: CheckResult, pathPrefix = ""): readonly ReadElement[] {
  return (read(value, pathPrefix).children[0]?.children ?? []).filter(({ name }) => name === "testcase");
}

const COUNTS = { name: "kyma-modules check", failures: "1", errors: "0", time: "0.840" };

describe("the JUnit report", () => {
  it("is one suite with the counts of its cases and a summary", () => {
    const { name, attributes, children } = read(MIXED);

    expect({ name, attributes }).toEqual({ name: "testsuites", attributes: { ...COUNTS, tests: "7", skipped: "2" } });
    expect(children.map((suite) => suite.attributes)).toEqual([
      { ...COUNTS, tests: "7", skipped: "2", timestamp: "2026-11-21T02:30:00" },
    ]);
    expect(children[0]?.children.at(-1)).toMatchObject({
      name: "system-out",
      text: "1 error, 1 warning, 1 note in 2 of 812 files; 1 waived; 2 rules not run (0.84 s)",
    });
  });

  it("has a case for each rule: failed by errors, skipped where it was not run, else passed", () => {
    const outcomes = casesOf(MIXED).map(({ attributes, children }) => [
      attributes["name"],
      children.map(({ name }) => name),
    ]);

    expect(outcomes).toEqual([
      ["version-downgrade", ["failure"]],
      ["version-minor-jump", ["system-out"]],
      ["file-stray", ["system-out"]],
      ["image-digest", ["system-out"]],
      ["image-exists", ["skipped"]],
      ["file-size", []],
      ["version-released", ["skipped"]],
    ]);
  });

  it("lists all errors of a rule in one failure, with the place of the first at the case", () => {
    const findings = [finding(), finding({ file: "channels/fast/keda.yaml", line: 7, message: "Another." })];
    const [failed] = casesOf(result({ findings, rules: [rule("version-downgrade")] }), "catalogue");

    expect(failed?.attributes).toMatchObject({ file: "catalogue/channels/fast/istio.yaml", line: "3" });
    expect(failed?.children).toMatchObject([
      {
        attributes: { message: "2 errors: The demand of version-downgrade.", type: "version-downgrade" },
        text: [
          "catalogue/channels/fast/istio.yaml:3:12: error: Version 1.2.0 is below 1.3.0, which this channel served.",
          "    Submit a higher version, or withdraw 1.3.0.",
          "catalogue/channels/fast/keda.yaml:7:12: error: Another.",
          "    Submit a higher version, or withdraw 1.3.0.",
        ].join("\n"),
      },
    ]);
  });

  it("indents every line of the remedy", () => {
    const [failed] = casesOf(result({ findings: [finding({ message: "Wrong.", remedy: "Run:\r\n  a\n  b\u0007" })] }));

    expect(failed?.children[0]?.text.split("\n").slice(1)).toEqual(["    Run:", "      a", "      b\\u0007"]);
  });

  it("shows the message of a single error, and the id of a rule without a description", () => {
    const [described] = casesOf(result({ findings: [finding()], rules: [rule("version-downgrade")] }));
    const [unknown] = casesOf(result({ findings: [finding(), finding()] }));

    expect(described?.children[0]?.attributes["message"]).toBe(
      "Version 1.2.0 is below 1.3.0, which this channel served.",
    );
    expect(unknown?.children[0]?.attributes["message"]).toBe("2 errors: version-downgrade");
  });

  it("lists other findings, waived findings and unjudged subjects of a failed case", () => {
    const notRun = [{ rule: "version-downgrade", subject: "istio 1.3.3", why: "this was not asked" }];
    const findings = [finding(), finding({ severity: "note", message: "A note." })];
    const waived = MIXED.waived.map(({ waiver }) => ({ finding: finding({ message: "Waived." }), waiver }));
    const [failed] = casesOf(result({ findings, waived, notRun }));

    expect(failed?.children.map(({ name }) => name)).toEqual(["failure", "system-out"]);
    expect(failed?.children[1]?.text.split("\n")).toEqual([
      "channels/fast/istio.yaml:3:12: note: A note.",
      "    Submit a higher version, or withdraw 1.3.0.",
      "channels/fast/istio.yaml:3:12: error: Waived.",
      "    Submit a higher version, or withdraw 1.3.0.",
      "    waived until 2027-01-31T00:00:00Z: digests come with 1.4, modules/istio/module.yaml:9",
      "not run on istio 1.3.3: this was not asked",
    ]);
  });

  it("shows why a case was skipped, and for which subjects", () => {
    const skipped = casesOf(MIXED).flatMap(({ children }) => children.filter(({ name }) => name === "skipped"));

    expect(skipped.map(({ attributes }) => attributes["message"])).toEqual([
      "not run on istio 1.3.3, keda 1.0.0: the registry was not asked (--offline)",
      "not run: no tags were asked for",
    ]);
  });

  it("writes what XML cannot hold as an escape, and markup as text", () => {
    const message = "a\u0000b\ufffe\ud800 <b> & \"c\" ]]> 'd'\nnext";
    const [failed] = casesOf(result({ findings: [finding({ message, remedy: "r" })] }));

    expect(failed?.children[0]).toMatchObject({
      attributes: { message: "a\\u0000b\\ufffe\\ud800 <b> & \"c\" ]]> 'd' next" },
      text: "channels/fast/istio.yaml:3:12: error: a\\u0000b\\ufffe\\ud800 <b> & \"c\" ]]> 'd'\nnext\n    r",
    });
  });
});
