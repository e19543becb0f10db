import { counted } from "../../catalogue/counted.ts";
import type { EvidenceOf } from "../../catalogue/evidence.ts";
import { knownOf, type Question } from "./evidenceKnown.ts";
import type { Policy } from "./policy.ts";
import type { Reason } from "./verdict.ts";

const HOUR_MS = 3_600_000;
/** People read hours with two decimals. */
const HUNDREDTH_MS = BigInt(HOUR_MS / 100);

/** How much use a version has seen. Whole numbers add up to the same in any order, decimal fractions do not. */
interface Use {
  readonly clusters: bigint;
  readonly healthyMs: bigint;
}

/** Whether the content has seen the use that is asked for, added up over all objects and landscapes; nothing if none is. */
export function judgeExposure(demand: Policy["exposure"], question: Question): readonly Reason[] {
  if (demand === undefined) return [];
  const { counted: observed, newest, passedOver } = knownOf("exposure", question);
  const what = `${question.content.module} ${question.content.version}`;
  const [first] = newest;
  if (first === undefined) {
    const message = `Nothing is known of clusters that run ${what}; asked for: ${askedText(demand)}.${passedOver}`;
    const remedy = "Name a file of what was observed with --evidence.";
    return [{ topic: "exposure", outcome: "waiting", message, remedy, source: undefined }];
  }
  const seen = observed.map(worstOf).reduce(plus);
  const missing = missingText(demand, seen);
  const stand = `${what} ran on ${counted(Number(seen.clusters), "cluster")} for ${hoursText(seen.healthyMs / HUNDREDTH_MS)}`;
  const about = { topic: "exposure", source: { kind: "evidence", source: first.source } } as const;
  const message = `${stand}; asked for: ${askedText(demand)}`;
  if (missing === "") return [{ ...about, outcome: "met", message: `${message}.` }];
  return [{ ...about, outcome: "waiting", message: `${message}; still missing: ${missing}.` }];
}

/** Of several observations of one moment the least of each figure. */
function worstOf(observations: readonly EvidenceOf<"exposure">[]): Use {
  const uses = observations.map(({ clusters, healthyHours }) => ({
    clusters: BigInt(clusters),
    healthyMs: millisecondsOf(healthyHours),
  }));
  return uses.reduce((a, b) => ({
    clusters: a.clusters < b.clusters ? a.clusters : b.clusters,
    healthyMs: a.healthyMs < b.healthyMs ? a.healthyMs : b.healthyMs,
  }));
}

function plus(a: Use, b: Use): Use {
  return { clusters: a.clusters + b.clusters, healthyMs: a.healthyMs + b.healthyMs };
}

/** In two parts, so that the fraction of a huge number does not make it infinite. */
function millisecondsOf(hours: number): bigint {
  return BigInt(Math.trunc(hours)) * BigInt(HOUR_MS) + BigInt(Math.round((hours % 1) * HOUR_MS));
}

function askedText({ clusters, healthyHours }: NonNullable<Policy["exposure"]>): string {
  const parts = [
    clusters === 0 ? [] : [counted(clusters, "cluster")],
    healthyHours === 0 ? [] : [counted(healthyHours, "healthy hour")],
  ];
  return parts.flat().join(" and ");
}

/** Rounded up: something that is missing is never shown as nothing. */
function missingText({ clusters, healthyHours }: NonNullable<Policy["exposure"]>, seen: Use): string {
  const missingClusters = BigInt(clusters) - seen.clusters;
  const missingMs = millisecondsOf(healthyHours) - seen.healthyMs;
  const parts = [
    missingClusters <= 0n ? [] : [counted(Number(missingClusters), "cluster")],
    missingMs <= 0n ? [] : [hoursText((missingMs + HUNDREDTH_MS - 1n) / HUNDREDTH_MS)],
  ];
  return parts.flat().join(" and ");
}

function hoursText(hundredths: bigint): string {
  return counted(Number(hundredths) / 100, "healthy hour");
}
