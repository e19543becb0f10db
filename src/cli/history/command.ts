import { unknownChannelText } from "../../catalogue/lookup.ts";
import { parseModuleName, type ModuleName } from "../../catalogue/names.ts";
import type { Gathered } from "../../promote/gather.ts";
import { readBranches, tellTimeline } from "../../promote/readTimeline.ts";
import type { ServedStep, TimelineEvent } from "../../promote/timeline/timeline.ts";
import { examineClaim, type Recomputable, type VerdictBlocker } from "../../promote/verdict/blocker.ts";
import { unrecorded } from "../../promote/verdict/contradiction.ts";
import { evidenceAtHand, verifyTimeline, type Verification, type VerifyContext } from "../../promote/verify.ts";
import { Fault, type Run } from "../../ports.ts";
import type { HistoryPorts } from "../compose/promotion.ts";
import { counted } from "../../document/counted.ts";
import { printable, printableJson, shortCommit, type Style } from "../../document/printable.ts";
import { durationText, instantText } from "../../document/times.ts";
import { EXIT, jsonDocument, type Output, table } from "../terminal/output.ts";
import type { ReadEvidence } from "../../promote/keptEvidence.ts";
import { codeOfCatalogue } from "../loadCatalogue.ts";
import { gatherDecision } from "../promote/context.ts";

interface HistoryArguments {
  readonly module: string;
  readonly channel?: string | undefined;
  /** Whether to decide each promotion again. */
  readonly verify: boolean;
  /** Paths of files. */
  readonly evidence: readonly string[];
  readonly revision: string;
}

/** `kyma-modules history`: prints the timeline of a module. Returns the exit code. */
export async function historyCommand(
  arguments_: HistoryArguments,
  ports: HistoryPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const context = await gatherDecision({ ...arguments_, isAboutPast: true }, ports.world, output, run);
  if (context === undefined) return EXIT.findings;
  const { gathered, observed } = context;
  const module = parseModuleName(arguments_.module);
  if (module === undefined || !gathered.histories.modules.includes(module)) {
    const known = gathered.histories.modules.join(", ") || "none";
    throw new Fault("CONFIGURATION", `The history has no module ${arguments_.module}. Modules: ${known}.`);
  }
  const timeline = await tell(module, arguments_.channel, gathered, { observed, ports }, run);
  const told = { module, gathered, evidence: observed.byDigest, published: observed.published, world: ports.world };
  const claims = arguments_.verify ? await verifyTimeline(timeline, told, run) : examineTimeline(timeline, told);
  const report = historyReport(timeline, claims, told, { ...ports, verify: arguments_.verify });
  output.report({ text: (paper) => historyText(report, paper), json: () => historyJson(report) });
  const lacking = unrecorded(gathered.catalogue, module, gathered.histories.of(module));
  if (lacking !== undefined) output.say(`${output.paint("bad", "incomplete")}: ${lacking.message} ${lacking.remedy}`);
  const isUnverified = arguments_.verify && [...claims.values()].some(({ kind }) => kind !== "verified");
  return isUnverified || lacking !== undefined ? EXIT.findings : codeOfCatalogue(gathered.catalogue);
}

async function tell(
  module: ModuleName,
  channel: string | undefined,
  gathered: Gathered,
  { observed, ports }: { readonly observed: ReadEvidence; readonly ports: HistoryPorts },
  run: Run,
): Promise<readonly TimelineEvent[]> {
  const { histories, catalogue } = gathered;
  const branches = await readBranches(gathered, [module], ports.world.history, run);
  const timeline = tellTimeline(module, gathered, branches, observed.evidence);
  const channels = [...new Set([...catalogue.channels.keys(), ...histories.of(module).served.keys()])];
  if (channel !== undefined && !channels.some((name) => name === channel))
    throw new Fault("CONFIGURATION", unknownChannelText(channel, channels));
  // An event without a channel, such as a hold everywhere, concerns this channel, too.
  return timeline.filter((event) => channel === undefined || (event.channel ?? channel) === channel);
}

/** Examines claims without deciding again. */
function examineTimeline(
  timeline: readonly TimelineEvent[],
  context: VerifyContext,
): ReadonlyMap<TimelineEvent, Claimed> {
  const atHand = evidenceAtHand(context);
  return new Map(
    timeline.flatMap((step): [TimelineEvent, Claimed][] =>
      step.kind === "step" && step.claim !== undefined ? [[step, examineClaim(step, step.claim, atHand)]] : [],
    ),
  );
}

function historyReport(
  timeline: readonly TimelineEvent[],
  claims: ReadonlyMap<TimelineEvent, Claimed | Verification>,
  { module, gathered }: VerifyContext,
  { verify, forgeUrl }: { readonly verify: boolean } & Pick<HistoryPorts, "forgeUrl">,
): HistoryReport {
  const { revision, nowMs, catalogue } = gathered;
  const { forge } = catalogue.settings;
  const repositoryUrl = forge.kind === "github" ? `${forgeUrl}/${forge.repository}` : undefined;
  return {
    ...{ module, timeline, claims, revision, repositoryUrl },
    decidedAt: nowMs,
    isForgeAsked: gathered.forge !== undefined,
    isVerified: verify,
  };
}

/** The examination of a claim that was not decided again. */
type Claimed = Recomputable | VerdictBlocker;

/** The timeline of a module, and its source. */
interface HistoryReport {
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
function historyText(report: HistoryReport, output: Output): string {
  const { timeline, revision, decidedAt, module, repositoryUrl } = report;
  const header = ["TIME", "CHANNEL", "STEP", "LEVEL", "HOW", "SOAK", "CHANGE", "WHO"];
  const lines = table(
    header,
    timeline.map((event) => timelineRow(event).map(printable)),
    output,
  ).split("\n");
  return [
    ...lines.slice(0, 1),
    ...timeline.flatMap((event, index) => [
      String(lines[index + 1]),
      ...timelineDetails(event, report, output).map((line) => `    ${line}`),
    ]),
    `${module}: ${counted(timeline.length, "event")} up to ${shortCommit(revision)}, read at ${instantText(decidedAt)}`,
    ...(repositoryUrl !== undefined && timeline.some(({ pull }) => pull !== undefined)
      ? [`pull requests: ${repositoryUrl}/pull/NUMBER`]
      : []),
    ...historySummary(report),
  ].join("\n");
}

function timelineRow(event: TimelineEvent): readonly string[] {
  const { revision, pull, by, author } = event;
  const change = pull === undefined ? shortCommit(revision.commit) : `#${String(pull)}`;
  const [where, who] = [event.channel ?? "all", by ?? author];
  const time = instantText(revision.atMs);
  if (event.kind !== "step") return [time, where, event.version, "–", event.kind, "–", change, who];
  const { from, to, level, how, soak } = event;
  const last = soak.at(-1);
  const step = [...new Set([from ?? "–", to ?? "–"])].join(" → ");
  return [time, where, step, level ?? "–", how, last === undefined ? "–" : durationText(last.ms), change, who];
}

function timelineDetails(event: TimelineEvent, { claims }: HistoryReport, output: Output): readonly string[] {
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
  const on = claim?.decidedOn === undefined ? "" : ` on ${shortCommit(claim.decidedOn)}`;
  const at = claim?.decidedAtMs === undefined ? "" : ` at ${instantText(claim.decidedAtMs)}`;
  const why = "why" in known ? [known.why].flat() : [];
  return [
    `verdict ${printable(digest + on + at)}: ${output.paint(style, word)}`,
    ...why.map((sentence) => `  ${printable(sentence)}`),
  ];
}

/** The counts of verified claims, and a hint that a difference may come from missing merge times. */
function historySummary({ claims, isVerified, isForgeAsked }: HistoryReport): readonly string[] {
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
function historyJson(report: HistoryReport): string {
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
