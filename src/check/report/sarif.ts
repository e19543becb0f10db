import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { Finding } from "../../document/finding.ts";
import type { CheckResult, NotRun, RuleSummary, WaivedFinding } from "../result.ts";
import { printableJson } from "../../document/printable.ts";
import { findingTexts, textLine, type ReportFacts, repositoryPath } from "./reportFacts.ts";
import { ruleIds } from "./summary.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** The context of all parts of a report: the facts, and the index of each rule. */
interface SarifContext {
  readonly facts: ReportFacts;
  readonly ruleIndex: ReadonlyMap<string, number>;
}

/** A result in the Static Analysis Results Interchange Format, 2.1.0 (OASIS), as code scanners exchange it. */
export function sarifReport(result: CheckResult, facts: ReportFacts): string {
  const ids = ruleIds(result);
  const parts: SarifContext = { facts, ruleIndex: new Map(ids.map((id, index) => [id, index])) };
  const summaries = new Map(result.rules.map((rule) => [rule.id, rule]));
  const rules = ids.map((id) => ruleJson(summaries.get(id) ?? id));
  const run = {
    tool: { driver: { name: "kyma-modules", semanticVersion: facts.version, rules } },
    automationDetails: { id: "kyma-modules/check/" },
    columnKind: "utf16CodeUnits",
    invocations: [invocation(result.notRun, parts)],
    results: results(result, parts),
    properties: { revision: result.revision ?? null, base: result.base ?? null, files: result.files },
  };
  return printableJson(JSON.stringify({ version: "2.1.0", $schema: SCHEMA, runs: [run] }, null, 2));
}

function ruleJson(rule: RuleSummary | string): object {
  // A rule that we do not know is listed too: a result refers to its rule by index.
  if (typeof rule === "string") return { id: rule };
  const { id, severity, demand, rationale, source } = rule;
  const isLink = /^https:\/\/[\w.-]+(\/[\w.~%/#?=&:@+-]*)?$/.test(source);
  return {
    id,
    shortDescription: { text: plain(demand) },
    fullDescription: { text: plain(rationale) },
    help: { text: plain(`${rationale}\n\nSource: ${source}`) },
    ...(isLink && { helpUri: source }),
    defaultConfiguration: { level: severity },
  };
}

function invocation(notRun: readonly NotRun[], { facts, ruleIndex }: SarifContext): object {
  return {
    // A rule that did not run is not a failure of this program, and the findings of other rules are valid.
    executionSuccessful: true,
    endTimeUtc: new Date(facts.decidedAt).toISOString(),
    toolExecutionNotifications: notRun.map(({ rule, subject, why }) => ({
      level: "warning",
      message: { text: plain(`${rule} was not run${subject === undefined ? "" : ` on ${subject}`}: ${why}.`) },
      associatedRule: { id: rule, index: ruleIndex.get(rule) },
    })),
  };
}

function results({ findings, waived }: CheckResult, parts: SarifContext): readonly object[] {
  const all: readonly { readonly finding: Finding; readonly suppressions: readonly object[] }[] = [
    // An empty list means that the finding is not suppressed; a missing list means that this is unknown (3.27.23).
    ...findings.map((finding) => ({ finding, suppressions: [] })),
    ...waived.map((entry) => ({ finding: entry.finding, suppressions: [suppression(entry, parts.facts)] })),
  ];
  const marks = fingerprints(
    all.map(({ finding }) => finding),
    parts.facts.sourceOf,
  );
  return all.map(({ finding, suppressions }, at) => ({
    ruleId: finding.rule,
    ruleIndex: parts.ruleIndex.get(finding.rule),
    level: finding.severity,
    message: { text: plain(findingTexts(finding).join("\n")) },
    locations: [location(finding, finding.column, parts.facts)],
    partialFingerprints: { "kymaModulesFinding/v1": marks[at] },
    suppressions,
  }));
}

function suppression({ waiver: { reason, until, file, line } }: WaivedFinding, facts: ReportFacts): object {
  return {
    kind: "external",
    status: "accepted",
    justification: `${reason} (until ${until}; ${file}:${line})`,
    location: location({ file, line }, undefined, facts),
  };
}

function location(
  { file, line }: Pick<Finding, "file" | "line">,
  startColumn: number | undefined,
  facts: ReportFacts,
): object {
  return {
    physicalLocation: {
      artifactLocation: artifact(repositoryPath(file, facts)),
      region: { startLine: line, startColumn },
    },
  };
}

/** A path as a URI, relative to the repository if the file is in it. */
function artifact(path: string): object {
  const uri = path.toWellFormed().split("/").map(encodeURIComponent).join("/");
  if (posix.isAbsolute(path)) return { uri: `file://${uri}` };
  return { uri, ...(!path.startsWith("../") && { uriBaseId: "%SRCROOT%" }) };
}

/** Text without links: viewers take `[…](…)` for a link even in a plain message (3.11.6). */
function plain(text: string): string {
  return text.replaceAll("](", "] (");
}

/**
 * The fingerprints of `findings`, in order. They identify a finding across revisions, and do not change when lines
 * above it are added or removed: each consists of the rule, the file, the message without line numbers, the text of the
 * line, and a counter for findings that are equal in all of these.
 */
function fingerprints(findings: readonly Finding[], sourceOf: (path: string) => string | undefined): readonly string[] {
  const seen = new Map<string, number>();
  return findings.map(({ rule, file, line, message }) => {
    const text = textLine(sourceOf(file) ?? "", line)?.trim() ?? "";
    const unmoved = message.replace(/\blines? \d+/g, "line");
    const hash = createHash("sha256")
      .update(JSON.stringify([rule, file, unmoved, text]))
      .digest("hex")
      .slice(0, 32);
    const ordinal = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, ordinal);
    return `${hash}:${ordinal}`;
  });
}
