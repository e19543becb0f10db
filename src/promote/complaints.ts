import type { ServedState } from "../catalogue/history/history.ts";
import { decide } from "./verdict/decide.ts";
import { decideHotfix } from "./intervention/hotfix.ts";
import type { ServedStep } from "./timeline/timeline.ts";
import { statesOf, type VerdictFacts, type Subject } from "./verdict/subject.ts";
import type { Claim } from "./timeline/trailers.ts";
import { isUnmet, type Topic, type Verdict } from "./verdict/verdict.ts";
import { verdictDigest } from "./draft.ts";

/** A step that claims a verdict. */
export interface ClaimedStep {
  readonly step: ServedStep;
  readonly claim: Claim;
  /** The content that it brought. */
  readonly merged: ServedState | undefined;
  /** Whether all the evidence is at hand that it claims. */
  readonly hasEvidence: boolean;
}

/** What was merged and known at one moment. */
export interface KnownMoment {
  readonly kind: "clear";
  readonly commit: string;
  /** `undefined`: the channel followed none. */
  readonly subject: Subject | undefined;
  readonly facts: VerdictFacts;
}

/** A way by which a version comes into a channel. */
export type PromotionLane = "promotion" | "hot-fix";

/** The lanes that a step may have come by: what was a hot-fix once may come back the usual way. */
export function lanesOf({ hotfix }: ServedStep): readonly PromotionLane[] {
  return hotfix === undefined ? ["promotion"] : ["hot-fix", "promotion"];
}

/** In what the verdict of the moment when it was decided is another than the step claims; full sentences. */
export function complaintsThen(lane: PromotionLane, trial: ClaimedStep, moment: KnownMoment): readonly string[] {
  const { step, claim, hasEvidence } = trial;
  const verdict = decideIn(lane, trial, moment);
  if (verdict === undefined) return [`At ${moment.commit} ${step.channel} followed no channel.`];
  const told = [
    ...(hasEvidence ? unreadyVerdict(verdict, step) : unreadyVersion(trial, verdict, "It was")),
    ...differs("It was decided for a channel that served", verdict.current, step.from),
    ...otherFollowed(lane, verdict, claim),
  ];
  return told.length > 0 || !hasEvidence ? told : otherReasons(verdict, claim);
}

/** A hot-fix comes from no channel; commits of old name the followed one all the same. */
function otherFollowed(lane: PromotionLane, verdict: Verdict, { follows }: Claim): readonly string[] {
  if (lane === "hot-fix" && follows === undefined) return [];
  return differs("It was decided for a channel that follows", verdict.follows, follows);
}

/** The trailer is a digest: what went into it is told only where it shows in what was served. */
function otherReasons(verdict: Verdict, claim: Claim): readonly string[] {
  if (verdictDigest(verdict) === claim.verdict) return [];
  const reasons = verdict.chosen?.reasons.map(({ topic, outcome }) => `${topic} ${outcome}`) ?? [];
  return [`The reasons are others: ${reasons.join(", ") || "none"}; or the digest was never that of a verdict.`];
}

/** Why it could not be merged any more when it was; `moment` is the one just before. Full sentences. */
export function complaintsAtMerge(lane: PromotionLane, trial: ClaimedStep, moment: KnownMoment): readonly string[] {
  const { step, claim } = trial;
  const verdict = decideIn(lane, trial, moment);
  if (verdict === undefined) return [`By the time of the merge ${step.channel} followed no channel.`];
  const { follows = verdict.follows } = claim;
  if (lane === "promotion" && follows !== verdict.follows)
    return [`By the time of the merge ${step.channel} followed ${verdict.follows}, and not ${follows}.`];
  return unreadyVersion(trial, verdict, "By the time of the merge it was");
}

/** Whether what was merged is what the followed channel served as that version; a full sentence if not. */
export function complaintsOfContent(
  lane: PromotionLane,
  { step, merged }: ClaimedStep,
  { subject, facts }: KnownMoment,
): readonly string[] {
  if (lane === "hot-fix" || subject === undefined) return [];
  const { name } = subject.followed;
  const served = statesOf(facts.history, name).findLast(({ version }) => version === step.to);
  if (served === undefined || served.hash() === merged?.hash()) return [];
  return [`What was merged is not the content of ${String(step.to)} that ${name} served.`];
}

function decideIn(
  lane: PromotionLane,
  { step, hasEvidence }: ClaimedStep,
  { subject, facts }: KnownMoment,
): Verdict | undefined {
  if (subject === undefined) return undefined;
  // Evidence that is missing may have seen a version everywhere at once.
  const seen = hasEvidence ? subject : { ...subject, landscapes: [] };
  const { to, hotfix } = step;
  if (lane === "promotion" || to === undefined || hotfix === undefined) return decide(seen, facts);
  const { incident, alsoFixedIn = [], by } = hotfix;
  return decideHotfix(seen, { version: to, incident, alsoFixedIn, by }, facts);
}

function unreadyVerdict({ kind, chosen }: Verdict, { to }: ServedStep): readonly string[] {
  const about = differs("It is about", chosen?.version, to);
  if (kind === "promote") return about;
  const unmet = chosen?.reasons.find(isUnmet);
  return [`The verdict is ${kind}${unmet === undefined ? "." : `: ${unmet.message}`}`, ...about];
}

/** Another version may be chosen, as long as this one may move. What missing evidence could say keeps nobody. */
function unreadyVersion({ step, hasEvidence }: ClaimedStep, verdict: Verdict, what: string): readonly string[] {
  const { to, channel } = step;
  const { current, follows, candidates } = verdict;
  const own = candidates.find(({ version }) => version === to);
  if (own === undefined)
    return [
      `${what} no candidate: ${channel} served ${current ?? "nothing"}, and ${follows} had no ${String(to)} for it.`,
    ];
  const unmet = own.reasons.filter((reason) => isUnmet(reason) && (hasEvidence || !OF_EVIDENCE.has(reason.topic)));
  const [first, ...others] = unmet.map(({ message }) => message);
  if (first === undefined) return [];
  const word = unmet.some(({ outcome }) => outcome === "blocking") ? "blocked" : "to wait";
  return [`${what} ${word}: ${first}`, ...others];
}

const OF_EVIDENCE: ReadonlySet<Topic> = new Set<Topic>(["smoke", "approval", "exposure", "health"]);

function differs(what: string, decided: string | undefined, found: string | undefined): readonly string[] {
  return decided === found ? [] : [`${what} ${decided ?? "nothing"}, and not ${found ?? "nothing"}.`];
}
