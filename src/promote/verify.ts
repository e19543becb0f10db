import type { Evidence } from "../catalogue/evidence/evidence.ts";
import type { ModuleName } from "../catalogue/names.ts";
import { parse, type Parsing } from "../catalogue/parse.ts";
import { placeOf } from "../catalogue/paths.ts";
import type { Run } from "../ports.ts";
import {
  complaintsAtMerge,
  complaintsOfContent,
  complaintsThen,
  lanesOf,
  type PromotionLane,
  type KnownMoment,
  type ClaimedStep,
} from "./complaints.ts";
import type { Gathered, PromotionWorld } from "./gather.ts";
import { dateHistory } from "../catalogue/history/dates.ts";
import type { RecordedHistory } from "../catalogue/history/history.ts";
import { historiesOf } from "../catalogue/history/moduleHistory.ts";
import type { TimelineEvent, ServedStep } from "./timeline/timeline.ts";
import { examineClaim, type AtHand, type VerdictBlocker, type Recomputable } from "./verdict/blocker.ts";
import { statesOf, subjectIn } from "./verdict/subject.ts";
import type { Claim } from "./timeline/trailers.ts";

/** The result of repeating a decision. */
export type Verification =
  /** The decision is the same, on what was merged and known then, and it was still right at the merge. */
  { readonly kind: "verified" } | VerdictBlocker;

/** The input for repeating verdicts. */
export interface VerifyContext {
  readonly module: ModuleName;
  readonly gathered: Gathered;
  /** By the digest of the file. */
  readonly evidence: ReadonlyMap<string, readonly Evidence[]>;
  readonly world: Pick<PromotionWorld, "source">;
}

/** Adds a cache of parsed catalogues: most promotions are merged onto the commit that they were decided on. */
interface VerifyReads extends VerifyContext {
  readonly parsings: Map<string, Parsing>;
}

/** The commits and the evidence that claims can be checked against. */
export function atHandOf({ gathered, evidence }: Pick<VerifyContext, "gathered" | "evidence">): AtHand {
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
  const own: VerifyReads = { ...context, gathered: { ...gathered, recorded }, parsings: new Map() };
  const atHand = atHandOf(context);
  const answers = new Map<TimelineEvent, Verification>();
  for (const step of timeline) {
    if (step.kind !== "step" || step.claim === undefined) continue;
    run.signal.throwIfAborted();
    const trial = trialOf(step, step.claim, context);
    answers.set(step, await verify(trial, examineClaim(step, step.claim, atHand), own, run));
  }
  return answers;
}

function trialOf(
  step: ServedStep,
  claim: Claim,
  { module, gathered: { histories }, evidence }: VerifyContext,
): ClaimedStep {
  const states = statesOf(histories.of(module), step.channel);
  const merged = states.find(({ revision }) => revision.index === step.revision.index);
  return { step, claim, merged, hasEvidence: claim.evidence.every((digest) => evidence.has(digest)) };
}

function isAbout(module: ModuleName, path: string): boolean {
  const place = placeOf(path);
  return place !== undefined && (!("module" in place) || place.module === module);
}

async function verify(
  trial: ClaimedStep,
  examined: Recomputable | VerdictBlocker,
  context: VerifyReads,
  run: Run,
): Promise<Verification> {
  if (examined.kind === "differs") return examined;
  const { step } = trial;
  const basis = examined.kind === "recomputable" ? examined : examined.basis;
  const { index, atMs } = step.revision;
  const what = "on which it was decided";
  const then =
    basis && (await momentAt(trial, { index: basis.decidedOn.index, atMs: basis.decidedAtMs, what }, context, run));
  // If a clock is behind, the merge may seem to be before the decision.
  const mergedAtMs = Math.max(atMs, basis?.decidedAtMs ?? atMs);
  const merge = { index: index - 1, atMs: mergedAtMs, what: "onto which it was merged" };
  const before = await momentAt(trial, merge, context, run);
  const all = lanesOf(step).map((lane) => complaintsIn(lane, trial, then, before));
  const [why = []] = all;
  if (all.every((one) => one.length > 0)) return { kind: "differs", why: [...why, ...missing(examined)] };
  return examined.kind === "not-recomputable" ? examined : (unclearOf([then, before]) ?? { kind: "verified" });
}

/** Missing evidence could still explain the difference. */
function missing(examined: Exclude<Recomputable | VerdictBlocker, { readonly kind: "differs" }>): readonly string[] {
  return examined.kind === "not-recomputable" && examined.basis !== undefined ? [examined.why] : [];
}

function unclearOf(moments: readonly (KnownMoment | Unclear | undefined)[]): VerdictBlocker | undefined {
  const unclear = moments.find((moment) => moment?.kind === "unclear");
  return unclear && { kind: "not-recomputable", why: unclear.why };
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
  /** The role of this revision for the step; half a sentence. */
  readonly what: string;
}

/** The merged files and the known facts at a moment. */
async function momentAt(
  { step, claim }: ClaimedStep,
  { index, atMs, what }: When,
  context: VerifyReads,
  run: Run,
): Promise<KnownMoment | Unclear> {
  const { module, gathered, evidence } = context;
  const { recorded, merged } = gathered;
  const commit = recorded.commits[index]?.commit;
  if (commit === undefined) return { kind: "unclear", why: "Nothing was merged before it." };
  const parsing = await parsingOf(commit, context, run);
  if (parsing.kind === "refused")
    return { kind: "unclear", why: `The catalogue of ${commit}, ${what}, cannot be read.` };
  const past: RecordedHistory = {
    commits: recorded.commits.slice(0, index + 1),
    changes: recorded.changes.filter((change) => change.index <= index),
  };
  const facts = {
    // With the merge times that were known at that moment.
    history: historiesOf(dateHistory(past, merged, atMs)).of(module),
    evidence: claim.evidence.flatMap((digest) => evidence.get(digest) ?? []),
    // Proposed holds leave no trace. But one that stopped the version would have prevented the promotion.
    proposedHolds: [],
    nowMs: atMs,
  };
  return { kind: "clear", commit, subject: subjectIn(parsing.catalogue, module, step.channel), facts };
}

async function parsingOf(commit: string, { module, world, parsings }: VerifyReads, run: Run): Promise<Parsing> {
  const known = parsings.get(commit);
  if (known !== undefined) return known;
  const { files } = await world.source(commit).snapshot((path) => isAbout(module, path), run);
  const parsing = parse(commit, files);
  parsings.set(commit, parsing);
  return parsing;
}
