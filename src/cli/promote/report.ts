import { mergeAdvice } from "../../catalogue/commands.ts";
import { hotfixesPath } from "../../catalogue/paths.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { counted } from "../../document/counted.ts";
import { printable, shortCommit, type Style } from "../../document/printable.ts";
import { sourceText } from "../../promote/body.ts";
import type { Decision } from "../../promote/decisions.ts";
import type { Carried } from "../../promote/promote.ts";
import { durationText, instantText } from "../../document/times.ts";
import {
  type Assessment,
  type Earliest,
  firstUnmet,
  type Reason,
  type Verdict,
  waitingTopics,
} from "../../promote/verdict/verdict.ts";
import { findingText } from "../../document/finding.ts";
import { type Output, table } from "../terminal/output.ts";

/** The decisions, their basis, and their outcomes. */
export interface PromotionReport {
  readonly revision: string;
  /** Unix milliseconds. */
  readonly decidedAt: number;
  /** Whether it was decided as of another instant than now. */
  readonly isAsOf: boolean;
  readonly decisions: readonly Decision[];
  /**
   * The `specHash` of a version's content, to which evidence is bound; `undefined` if the followed channel never served
   * it.
   */
  readonly hashOf: (decision: Decision, version: ModuleVersion) => string | undefined;
  /** The outcomes, in the order of the decisions; `undefined` without --apply. */
  readonly carried: readonly Carried[] | undefined;
}

/** The table of all verdicts, and their outcomes. */
export function promotionText(report: PromotionReport, output: Output): string {
  const { decisions, carried, decidedAt, revision, isAsOf } = report;
  const verdicts = decisions.map(({ verdict }) => verdict);
  const rows = verdicts.map((verdict) => verdictRow(verdict, decidedAt));
  const counts = (["promote", "wait", "blocked", "nothing"] as const).map(
    (kind) => `${String(verdicts.filter((verdict) => verdict.kind === kind).length)} ${SUMMARY[kind]}`,
  );
  return [
    rows.length === 0 ? NO_SUBJECT : table(["CHANNEL", "MODULE", "SERVES", "NEXT", "LEVEL", "VERDICT"], rows, output),
    `${counts.join(", ")}; decided on ${shortCommit(revision)} at ${instantText(decidedAt)}`,
    ...verdicts.flatMap(unblocking),
    ...decisions.flatMap(hotfixLines).map(printable),
    ...(carried === undefined ? nextSteps(verdicts, isAsOf) : carried.flatMap((one) => outcomeLines(one, output))),
    ...(carried?.some(({ outcome }) => outcome.kind === "merged") === true ? ["next: git pull --rebase"] : []),
  ].join("\n");
}

const NO_SUBJECT =
  "There is nothing to promote: no channel that follows another has a module, or could get one. " +
  "A channel follows another with `follows: CHANNEL` in its channels/<channel>.yaml.";

const SUMMARY = { promote: "to promote", wait: "waiting", blocked: "blocked", nothing: "with nothing to do" } as const;

function verdictRow(verdict: Verdict, nowMs: number): readonly string[] {
  const { channel, module, current = "–", chosen } = verdict;
  const level = chosen === undefined ? "–" : chosen.isHotfix ? "hot-fix" : chosen.level;
  return [channel, module, current, chosen?.version ?? "–", level, printable(verdictText(verdict, nowMs))];
}

/** The verdict in one line: the result, the time, and the first reason. */
function verdictText({ kind, chosen, candidates, current, follows }: Verdict, nowMs: number): string {
  if (chosen === undefined)
    return current === undefined ? `nothing: ${follows} has no version for it` : "nothing to do";
  switch (kind) {
    case "promote":
      return `promote now${passedOver(chosen, candidates)}`;
    case "wait":
      return `wait${earliestText(chosen, nowMs)}`;
    case "blocked":
      return `blocked: ${firstUnmet(chosen)?.message ?? ""}`;
    case "nothing":
      return "nothing to do";
  }
}

function passedOver({ version }: Assessment, candidates: readonly Assessment[]): string {
  const [highest] = candidates;
  if (highest === undefined || highest.version === version) return "";
  return ` (${highest.version} ${highest.kind === "wait" ? "waits" : "is blocked"})`;
}

function earliestText(chosen: Assessment, nowMs: number): string {
  const { earliest } = chosen;
  switch (earliest?.kind) {
    case "at":
      return ` until ${earliestInstant(earliest, nowMs)} because of ${waitingTopics(chosen)}`;
    case "not-before": {
      const when = earliest.notBeforeMs > nowMs ? ` Not before ${instantText(earliest.notBeforeMs)}.` : "";
      return `: ${earliest.awaiting.join(" ")}${when}`;
    }
    case undefined:
      return " until something changes";
  }
}

/** The remedies for a blocked verdict, which only a person can change. */
function unblocking({ kind, channel, module, chosen }: Verdict): readonly string[] {
  if (kind !== "blocked") return [];
  const remedies =
    chosen?.reasons.flatMap(({ outcome, remedy }) => (outcome === "blocking" ? (remedy ?? []) : [])) ?? [];
  return [...new Set(remedies)].map((remedy) => `to unblock ${channel}/${module}: ${printable(remedy)}`);
}

function nextSteps(verdicts: readonly Verdict[], isAsOf: boolean): readonly string[] {
  if (isAsOf || !verdicts.some(({ kind }) => kind === "promote")) return [];
  return ["next: the same command with --apply"];
}

/** The explanation of a verdict: every candidate with its reasons, sources and remedies. */
export function explanationText(decision: Decision, { decidedAt, hashOf }: PromotionReport, output: Output): string {
  const { verdict } = decision;
  const { channel, module, current, follows, candidates } = verdict;
  const head = `${output.paint("strong", `${channel}/${module}`)} serves ${current ?? "nothing"} and follows ${follows}: ${printable(verdictText(verdict, decidedAt))}`;
  const none = [`  ${follows} has no candidate: no version is higher, within the policy, and not held.`];
  return [
    head,
    ...(candidates.length === 0 ? none : []),
    ...candidates.slice(0, MOST_CANDIDATES).flatMap((one) => {
      const [first = "", ...rest] = assessmentLines(one, decidedAt, output);
      const hash = hashOf(decision, one.version);
      return [first, ...(hash === undefined ? [] : [output.paint("quiet", `    = ${hash}`)]), ...rest];
    }),
    ...(candidates.length > MOST_CANDIDATES ? [`  and ${String(candidates.length - MOST_CANDIDATES)} lower ones`] : []),
  ].join("\n");
}

/** The JSON has all candidates. */
const MOST_CANDIDATES = 20;

const STYLES: Readonly<Record<Assessment["kind"], Style>> = { promote: "good", wait: "change", blocked: "bad" };
const MARKS: Readonly<Record<Reason["outcome"], string>> = { met: "+", waiting: "…", blocking: "x", note: "·" };

function assessmentLines(assessment: Assessment, nowMs: number, output: Output): readonly string[] {
  const { version, level, kind, reasons, earliest, isHotfix } = assessment;
  // A candidate that waits for a person has no instant, unless the wait also ends by itself.
  const isOpen = kind === "blocked" && earliest?.kind === "not-before";
  const when =
    kind === "promote" || earliest === undefined || isOpen ? "" : `, earliest ${earliestInstant(earliest, nowMs)}`;
  return [
    `  ${version} (${isHotfix ? "hot-fix" : level}): ${output.paint(STYLES[kind], kind)}${when}`,
    ...reasons.flatMap(({ outcome, message, source, remedy }) => [
      `    ${MARKS[outcome]} ${printable(message)}${source === undefined ? "" : output.paint("quiet", ` [${printable(sourceText(source))}]`)}`,
      ...(remedy === undefined ? [] : [`        ${printable(remedy)}`]),
    ]),
  ];
}

function earliestInstant(earliest: Earliest, nowMs: number): string {
  if (earliest.kind === "at") return `${instantText(earliest.atMs)} (in ${durationText(earliest.atMs - nowMs)})`;
  return `not before ${instantText(earliest.notBeforeMs)}`;
}

function outcomeLines({ decision: { verdict }, outcome }: Carried, output: Output): readonly string[] {
  if (outcome.kind === "left" && outcome.why === undefined) return [];
  const about = [`${verdict.channel}/${verdict.module}`, verdict.chosen?.version ?? ""].join(" ").trim();
  const head = `${output.paint(OUTCOME_STYLES[outcome.kind], outcome.kind.padEnd(9))} ${about}`;
  const parts = [outcomePlace(outcome), outcomeNext(outcome) ?? outcomeReason(outcome)].filter(
    (part) => part !== undefined,
  );
  const rest = parts.join("waitsFor" in outcome ? ", " : ": ");
  const findings = outcome.kind === "refused" ? outcome.findings : [];
  return [
    `${head}  ${printable(rest)}`.trimEnd(),
    ...findings.map((finding) => `    ${findingText(finding, output).replaceAll("\n", "\n    ")}`),
  ];
}

function outcomePlace(outcome: Carried["outcome"]): string | undefined {
  const proposal = "proposal" in outcome ? outcome.proposal : undefined;
  return proposal?.pull?.url ?? proposal?.branch;
}

/** Without a forge, a person merges and pushes. */
function outcomeNext(outcome: Carried["outcome"]): string | undefined {
  if (!("waitsFor" in outcome) || outcome.waitsFor === undefined || outcome.proposal.pull !== undefined)
    return undefined;
  const when = outcome.waitsFor === "a review" ? "after a review" : "next";
  return `${when}: ${mergeAdvice(outcome.proposal.branch)}`;
}

const OUTCOME_STYLES: Readonly<Record<Carried["outcome"]["kind"], Style>> = {
  opened: "good",
  updated: "good",
  unchanged: "quiet",
  merged: "good",
  closed: "change",
  left: "quiet",
  refused: "bad",
  failed: "bad",
};

/** What an outcome waits for, or its cause; a phrase. */
export function outcomeReason(outcome: Carried["outcome"]): string | undefined {
  switch (outcome.kind) {
    case "opened":
    case "updated":
    case "unchanged":
      return outcome.waitsFor && `waits: ${outcome.waitsFor}`;
    case "closed":
    case "left":
      return outcome.why;
    case "failed":
      return outcome.fault.message;
    case "refused":
      return refusalText(outcome);
    case "merged":
      return `as ${shortCommit(outcome.commit)}`;
  }
}

function refusalText({ proposal, findings }: Extract<Carried["outcome"], { kind: "refused" }>): string {
  const rest = proposal === undefined ? "nothing was proposed" : "do not merge it";
  return `the gate finds ${counted(findings.length, "error")}; ${rest}`;
}

/** The consequences of a hot-fix: its debt, and the versions that it passes over. Full sentences. */
function hotfixLines({ subject: { module, channel }, verdict, hotfix }: Decision): readonly string[] {
  if (verdict.kind !== "promote" || hotfix === undefined) return [];
  const { declaration, passedOver } = hotfix;
  const owed = (declaration.debt ?? []).map(({ kind }) => kind).join(", ");
  const [highest] = passedOver;
  return [
    `This hot-fix owes: ${owed}. status shows the debt until paidBy is set in ${hotfixesPath(module)}.`,
    ...(highest === undefined
      ? []
      : [
          `These versions will not be promoted to ${channel.name}, because they lack the fix: ${passedOver.join(", ")}. If one has the fix, declare it: --also-fixed-in ${highest}.`,
        ]),
  ];
}
