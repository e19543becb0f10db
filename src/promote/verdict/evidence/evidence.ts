import { counted } from "../../../document/counted.ts";
import type { Evidence, EvidenceOf } from "../../../catalogue/evidence/evidence.ts";
import type { LandscapeName } from "../../../catalogue/names.ts";
import { judgeHealth } from "./health.ts";
import { type ContentIdentity, knownEvidence, type EvidenceQuestion } from "./known.ts";
import { judgeSmoke, type ReplacedContent } from "./smoke.ts";
import type { Policy } from "../policy.ts";
import { secondText } from "../../../document/times.ts";
import type { Reason } from "../verdict.ts";

/** The demands of a policy on evidence. */
export type EvidenceDemand = Pick<Policy, "needs" | "exposure" | "health">;

/** The content that would be promoted, the content that it would replace, if any, and the landscapes that serve them. */
export interface EvidenceSubject extends ContentIdentity {
  readonly replaced?: ReplacedContent;
  readonly landscapes: readonly LandscapeName[];
}

/**
 * Judges the evidence for and against promoting a content: smoke test, approval, exposure, health, in this order.
 *
 * A version waits only for demanded evidence. A failed smoke test and a refusal block a version even if the policy does
 * not demand them: a policy that does not ask for a result must not ignore a known problem. Evidence of another
 * content, of an older generation, or from the future does not count.
 *
 * Takes:  `evidence` of any module, in any order; `nowMs` in Unix milliseconds.
 */
export function judgeEvidence(
  demand: EvidenceDemand,
  subject: EvidenceSubject,
  evidence: readonly Evidence[],
  nowMs: number,
): readonly Reason[] {
  const question = { content: subject, evidence, nowMs };
  return [
    ...judgeSmoke(demand.needs.includes("smoke"), subject.replaced, question),
    ...judgeApproval(demand.needs.includes("approval"), question),
    ...judgeExposure(demand.exposure, question),
    ...judgeHealth(demand.health, subject, question),
  ];
}

/** The newest decision counts, wherever it was made: a later one replaces an earlier one. */
function judgeApproval(isDemanded: boolean, question: EvidenceQuestion): readonly Reason[] {
  const { newest, passedOver } = knownEvidence("approval", question);
  const what = `${question.content.module} ${question.content.version}`;
  const topic = "approval";
  const one = newest.find(({ approved }) => !approved) ?? newest[0];
  if (one === undefined) {
    const message = `${what} is not approved.${passedOver}`;
    const remedy = "Ask a person who may approve it, and name the file that says so with --evidence.";
    return isDemanded ? [{ topic, outcome: "waiting", message, remedy, source: undefined }] : [];
  }
  const { approved, by } = one;
  const [at, source] = [secondText(Date.parse(one.observedAt)), { kind: "evidence", source: one.source } as const];
  if (!approved) {
    const message = `${by} refused ${what} at ${at} (${one.source}).`;
    const remedy = `Settle it with ${by}: a newer approval lifts the refusal. Or release a newer version.`;
    return [{ topic, outcome: "blocking", message, remedy, source }];
  }
  return isDemanded ? [{ topic, outcome: "met", message: `${by} approved ${what} at ${at}.`, source }] : [];
}

/**
 * The time since which all `landscapes` were seen to serve a content: the last landscape's earliest observation.
 *
 * Gives:  Unix milliseconds; `Infinity` if one was never seen to serve it, or if there are no landscapes.
 */
export function servedSince(
  evidence: readonly Evidence[],
  content: ContentIdentity,
  landscapes: readonly LandscapeName[],
): number {
  const seenMs = new Map<LandscapeName | undefined, number>();
  for (const one of evidence) {
    if (
      one.kind !== "served" ||
      one.module !== content.module ||
      one.version !== content.version ||
      one.specHash !== content.specHash
    )
      continue;
    const atMs = Date.parse(one.observedAt);
    seenMs.set(one.landscape, Math.min(atMs, seenMs.get(one.landscape) ?? atMs));
  }
  const first = landscapes.map((landscape) => seenMs.get(landscape) ?? Number.POSITIVE_INFINITY);
  return first.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...first);
}

const HOUR_MS = 3_600_000;
/** Hours are shown with two decimals. */
const HUNDREDTH_MS = BigInt(HOUR_MS / 100);

/** The exposure of a version. Integers add up to the same sum in any order; decimal fractions do not. */
interface ExposureTotal {
  readonly clusters: bigint;
  readonly healthyMs: bigint;
}

/**
 * Judges whether the content has the demanded exposure, added up over all objects and landscapes; no reason without a
 * demand.
 */
function judgeExposure(demand: Policy["exposure"], question: EvidenceQuestion): readonly Reason[] {
  if (demand === undefined) return [];
  const { counted: observed, newest, passedOver } = knownEvidence("exposure", question);
  const what = `${question.content.module} ${question.content.version}`;
  const [first] = newest;
  if (first === undefined) {
    const message = `Nothing is known about clusters that run ${what}; required: ${askedText(demand)}.${passedOver}`;
    const remedy = "Name an evidence file with --evidence.";
    return [{ topic: "exposure", outcome: "waiting", message, remedy, source: undefined }];
  }
  const seen = observed
    .map(worstExposure)
    .reduce((a, b) => ({ clusters: a.clusters + b.clusters, healthyMs: a.healthyMs + b.healthyMs }));
  const missing = missingText(demand, seen);
  const stand = `${what} ran on ${counted(Number(seen.clusters), "cluster")} for ${hoursText(seen.healthyMs / HUNDREDTH_MS)}`;
  const about = { topic: "exposure", source: { kind: "evidence", source: first.source } } as const;
  const message = `${stand}; required: ${askedText(demand)}`;
  if (missing === "") return [{ ...about, outcome: "met", message: `${message}.` }];
  return [{ ...about, outcome: "waiting", message: `${message}; still missing: ${missing}.` }];
}

/** The lowest value of each figure among observations of one moment. */
function worstExposure(observations: readonly EvidenceOf<"exposure">[]): ExposureTotal {
  const uses = observations.map(({ clusters, healthyHours }) => ({
    clusters: BigInt(clusters),
    healthyMs: hoursInMilliseconds(healthyHours),
  }));
  return uses.reduce((a, b) => ({
    clusters: a.clusters < b.clusters ? a.clusters : b.clusters,
    healthyMs: a.healthyMs < b.healthyMs ? a.healthyMs : b.healthyMs,
  }));
}

/** Converts in two parts, so that a huge number does not become infinite. */
function hoursInMilliseconds(hours: number): bigint {
  return BigInt(Math.trunc(hours)) * BigInt(HOUR_MS) + BigInt(Math.round((hours % 1) * HOUR_MS));
}

function askedText({ clusters, healthyHours }: NonNullable<Policy["exposure"]>): string {
  const parts = [
    clusters === 0 ? [] : [counted(clusters, "cluster")],
    healthyHours === 0 ? [] : [counted(healthyHours, "healthy hour")],
  ];
  return parts.flat().join(" and ");
}

/** Rounds up, so that a missing amount is never shown as nothing. */
function missingText({ clusters, healthyHours }: NonNullable<Policy["exposure"]>, seen: ExposureTotal): string {
  const missingClusters = BigInt(clusters) - seen.clusters;
  const missingMs = hoursInMilliseconds(healthyHours) - seen.healthyMs;
  const parts = [
    missingClusters <= 0n ? [] : [counted(Number(missingClusters), "cluster")],
    missingMs <= 0n ? [] : [hoursText((missingMs + HUNDREDTH_MS - 1n) / HUNDREDTH_MS)],
  ];
  return parts.flat().join(" and ");
}

function hoursText(hundredths: bigint): string {
  return counted(Number(hundredths) / 100, "healthy hour");
}
