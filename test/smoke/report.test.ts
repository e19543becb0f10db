import { describe, expect, it } from "vitest";
import { SaxesParser } from "saxes";
import { parseVersion } from "../../src/catalogue/version.ts";
import { parseModuleName } from "../../src/catalogue/names.ts";
import type { PathResult, SmokeVersion, StepResult } from "../../src/smoke/path.ts";
import { canonicalHash } from "../../src/document/canonical.ts";
import { readEvidence } from "../../src/catalogue/evidence/file.ts";
import { smokeEvidence } from "../../src/smoke/report/evidence.ts";
import { junitReport } from "../../src/smoke/report/junit.ts";
import { smokeSummary } from "../../src/smoke/report/summary.ts";
import { mentions } from "../support/mentions.ts";

const PASSED: StepResult = { step: "manifests", result: "passed", seconds: 0.5 };
const FAILED: StepResult = {
  step: "install",
  result: "failed",
  seconds: 1,
  object: "Deployment a/b",
  said: "<it> ended | so",
  remedy: "Look.",
};
const UNKNOWN: StepResult = { step: "use", result: "notChecked", seconds: 0, said: "install failed" };

function version(text: string): SmokeVersion {
  return { version: parseVersion(text), specHash: canonicalHash(text), template: {} } as SmokeVersion;
}

function result(more: Partial<PathResult>, from?: string): PathResult {
  const path = {
    module: parseModuleName("sample"),
    from: from === undefined ? undefined : version(from),
    to: version("1.1.0"),
    channels: [],
  };
  return { path, kubernetes: "1.36.3", pods: true, steps: [PASSED], ...more } as PathResult;
}

const OBSERVED = { observedAt: "2026-01-01T00:00:00.000Z", source: "a run" };

describe("evidence.json", () => {
  it("has one entry for each version, with every path that was run", () => {
    const results = [result({}), result({ steps: [PASSED, FAILED, UNKNOWN], pods: false }, "1.0.0")];

    const written = smokeEvidence(results, OBSERVED);
    expect(readEvidence("evidence.json", { kind: "bytes", bytes: Buffer.from(JSON.stringify(written)) })).toEqual({
      evidence: written.evidence,
      findings: [],
    });
    expect(written).toEqual({
      format: 1,
      evidence: [
        {
          ...{
            kind: "smoke",
            module: "sample",
            version: "1.1.0",
            specHash: canonicalHash("1.1.0"),
            kubernetes: "1.36.3",
          },
          ...OBSERVED,
          paths: [
            { pods: true, passed: ["manifests"], failed: [], notChecked: [] },
            {
              from: "1.0.0",
              fromSpecHash: canonicalHash("1.0.0"),
              pods: false,
              passed: ["manifests"],
              failed: ["install"],
              notChecked: ["use"],
            },
          ],
        },
      ],
    });
  });

  it("omits paths that could not be judged or were not run", () => {
    expect(smokeEvidence([result({ world: "it is gone" }), result({ isRemembered: true })], OBSERVED)).toEqual({
      format: 1,
      evidence: [],
    });
  });
});

describe("junit.xml", () => {
  it("has a suite for each path, and a case for each step", () => {
    const xml = junitReport([result({ steps: [PASSED, FAILED, UNKNOWN] }), result({ steps: [], world: "it is gone" })]);
    const seen: string[] = [];
    const counts: unknown[] = [];
    const parser = new SaxesParser();
    parser.on("opentag", ({ name, attributes: { tests, failures, errors } }) => {
      seen.push(name);
      if (tests !== undefined) counts.push([tests, failures, errors]);
    });
    parser.write(xml).close();

    expect(seen).toEqual([
      ...["testsuites", "testsuite", "testcase", "testcase", "failure", "testcase", "skipped"],
      ...["testsuite", "testcase", "error"],
    ]);
    // Those of the document are the sums of the paths'.
    expect(counts).toEqual([
      ["4", "1", "1"],
      ["3", "1", "0"],
      ["1", "0", "1"],
    ]);
    expect(xml).toContain("Deployment a/b: &lt;it&gt; ended");
  });
});

describe("summary.md", () => {
  it("has a line for each path, then the failures", () => {
    const footprint = { to: { version: "1.1.0", images: ["a"], requests: { cpuMillicores: 1, memoryBytes: 0 } } };
    const text = smokeSummary(
      [result({ steps: [PASSED, FAILED, UNKNOWN], footprint }), result({ world: "gone | away" })],
      "kind",
    );

    expect(text).toContain(
      "| sample 1.1.0 | 1.36.3 | ✅ manifests ❌ install ➖ use ❔ again ❔ dependencies ❔ uninstall ❔ footprint |",
    );
    expect(text).toContain("gone \\| away");
    expect(text).toContain("Deployment a/b: <it> ended | so");
    expect(text).toContain("| sample 1.1.0 |  | 1 images, 1m, 0 MiB |");
  });

  it("tells where a step passed only in part, and that no pods ran", () => {
    const install: StepResult = { step: "install", result: "passed", seconds: 1, unchecked: ["the roll-out of a"] };
    const [whole, partly, bare] = [
      smokeSummary([result({})], "kind"),
      smokeSummary([result({ steps: [PASSED, install] })], "kind"),
      smokeSummary([result({ steps: [PASSED, install], pods: false })], "embedded"),
    ];

    expect(whole).not.toContain("report.json");
    expect(partly).toEqual(mentions("✅ manifests ☑️ install", "☑️", "report.json"));
    expect(partly).not.toEqual(mentions("pods"));
    expect(bare).toEqual(mentions("✅ manifests ☑️ install", "☑️", "pods", "report.json"));
  });
});
