import type { CountedVersion } from "../../sync/landscapeRollout.ts";
import type { SeenRollout } from "./rollouts.ts";

/**
 * How fast clusters got a version, of those that a controller saw upgrade and, while it is served, those that are still
 * without it. What had it before anyone watched says nothing of its time.
 */
export interface RolloutCurve {
  readonly version: string;
  /** Whether another version is served now. */
  readonly isReplaced: boolean;
  /** How many these are. */
  readonly clusters: number;
  /** Rising in both; the last one is what is known now, or was when it was replaced. */
  readonly points: readonly CurvePoint[];
}

/** The share of clusters that were Ready so long after the apply. */
export interface CurvePoint {
  readonly afterMs: number;
  /** 0 to 1. */
  readonly share: number;
}

/** The curves of what a channel serves on a landscape, and of what it served before. */
export interface CurvePicture {
  readonly landscape: string;
  readonly channel: string;
  /** Until when after the apply it is drawn. Milliseconds. */
  readonly endMs: number;
  /** Whether the landscape is seen now; otherwise that was so when it was seen last. */
  readonly isSeen: boolean;
  readonly curves: readonly RolloutCurve[];
}

const SHORTEST_MS = 60_000;

/** The curves of which something is known, in roll-out order. */
export function curvesOf(rollouts: readonly SeenRollout[], nowMs: number): readonly CurvePicture[] {
  return rollouts.flatMap(({ landscape, rollout, seenMs = nowMs, blind }) =>
    (rollout?.versions ?? []).flatMap((version): CurvePicture[] => {
      const both = [curveOf(version, seenMs), version.replaced && curveOf(version.replaced, seenMs)];
      const curves = both.filter((curve) => curve !== undefined);
      const endMs = Math.max(SHORTEST_MS, ...curves.map(({ points }) => points.at(-1)?.afterMs ?? 0));
      const channel = version.channel ?? "mandatory";
      return curves.length === 0 ? [] : [{ landscape, channel, endMs, isSeen: blind === undefined, curves }];
    }),
  );
}

function curveOf(
  { version, sinceMs, untilMs, counts, ready }: CountedVersion,
  seenMs: number,
): RolloutCurve | undefined {
  if (sinceMs === undefined || counts === undefined || ready === undefined) return undefined;
  const isReplaced = untilMs !== undefined;
  const clusters = ready.clusters + (isReplaced ? 0 : counts.clusters - counts.have);
  const passedMs = Math.max(0, (untilMs ?? seenMs) - sinceMs);
  const points = ready.curve.map(({ withinMs, clusters: have }) => ({
    afterMs: Math.min(withinMs, passedMs),
    share: have / clusters,
  }));
  // Also those that took longer than the last bound.
  const last = { afterMs: passedMs, share: ready.clusters / clusters };
  return { version, isReplaced, clusters, points: [...points, last] };
}

/** The share of clusters that had it so long after the apply, or more; `undefined`: it was not served for so long. */
export function shareAfter({ points }: Pick<RolloutCurve, "points">, ms: number): number | undefined {
  const last = points.at(-1);
  if (last === undefined || last.afterMs < ms) return undefined;
  return points.findLast(({ afterMs }) => afterMs <= ms)?.share ?? 0;
}
