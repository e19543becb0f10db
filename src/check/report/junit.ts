import { counted } from "../../document/counted.ts";
import type { Finding } from "../../document/finding.ts";
import type { CheckResult, NotRun, WaivedFinding } from "../result.ts";
import { printableLines } from "../../document/printable.ts";
import { type XmlElement, xmlDocument } from "../../document/xml.ts";
import { findingTexts, type ReportFacts, repositoryPath } from "./reportFacts.ts";
import { groupNotRun, ruleIds, subjectsText, summaryText } from "./summary.ts";

type JUnitFacts = Pick<ReportFacts, "decidedAt" | "tookMs" | "pathPrefix">;

/** The outcomes of one rule. */
interface JunitCase {
  readonly rule: string;
  /** The demand of the rule; its id if the rule is not described. */
  readonly demand: string;
  readonly errors: readonly Finding[];
  /** Warnings and notes. */
  readonly others: readonly Finding[];
  readonly waived: readonly WaivedFinding[];
  readonly notRun: readonly NotRun[];
}

/**
 * A result as JUnit XML: one suite with one test case for each rule. A case fails on errors, and is skipped if the rule
 * did not run on everything.
 *
 * Not one case for each finding: GitLab and Jenkins recognise new and fixed cases by name, and the name of a fixed
 * finding would disappear. Not several failures in a case: Jenkins reads only the first.
 */
export function junitReport(result: CheckResult, facts: JUnitFacts): string {
  const cases = checkResultCases(result);
  const attributes = {
    name: "kyma-modules check",
    tests: cases.length,
    failures: cases.filter(isFailed).length,
    errors: 0,
    skipped: cases.filter(isSkipped).length,
    time: (facts.tookMs / 1000).toFixed(3),
  };
  // JUnit's time stamps have no zone.
  const timestamp = new Date(facts.decidedAt).toISOString().slice(0, "2026-11-21T02:30:00".length);
  const suite: XmlElement = {
    name: "testsuite",
    attributes: { ...attributes, timestamp },
    children: [
      ...cases.map((one) => caseElement(one, facts)),
      { name: "system-out", children: summaryText(result, facts.tookMs) },
    ],
  };
  return xmlDocument({ name: "testsuites", attributes, children: [suite] });
}

function checkResultCases(result: CheckResult): readonly JunitCase[] {
  const demands = new Map(result.rules.map(({ id, demand }) => [id, demand]));
  const findings = Map.groupBy(result.findings, ({ rule }) => rule);
  const waived = Map.groupBy(result.waived, ({ finding }) => finding.rule);
  const notRun = Map.groupBy(result.notRun, ({ rule }) => rule);
  return ruleIds(result).map((rule) => ({
    rule,
    demand: demands.get(rule) ?? rule,
    errors: (findings.get(rule) ?? []).filter(({ severity }) => severity === "error"),
    others: (findings.get(rule) ?? []).filter(({ severity }) => severity !== "error"),
    waived: waived.get(rule) ?? [],
    notRun: notRun.get(rule) ?? [],
  }));
}

function isFailed({ errors }: JunitCase): boolean {
  return errors.length > 0;
}

function isSkipped(one: JunitCase): boolean {
  return !isFailed(one) && one.notRun.length > 0;
}

function caseElement(one: JunitCase, facts: JUnitFacts): XmlElement {
  const [first] = one.errors;
  const notes = [
    ...one.others.map((finding) => findingText(finding, facts)),
    ...one.waived.map(({ finding, waiver: { until, reason, file, line } }) => {
      const why = `waived until ${until}: ${reason}, ${repositoryPath(file, facts)}:${line}`;
      return `${findingText(finding, facts)}\n    ${why}`;
    }),
    // A case cannot be both failed and skipped, so a failed one lists here what was not judged.
    ...(isFailed(one) ? [notRunLines(one.notRun)] : []),
  ].filter((text) => text !== "");
  return {
    name: "testcase",
    attributes: {
      classname: "kyma-modules check",
      name: one.rule,
      time: 0,
      ...(first !== undefined && { file: repositoryPath(first.file, facts), line: first.line }),
    },
    children: [
      ...failure(one, facts),
      ...(isSkipped(one) ? [{ name: "skipped", attributes: { message: notRunLines(one.notRun) } }] : []),
      ...(notes.length > 0 ? [{ name: "system-out", children: notes.join("\n") }] : []),
    ],
  };
}

function failure({ rule, demand, errors }: JunitCase, facts: JUnitFacts): readonly XmlElement[] {
  const [first] = errors;
  if (first === undefined) return [];
  const message = errors.length === 1 ? first.message : `${counted(errors.length, "error")}: ${demand}`;
  const children = errors.map((finding) => findingText(finding, facts)).join("\n");
  return [{ name: "failure", attributes: { message, type: rule }, children }];
}

function findingText(finding: Finding, facts: JUnitFacts): string {
  const { severity, file, line, column } = finding;
  const [message = "", ...more] = findingTexts(finding);
  const head = `${repositoryPath(file, facts)}:${line}:${column}: ${severity}: ${message}`;
  return [head, ...more.flatMap(printableLines).map((text) => `    ${text}`)].join("\n");
}

/** The reasons, each with the subjects that it concerns: `not run on istio 1.3.3: the registry was not asked`. */
function notRunLines(notRun: readonly NotRun[]): string {
  return [...groupNotRun(notRun)]
    .flatMap(([why, rules]) =>
      rules.map(({ subjects }) => `not run${subjects.length > 0 ? ` on ${subjectsText(subjects)}` : ""}: ${why}`),
    )
    .join("\n");
}
