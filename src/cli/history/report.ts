import { counted } from "../../document/counted.ts";
import { printable, printableJson, type Style } from "../../document/printable.ts";
import type { TimelineEvent, ServedStep } from "../../promote/timeline/timeline.ts";
import type { Recomputable, VerdictBlocker } from "../../promote/verdict/obstacle.ts";
import { durationText, instantText } from "../../document/times.ts";
import type { Verification } from "../../promote/verify.ts";
import { jsonDocument, type Output, table } from "../terminal/output.ts";

/** The examination of a claim that was not decided again. */
export type Claimed = Recomputable | VerdictBlocker;

/** The timeline of a module, and its source. */
export interface HistoryReport {
  readonly module: string;
  /** Newest first. */
  readonly timeline: readonly TimelineEvent[];
  /** By step that claims a verdict. */
  readonly claims: ReadonlyMap<TimelineEvent, Claimed | Verification>;
  readonly revision: string;
  /** Unix milliseconds. */
  readonly decidedAt: number;
  /** The repository of the pull requests; `undefined` without a forge. */
  readonly repositoryUrl: string | undefined;
  readonly isForgeAsked: boolean;
  /** Whether the claims were decided again. */
  readonly isVerified: boolean;
}

/** A row for each event, with its details below. */
export function historyText(report: HistoryReport, output: Output): string {
  const { timeline, revision, decidedAt, module, repositoryUrl } = report;
  const header = ["TIME", "CHANNEL", "STEP", "LEVEL", "HOW", "SOAK", "CHANGE", "WHO"];
  const lines = table(
    header,
    timeline.map((event) => rowOf(event).map(printable)),
    output,
  ).split("\n");
  return [
    ...lines.slice(0, 1),
    ...timeline.flatMap((event, index) => [
      String(lines[index + 1]),
      ...detailsOf(event, report, output).map((line) => `    ${line}`),
    ]),
    `${module}: ${counted(timeline.length, "event")} up to ${revision.slice(0, 10)}, read at ${instantText(decidedAt)}`,
    ...(repositoryUrl !== undefined && timeline.some(({ pull }) => pull !== undefined)
      ? [`pull requests: ${repositoryUrl}/pull/NUMBER`]
      : []),
    ...summaryOf(report),
  ].join("\n");
}

function rowOf(event: TimelineEvent): readonly string[] {
  const { revision, pull, by, author } = event;
  const change = pull === undefined ? revision.commit.slice(0, 10) : `#${String(pull)}`;
  const [step, level, how, soak] = event.kind === "step" ? stepCells(event) : [event.version, "–", event.kind, "–"];
  return [instantText(revision.atMs), event.channel ?? "all", step, level, how, soak, change, by ?? author];
}

type Cells = readonly [step: string, level: string, how: string, soak: string];

function stepCells({ from, to, level, how, soak }: ServedStep): Cells {
  const last = soak.at(-1);
  const step = from === to ? (to ?? "–") : `${from ?? "–"} → ${to ?? "–"}`;
  return [step, level ?? "–", how, last === undefined ? "–" : durationText(last.ms)];
}

function detailsOf(event: TimelineEvent, { claims }: HistoryReport, output: Output): readonly string[] {
  const { reason } = event;
  const until = event.kind === "hold" && event.until !== undefined ? ` (until ${event.until})` : "";
  const claim = claims.get(event);
  return [
    ...(reason === undefined ? [] : [`${printable(reason)}${until}`]),
    ...(event.kind === "step" && claim !== undefined ? claimLines(event, claim, output) : []),
  ];
}

const WORDS: Readonly<Record<(Claimed | Verification)["kind"], readonly [style: Style, word: string]>> = {
  recomputable: ["quiet", "recomputable"],
  verified: ["good", "verified"],
  differs: ["bad", "differs"],
  "not-recomputable": ["change", "not recomputable"],
};

function claimLines({ claim }: ServedStep, known: Claimed | Verification, output: Output): readonly string[] {
  const [style, word] = WORDS[known.kind];
  const digest = claim?.verdict?.replace(/^sha256:/, "").slice(0, 10) ?? "without a digest";
  const on = claim?.decidedOn === undefined ? "" : ` on ${claim.decidedOn.slice(0, 10)}`;
  const at = claim?.decidedAtMs === undefined ? "" : ` at ${instantText(claim.decidedAtMs)}`;
  const why = "why" in known ? [known.why].flat() : [];
  return [
    `verdict ${printable(digest + on + at)}: ${output.paint(style, word)}`,
    ...why.map((sentence) => `  ${printable(sentence)}`),
  ];
}

/** The counts of verified claims, and a hint that a difference may come from missing merge times. */
function summaryOf({ claims, isVerified, isForgeAsked }: HistoryReport): readonly string[] {
  if (!isVerified) return [];
  const count = (kind: Verification["kind"]): number =>
    [...claims.values()].filter((claim) => claim.kind === kind).length;
  const differs = count("differs");
  const unsure = "The forge was not contacted: with its merge times, a differing verdict may prove to be right.";
  return [
    `${String(count("verified"))} verified, ${String(differs)} differ, ${String(count("not-recomputable"))} not recomputable`,
    ...(differs > 0 && !isForgeAsked ? [unsure] : []),
  ];
}

/** schemas/output/history.schema.json. */
export function historyJson(report: HistoryReport): string {
  const { revision, decidedAt, timeline, module, repositoryUrl } = report;
  const items = timeline.map((event) => ({
    kind: event.kind,
    module,
    channel: event.channel ?? null,
    at: new Date(event.revision.atMs).toISOString(),
    commit: event.revision.commit,
    subject: event.subject,
    author: event.author,
    by: event.by ?? null,
    reason: event.reason ?? null,
    pullRequest: pullItem(event, repositoryUrl),
    ...(event.kind === "step"
      ? { ...stepItem(event), verdict: verdictItem(event, report) }
      : { version: event.version, until: event.until ?? null }),
  }));
  return printableJson(jsonDocument("History", { revision, decidedAt }, items));
}

function pullItem({ pull }: TimelineEvent, repositoryUrl: string | undefined): object | null {
  if (pull === undefined) return null;
  return { number: pull, url: repositoryUrl === undefined ? null : `${repositoryUrl}/pull/${String(pull)}` };
}

function stepItem({ from, to, level, how, hotfix, soak }: ServedStep): object {
  return {
    from: from ?? null,
    to: to ?? null,
    level: level ?? null,
    how,
    incident: hotfix?.incident ?? null,
    soak: soak.map(({ level: each, what, ms }) => ({ level: each, what, servedMs: ms })),
  };
}

function verdictItem(step: ServedStep, { claims }: HistoryReport): object | null {
  const { claim } = step;
  const known = claims.get(step);
  if (claim === undefined || known === undefined) return null;
  const { verdict, decidedOn, decidedAtMs, follows, evidence } = claim;
  return {
    result: known.kind,
    why: "why" in known ? [known.why].flat() : [],
    digest: verdict ?? null,
    follows: follows ?? null,
    decidedOn: decidedOn ?? null,
    decidedAt: decidedAtMs === undefined ? null : new Date(decidedAtMs).toISOString(),
    evidence,
  };
}
