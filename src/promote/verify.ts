import type { Evidence } from "../catalogue/evidence/evidence.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ChannelName, ModuleName } from "../catalogue/names.ts";
import { cataloguePlace } from "../catalogue/paths.ts";
import type { Run } from "../ports.ts";
import {
  complaintsAtMerge,
  complaintsOfContent,
  complaintsThen,
  servedStepLanes,
  type PromotionLane,
  type KnownMoment,
  type ClaimedStep,
} from "./complaints.ts";
import type { PublishedFile } from "./keptEvidence.ts";
import type { Gathered, PromotionWorld } from "./gather.ts";
import { dateHistory } from "../catalogue/history/dates.ts";
import type { RecordedHistory } from "../catalogue/history/history.ts";
import { moduleHistories } from "../catalogue/history/moduleHistory.ts";
import type { TimelineEvent, ServedStep } from "./timeline/timeline.ts";
import { examineClaim, type AtHand, type VerdictBlocker, type Recomputable } from "./verdict/blocker.ts";
import { withoutFutureFailures } from "./verdict/evidence/known.ts";
import { strayEntries } from "./verdict/holding.ts";
import { subjectStates, subjectIn } from "./verdict/subject.ts";
import type { Claim } from "./timeline/trailers.ts";
import { type CatalogueReading, catalogueAt } from "../reading/catalogue.ts";

/** The result of repeating a decision. */
export type Verification =
  /**
   * The decision is the same, on what was merged and known then, and it was still right at the merge. `why`: what was
   * not repeated; full sentences.
   */
  { readonly kind: "verified"; readonly why: readonly string[] } | VerdictBlocker;

/** The input for repeating verdicts. */
export interface VerifyContext {
  readonly module: ModuleName;
  readonly gathered: Gathered;
  /** By the digest of the file. */
  readonly evidence: ReadonlyMap<string, readonly Evidence[]>;
  /** The evidence branch over time. */
  readonly published: readonly PublishedFile[];
  readonly world: Pick<PromotionWorld, "source">;
}

/** Adds a cache of parsed catalogues: most promotions are merged onto the commit that they were decided on. */
interface VerifyReads extends VerifyContext {
  readonly readings: Map<string, CatalogueReading>;
}

/** The commits and the evidence that claims can be checked against. */
export function evidenceAtHand({ gathered, evidence }: Pick<VerifyContext, "gathered" | "evidence">): AtHand {
  const revisions = new Map(gathered.dated.revisions.map((revision) => [revision.commit, revision]));
  return { revisions, evidence: new Set(evidence.keys()) };
}

/** Repeats every promotion decision of a timeline. Gives a result for each step that claims a verdict. */
export async function verifyTimeline(
  timeline: readonly TimelineEvent[],
  context: VerifyContext,
  run: Run,
): Promise<ReadonlyMap<TimelineEvent, Verification>> {
  const { module, gathered } = context;
  // Changes of other modules do not matter for this one.
  const changes = gathered.recorded.changes.filter(({ path }) => isAbout(module, path));
  const recorded: RecordedHistory = { ...gathered.recorded, changes };
  const own: VerifyReads = { ...context, gathered: { ...gathered, recorded }, readings: new Map() };
  const atHand = evidenceAtHand(context);
  const answers = new Map<TimelineEvent, Verification>();
  for (const step of timeline) {
    if (step.kind !== "step" || step.claim === undefined) continue;
    run.signal.throwIfAborted();
    const trial = stepTrial(step, step.claim, context);
    answers.set(step, await verify(trial, examineClaim(step, step.claim, atHand), own, run));
  }
  return answers;
}

function stepTrial(
  step: ServedStep,
  claim: Claim,
  { module, gathered: { histories }, evidence }: VerifyContext,
): ClaimedStep {
  const states = subjectStates(histories.of(module), step.channel);
  const merged = states.find(({ revision }) => revision.index === step.revision.index);
  return { step, claim, merged, hasEvidence: claim.evidence.every((digest) => evidence.has(digest)) };
}

function isAbout(module: ModuleName, path: string): boolean {
  const place = cataloguePlace(path);
  return place !== undefined && (!("module" in place) || place.module === module);
}

async function verify(
  trial: ClaimedStep,
  examined: Recomputable | VerdictBlocker,
  context: VerifyReads,
  run: Run,
): Promise<Verification> {
  if (examined.kind === "differs") return examined;
  const { step, claim } = trial;
  const named = claim.evidence.flatMap((digest) => context.evidence.get(digest) ?? []);
  const basis = examined.kind === "recomputable" ? examined : examined.basis;
  const { index, atMs } = step.revision;
  const decision = basis && {
    index: basis.decidedOn.index,
    atMs: basis.decidedAtMs,
    evidence: named,
    what: "on which it was decided",
  };
  const then = decision && (await momentAt(step, decision, context, run));
  // If a clock is behind, the merge may seem to be before the decision.
  const mergedAtMs = Math.max(atMs, basis?.decidedAtMs ?? atMs);
  const evidence = [...named, ...resultsBy(mergedAtMs, context)];
  const merge = { index: index - 1, atMs: mergedAtMs, evidence, what: "onto which it was merged" };
  const before = await momentAt(step, merge, context, run);
  const all = servedStepLanes(step).map((lane) => complaintsIn(lane, trial, then, before));
  const [why = []] = all;
  if (all.every((one) => one.length > 0)) return { kind: "differs", why: [...why, ...missing(examined)] };
  return examined.kind === "not-recomputable" ? examined : verifiedUnlessUnclear(then, before);
}

/**
 * The tests and approvals that were published by then. The commit of a promotion may leave out one that speaks against
 * it.
 */
function resultsBy(atMs: number, { published }: VerifyContext): readonly Evidence[] {
  const known = published.filter(({ publishedMs }) => publishedMs <= atMs).flatMap(({ evidence }) => evidence);
  return withoutFutureFailures(
    known.filter(({ kind }) => kind === "smoke" || kind === "approval"),
    atMs,
  );
}

/** Limits depend on the verdicts on all modules, and only this one is decided again. */
function notRepeated(moment: KnownMoment | Unclear): readonly string[] {
  const channel = moment.kind === "clear" ? moment.subject?.channel : undefined;
  return channel?.promotion.limits === undefined ? [] : [`The limits of ${channel.name} were not checked.`];
}

/** Missing evidence could still explain the difference. */
function missing(examined: Exclude<Recomputable | VerdictBlocker, { readonly kind: "differs" }>): readonly string[] {
  return examined.kind === "not-recomputable" && examined.basis !== undefined ? [examined.why] : [];
}

function verifiedUnlessUnclear(then: KnownMoment | Unclear | undefined, before: KnownMoment | Unclear): Verification {
  for (const moment of [then, before])
    if (moment?.kind === "unclear") return { kind: "not-recomputable", why: moment.why };
  return { kind: "verified", why: notRepeated(before) };
}

/** The complaints about a step in one lane. A problem of the decision is not repeated for the merge. */
function complaintsIn(
  lane: PromotionLane,
  trial: ClaimedStep,
  then: KnownMoment | Unclear | undefined,
  before: KnownMoment | Unclear,
): readonly string[] {
  const first = then?.kind === "clear" ? complaintsThen(lane, trial, then) : [];
  if (before.kind === "unclear") return first;
  const later = first.length > 0 ? [] : complaintsAtMerge(lane, trial, before);
  return [...first, ...later, ...complaintsOfContent(lane, trial, before)];
}

/** A moment at which the files cannot be read; `why` is a full sentence. */
interface Unclear {
  readonly kind: "unclear";
  readonly why: string;
}

/** A moment to look at. */
interface When {
  /** The index of the newest revision that was merged by then. */
  readonly index: number;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** What counts as known. */
  readonly evidence: readonly Evidence[];
  /** The role of this revision for the step; half a sentence. */
  readonly what: string;
}

/** The merged files and the known facts at a moment. */
async function momentAt(
  { channel }: ServedStep,
  { index, atMs, evidence, what }: When,
  context: VerifyReads,
  run: Run,
): Promise<KnownMoment | Unclear> {
  const { module, gathered } = context;
  const { recorded, merged } = gathered;
  const commit = recorded.commits[index]?.commit;
  if (commit === undefined) return { kind: "unclear", why: "Nothing was merged before it." };
  const { usable: catalogue } = await readCommit(commit, context, run);
  if (catalogue === undefined || isWithheld(catalogue, module, channel))
    return { kind: "unclear", why: `The catalogue of ${commit}, ${what}, cannot be read.` };
  const past: RecordedHistory = {
    commits: recorded.commits.slice(0, index + 1),
    changes: recorded.changes.filter((change) => change.index <= index),
  };
  // With the merge times that were known at that moment.
  const history = moduleHistories(dateHistory(past, merged, atMs)).of(module);
  const facts = {
    history,
    strays: strayEntries(catalogue, history),
    evidence,
    // Proposed holds leave no trace. But one that stopped the version would have prevented the promotion.
    proposedHolds: [],
    nowMs: atMs,
  };
  return { kind: "clear", commit, subject: subjectIn(catalogue, module, channel), facts };
}

/** Whether files that a decision depends on cannot be used: those of the module, of the channel, and of what it follows. */
function isWithheld(
  { withheld, withheldChannels, channels }: Catalogue,
  module: ModuleName,
  channel: ChannelName,
): boolean {
  const follows = channels.get(channel)?.follows;
  return withheld.has(module) || [channel, follows].some((one) => one !== undefined && withheldChannels.has(one));
}

async function readCommit(
  commit: string,
  { module, world, readings }: VerifyReads,
  run: Run,
): Promise<CatalogueReading> {
  const known = readings.get(commit);
  if (known !== undefined) return known;
  const reading = await catalogueAt(world.source(commit), run, (path) => isAbout(module, path));
  readings.set(commit, reading);
  return reading;
}
