import type { CountedVersion } from "../../sync/landscapeRollout.ts";
import type { SeenRollout } from "./rollouts.ts";

/** How the share of clusters that have a version grew from its apply on, as far as a controller saw them upgrade. */
export interface RolloutCurve {
  readonly version: string;
  /** Whether another version is served now. */
  readonly isReplaced: boolean;
  /** How many should have it. */
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
  readonly curves: readonly RolloutCurve[];
}

const SHORTEST_MS = 60_000;

/** The curves of which something is known, in roll-out order. */
export function curvesOf(rollouts: readonly SeenRollout[], nowMs: number): readonly CurvePicture[] {
  return rollouts.flatMap(({ landscape, rollout, seenMs = nowMs }) =>
    (rollout?.versions ?? []).flatMap((version): CurvePicture[] => {
      const both = [curveOf(version, seenMs), version.replaced && curveOf(version.replaced, seenMs)];
      const curves = both.filter((curve) => curve !== undefined);
      const endMs = Math.max(SHORTEST_MS, ...curves.map(({ points }) => points.at(-1)?.afterMs ?? 0));
      const channel = version.channel ?? "mandatory";
      return curves.length === 0 ? [] : [{ landscape, channel, endMs, curves }];
    }),
  );
}

function curveOf(
  { version, sinceMs, untilMs, counts, ready }: CountedVersion,
  seenMs: number,
): RolloutCurve | undefined {
  if (sinceMs === undefined || counts === undefined || ready === undefined) return undefined;
  const clusters = Math.max(counts.clusters, ready.clusters);
  const passedMs = Math.max(0, (untilMs ?? seenMs) - sinceMs);
  const points = ready.curve.map(({ withinMs, clusters: have }) => ({
    afterMs: Math.min(withinMs, passedMs),
    share: have / clusters,
  }));
  const last = { afterMs: passedMs, share: points.at(-1)?.share ?? 0 };
  return { version, isReplaced: untilMs !== undefined, clusters, points: [...points, last] };
}

/** The share of clusters that had it so long after the apply; `undefined`: it was not served for so long. */
export function shareAfter({ points }: Pick<RolloutCurve, "points">, ms: number): number | undefined {
  const last = points.at(-1);
  if (last === undefined || last.afterMs < ms) return undefined;
  return points.findLast(({ afterMs }) => afterMs <= ms)?.share ?? 0;
}
