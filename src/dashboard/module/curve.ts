import type { CountedVersion } from "../../sync/landscapeRollout.ts";
import type { SeenRollout } from "./rollouts.ts";

/**
 * How fast clusters got a version. Only clusters count that a controller saw upgrade, and, while the version is served,
 * those without it: the time of a cluster that already had it is unknown.
 */
export interface RolloutCurve {
  readonly version: string;
  /** Whether another version is served now. */
  readonly isReplaced: boolean;
  /** The number of clusters that count. */
  readonly clusters: number;
  /** Both values rise. The last point is as of now, or of when the version was replaced. */
  readonly points: readonly CurvePoint[];
}

/** The share of clusters that were Ready within a time after the apply. */
interface CurvePoint {
  readonly afterMs: number;
  /** 0 to 1. */
  readonly share: number;
}

/** The curves of the version that a channel serves on a landscape, and of the previous version. */
export interface CurvePicture {
  readonly landscape: string;
  readonly channel: string;
  /** The end of the time axis, from the apply. Milliseconds. */
  readonly endMs: number;
  /** Whether the landscape is seen now; otherwise the curves are from when it was last seen. */
  readonly isSeen: boolean;
  readonly curves: readonly RolloutCurve[];
}

const SHORTEST_MS = 60_000;

/** The curves with known times, in roll-out order. */
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
  // Includes clusters that took longer than the last bound.
  const last = { afterMs: passedMs, share: ready.clusters / clusters };
  return { version, isReplaced, clusters, points: [...points, last] };
}

/** The least share of clusters that had it at a time after the apply; `undefined` if it was served for less time. */
export function shareAfter({ points }: Pick<RolloutCurve, "points">, ms: number): number | undefined {
  const last = points.at(-1);
  if (last === undefined || last.afterMs < ms) return undefined;
  return points.findLast(({ afterMs }) => afterMs <= ms)?.share ?? 0;
}
