import type { Finding } from "../../../src/document/finding.ts";
import type { ReportFacts } from "../../../src/check/report/reportFacts.ts";
import type { CheckResult, RuleSummary, WaivedFinding } from "../../../src/check/result.ts";

/** A file with a finding on its third line. */
export const SOURCE = "apiVersion: operator.kyma-project.io/v1beta2\nspec:\n  version: 1.2.0\n  channel: fast\n";

/** A finding on `version: 1.2.0` of `SOURCE`. */
export function finding(changes: Partial<Finding> = {}): Finding {
  return {
    rule: "version-downgrade",
    severity: "error",
    file: "channels/fast/istio.yaml",
    line: 3,
    column: 12,
    message: "Version 1.2.0 is below 1.3.0, which this channel served.",
    remedy: "Submit a higher version, or withdraw 1.3.0.",
    ...changes,
  };
}

/** A finding that the owners of istio waived. */
export function waivedFinding(changes: Partial<Finding> = {}): WaivedFinding {
  return {
    finding: finding({ rule: "image-digest", severity: "warning", ...changes }),
    waiver: {
      reason: "digests come with 1.4",
      until: "2027-01-31T00:00:00Z",
      file: "modules/istio/module.yaml",
      line: 9,
    },
  };
}

/** A rule as reports know it. */
export function rule(id: string, changes: Partial<RuleSummary> = {}): RuleSummary {
  return {
    id,
    severity: "error",
    demand: `The demand of ${id}.`,
    rationale: `The rationale of ${id}.`,
    source: "README.md",
    ...changes,
  };
}

/** A result with nothing in it. */
export function result(changes: Partial<CheckResult> = {}): CheckResult {
  return {
    revision: undefined,
    base: undefined,
    findings: [],
    waived: [],
    notRun: [],
    files: 812,
    rules: [],
    ...changes,
  };
}

/** A bit of everything, in 812 files. */
export const MIXED: CheckResult = result({
  findings: [
    finding(),
    finding({ line: 4, column: 3, severity: "note", rule: "version-minor-jump", message: "A jump.", remedy: "None." }),
    finding({ file: "modules/keda/module.yaml", severity: "warning", line: 120, column: 1, rule: "file-stray" }),
  ],
  waived: [waivedFinding()],
  notRun: [
    { rule: "image-exists", subject: "istio 1.3.3", why: "the registry was not asked (--offline)" },
    { rule: "image-exists", subject: "keda 1.0.0", why: "the registry was not asked (--offline)" },
    { rule: "version-released", subject: undefined, why: "no tags were asked for" },
  ],
  rules: ["version-downgrade", "version-minor-jump", "file-stray", "image-digest", "image-exists", "file-size"].map(
    (id) => rule(id),
  ),
});

/** What a report says beside the result. */
export const FACTS: ReportFacts = {
  version: "0.1.0",
  decidedAt: Date.UTC(2026, 10, 21, 2, 30),
  tookMs: 840,
  pathPrefix: "",
  sourceOf: (path) => (path === "channels/fast/istio.yaml" ? SOURCE : undefined),
};
