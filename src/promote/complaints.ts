import type { ServedState } from "../catalogue/history/history.ts";
import { decide } from "./verdict/decide.ts";
import { decideHotfix } from "./intervention/hotfix.ts";
import type { ServedStep } from "./timeline/timeline.ts";
import { subjectStates, type VerdictFacts, type Subject } from "./verdict/subject.ts";
import type { Claim } from "./timeline/trailers.ts";
import { isUnmet, type Topic, type Verdict } from "./verdict/verdict.ts";
import { verdictDigest } from "./draft.ts";

/** A step that claims a verdict. */
export interface ClaimedStep {
  readonly step: ServedStep;
  readonly claim: Claim;
  /** The content that it merged. */
  readonly merged: ServedState | undefined;
  /** Whether all the evidence that it claims is available. */
  readonly hasEvidence: boolean;
}

/** The merged files and the known facts at one moment. */
export interface KnownMoment {
  readonly kind: "clear";
  readonly commit: string;
  /** `undefined`: the channel followed none. */
  readonly subject: Subject | undefined;
  readonly facts: VerdictFacts;
}

/** The way by which a version comes into a channel. */
export type PromotionLane = "promotion" | "hot-fix";

/** The lanes that a step may have used: a version that was once a hot-fix may return by a normal promotion. */
export function servedStepLanes({ hotfix }: ServedStep): readonly PromotionLane[] {
  return hotfix === undefined ? ["promotion"] : ["hot-fix", "promotion"];
}

/** How the verdict at the time of the decision differs from the one that the step claims; full sentences. */
export function complaintsThen(lane: PromotionLane, trial: ClaimedStep, moment: KnownMoment): readonly string[] {
  const { step, claim, hasEvidence } = trial;
  const verdict = decideIn(lane, trial, moment);
  if (verdict === undefined) return [`At ${moment.commit} ${step.channel} followed no channel.`];
  const told = [
    ...(hasEvidence ? unreadyVerdict(verdict, step) : unreadyVersion(trial, verdict, "It was")),
    ...differs("It was decided for a channel that served", verdict.current, step.from),
    // A hot-fix comes from no channel, but old commits still name the followed one.
    ...(lane === "hot-fix" && claim.follows === undefined
      ? []
      : differs("It was decided for a channel that follows", verdict.follows, claim.follows)),
  ];
  return told.length > 0 || !hasEvidence ? told : otherReasons(verdict, claim);
}

/** The trailer is only a digest, so the original reasons cannot be listed, only the repeated ones. */
function otherReasons(verdict: Verdict, claim: Claim): readonly string[] {
  if (verdictDigest(verdict) === claim.verdict) return [];
  const reasons = verdict.chosen?.reasons.map(({ topic, outcome }) => `${topic} ${outcome}`) ?? [];
  return [`The reasons differ: ${reasons.join(", ") || "none"} now; or the digest never was that of a verdict.`];
}

/** Why it was no longer allowed when it was merged; `moment` is just before the merge. Full sentences. */
export function complaintsAtMerge(lane: PromotionLane, trial: ClaimedStep, moment: KnownMoment): readonly string[] {
  const { step, claim } = trial;
  const verdict = decideIn(lane, trial, moment);
  if (verdict === undefined) return [`By the time of the merge ${step.channel} followed no channel.`];
  const { follows = verdict.follows } = claim;
  if (lane === "promotion" && follows !== verdict.follows)
    return [`By the time of the merge ${step.channel} followed ${verdict.follows}, not ${follows}.`];
  return unreadyVersion(trial, verdict, "By the time of the merge it was");
}

/**
 * Compares the merged content with what the followed channel served as that version; a full sentence if they differ.
 */
export function complaintsOfContent(
  lane: PromotionLane,
  { step, merged }: ClaimedStep,
  { subject, facts }: KnownMoment,
): readonly string[] {
  if (lane === "hot-fix" || subject === undefined) return [];
  const { name } = subject.followed;
  const served = subjectStates(facts.history, name).findLast(({ version }) => version === step.to);
  if (served === undefined || served.hash() === merged?.hash()) return [];
  return [`The merged content of ${String(step.to)} differs from the content that ${name} served.`];
}

function decideIn(
  lane: PromotionLane,
  { step, merged, hasEvidence }: ClaimedStep,
  { subject, facts }: KnownMoment,
): Verdict | undefined {
  if (subject === undefined) return undefined;
  // Missing evidence may show that a version reached all landscapes at once.
  const seen = hasEvidence ? subject : { ...subject, landscapes: [] };
  const { to, hotfix } = step;
  if (lane === "promotion" || to === undefined || hotfix === undefined) return decide(seen, facts);
  const { incident, alsoFixedIn = [], by } = hotfix;
  return decideHotfix(seen, { version: to, specHash: merged?.hash(), incident, alsoFixedIn, by }, facts);
}

function unreadyVerdict({ kind, chosen }: Verdict, { to }: ServedStep): readonly string[] {
  const about = differs("It is about", chosen?.version, to);
  if (kind === "promote") return about;
  const unmet = chosen?.reasons.find(isUnmet);
  return [`The verdict is ${kind}${unmet === undefined ? "." : `: ${unmet.message}`}`, ...about];
}

/**
 * Accepts that another version is chosen, as long as this one may move. Reasons that missing evidence could meet do not
 * count.
 */
function unreadyVersion({ step, hasEvidence }: ClaimedStep, verdict: Verdict, what: string): readonly string[] {
  const { to, channel } = step;
  const { current, follows, candidates } = verdict;
  const own = candidates.find(({ version }) => version === to);
  if (own === undefined)
    return [
      `${what} not a candidate: ${channel} served ${current ?? "nothing"}, and ${follows} had no ${String(to)} for it.`,
    ];
  const unmet = own.reasons.filter((reason) => isUnmet(reason) && (hasEvidence || !OF_EVIDENCE.has(reason.topic)));
  const [first, ...others] = unmet.map(({ message }) => message);
  if (first === undefined) return [];
  const word = unmet.some(({ outcome }) => outcome === "blocking") ? "blocked" : "to wait";
  return [`${what} ${word}: ${first}`, ...others];
}

const OF_EVIDENCE: ReadonlySet<Topic> = new Set<Topic>(["smoke", "approval", "exposure", "health"]);

function differs(what: string, decided: string | undefined, found: string | undefined): readonly string[] {
  return decided === found ? [] : [`${what} ${decided ?? "nothing"}, not ${found ?? "nothing"}.`];
}
