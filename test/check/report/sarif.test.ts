import { describe, expect, it } from "vitest";
import { sarifReport } from "../../../src/check/report/sarif.ts";
import type { ReportFacts } from "../../../src/check/report/reportFacts.ts";
import type { CheckResult } from "../../../src/check/result.ts";
import { FACTS, finding, MIXED, result, rule, SOURCE, waivedFinding } from "./samples.ts";
import { officialSarif, ourSarif } from "./sarifShape.ts";

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly locations: readonly {
    readonly physicalLocation: { readonly artifactLocation: object; readonly region: object };
  }[];
  readonly suppressions: readonly object[];
}

interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly invocations: readonly { readonly toolExecutionNotifications: readonly object[] }[];
  readonly results: readonly SarifResult[];
}

function write(value: CheckResult, facts: Partial<ReportFacts> = {}): SarifRun {
  const { runs } = JSON.parse(sarifReport(value, { ...FACTS, ...facts })) as { readonly runs: readonly [SarifRun] };
  return runs[0];
}

const fingerprintsOf = (value: CheckResult, source: string): readonly string[] =>
  write(value, { sourceOf: () => source }).results.flatMap(({ partialFingerprints }) =>
    Object.values(partialFingerprints),
  );

describe("the SARIF report", () => {
  it("is SARIF 2.1.0, as far as we write it", () => {
    for (const value of [MIXED, result()]) {
      ourSarif(JSON.parse(sarifReport(value, FACTS)));
      expect(ourSarif.errors ?? []).toEqual([]);
    }
  });

  it("is SARIF 2.1.0, as the schema of OASIS says", (context) => {
    const official = officialSarif();
    if (official === undefined) return context.skip("no copy of that schema lies beside this repository");
    for (const value of [MIXED, result()]) {
      official(JSON.parse(sarifReport(value, FACTS)));
      expect(official.errors ?? []).toEqual([]);
    }
    expect(official({ version: "2.1.0", runs: [{}] })).toBe(false);
  });

  it("describes each rule, and links to its source where that is an address", () => {
    const rules = [rule("a", { severity: "note" }), rule("b", { source: "https://kubernetes.io/docs/#names" })];

    expect(write(result({ rules })).tool.driver.rules).toEqual([
      {
        id: "a",
        shortDescription: { text: "The demand of a." },
        fullDescription: { text: "The rationale of a." },
        help: { text: "The rationale of a.\n\nSource: README.md" },
        defaultConfiguration: { level: "note" },
      },
      expect.objectContaining({ id: "b", helpUri: "https://kubernetes.io/docs/#names" }),
    ]);
  });

  it("refers to the rule of each finding by index, also to a rule without a description", () => {
    const { tool, results } = write(MIXED);

    expect(tool.driver.rules.at(-1)).toEqual({ id: "version-released" });
    expect(results.map(({ ruleId, ruleIndex }) => tool.driver.rules[ruleIndex]?.id === ruleId)).toEqual([
      ...[true, true, true, true],
    ]);
    expect(results.map(({ level }) => level)).toEqual(["error", "note", "warning", "warning"]);
  });

  it("marks waived findings as suppressed, with reason and place, and the others as not suppressed", () => {
    const { results } = write(result({ findings: [finding()], waived: [waivedFinding()] }), {
      pathPrefix: "catalogue",
    });

    expect(results.map(({ suppressions }) => suppressions)).toEqual([
      [],
      [
        {
          kind: "external",
          status: "accepted",
          justification: "digests come with 1.4 (until 2027-01-31T00:00:00Z; modules/istio/module.yaml:9)",
          location: {
            physicalLocation: {
              artifactLocation: { uri: "catalogue/modules/istio/module.yaml", uriBaseId: "%SRCROOT%" },
              region: { startLine: 9 },
            },
          },
        },
      ],
    ]);
  });

  it("lists the rules that did not run", () => {
    expect(write(MIXED).invocations[0]?.toolExecutionNotifications).toEqual([
      expect.objectContaining({
        message: { text: "image-exists was not run on istio 1.3.3: the registry was not asked (--offline)." },
        associatedRule: { id: "image-exists", index: 4 },
      }),
      expect.objectContaining({
        message: { text: "image-exists was not run on keda 1.0.0: the registry was not asked (--offline)." },
      }),
      expect.objectContaining({ message: { text: "version-released was not run: no tags were asked for." } }),
    ]);
  });

  it.each([
    ["channels/fast/istio.yaml", { uri: "channels/fast/istio.yaml", uriBaseId: "%SRCROOT%" }],
    ["modules/a b/100%ü#.yaml", { uri: "modules/a%20b/100%25%C3%BC%23.yaml", uriBaseId: "%SRCROOT%" }],
    ["../loose.yaml", { uri: "../loose.yaml" }],
    ["/tmp/loose.yaml", { uri: "file:///tmp/loose.yaml" }],
    ["half\ud800", { uri: "half%EF%BF%BD", uriBaseId: "%SRCROOT%" }],
  ])("names %s by a URI", (file, location) => {
    const [first] = write(result({ findings: [finding({ file })] })).results;

    expect(first?.locations[0]?.physicalLocation).toEqual({
      artifactLocation: location,
      region: { startLine: 3, startColumn: 12 },
    });
  });

  it("writes no links in messages", () => {
    const [first] = write(
      result({ findings: [finding({ message: "[x](https://example.com)", remedy: "r" })] }),
    ).results;

    expect(first?.message.text).toBe("[x] (https://example.com)\nr");
  });
});

describe("the fingerprint of a finding", () => {
  const at = (line: number, changes: object = {}): CheckResult =>
    result({ findings: [finding({ line, message: `As line ${line - 2} says.`, ...changes })] });

  it("stays the same when lines above are added or removed", () => {
    expect(fingerprintsOf(at(3), SOURCE)).toEqual(fingerprintsOf(at(5), `# a\n# b\n${SOURCE}`));
  });

  it("stays the same when the finding is waived", () => {
    const { finding: same, waiver } = waivedFinding();

    expect(fingerprintsOf(result({ findings: [same] }), SOURCE)).toEqual(
      fingerprintsOf(result({ waived: [{ finding: same, waiver }] }), SOURCE),
    );
  });

  it.each([
    ["rule", at(3, { rule: "other" }), SOURCE],
    ["file", at(3, { file: "other.yaml" }), SOURCE],
    ["message", at(3, { message: "Something else." }), SOURCE],
    ["text", at(3), SOURCE.replace("1.2.0", "1.2.1")],
  ])("is another one for another %s", (_part, value, source) => {
    expect(fingerprintsOf(value, source)).not.toEqual(fingerprintsOf(at(3), SOURCE));
  });

  it("tells equal findings apart by counting", () => {
    const [first, second] = fingerprintsOf(result({ findings: [finding(), finding()] }), SOURCE);

    expect(first).toMatch(/^[0-9a-f]{32}:1$/);
    expect(second).toBe(first?.replace(/1$/, "2"));
  });
});
