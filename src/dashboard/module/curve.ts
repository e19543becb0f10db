import type { CountedVersion } from "../../sync/landscapeRollout.ts";
import { lengthText, numberText, percentText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { section } from "../parts.ts";
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
export function rolloutCurves(rollouts: readonly SeenRollout[], nowMs: number): readonly CurvePicture[] {
  return rollouts.flatMap(({ landscape, rollout, seenMs = nowMs, blind }) =>
    (rollout?.versions ?? []).flatMap((version): CurvePicture[] => {
      const both = [versionCurve(version, seenMs), version.replaced && versionCurve(version.replaced, seenMs)];
      const curves = both.filter((curve) => curve !== undefined);
      const endMs = Math.max(SHORTEST_MS, ...curves.map(({ points }) => points.at(-1)?.afterMs ?? 0));
      const channel = version.channel ?? "mandatory";
      return curves.length === 0 ? [] : [{ landscape, channel, endMs, isSeen: blind === undefined, curves }];
    }),
  );
}

function versionCurve(
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

/** A picture for each landscape and channel with known times to Ready. */
export function curveSections(pictures: readonly CurvePicture[]): Html {
  return pictures.length === 0 ? NOTHING : html`<div class="two-columns">${pictures.map(curveSection)}</div>`;
}

function curveSection({ landscape, channel, endMs, isSeen, curves }: CurvePicture): Html {
  const id = `curve-${landscape}-${channel}`;
  const told = curves.map((curve) => curveText(curve, isSeen));
  const drawing = html`<svg class="rollout-curve" role="img" aria-labelledby="${id}-drawn">
    <title id="${id}-drawn">
      Share of the clusters that were seen to upgrade or are still without it, by time since the apply.
      ${told.join(". ")}.
    </title>
    ${SHARES.map((share) => {
      const y = shareHeight(share);
      const label = share === 0 ? NOTHING : html`<text x="0" y="${y - 4}">${percentText(share)}</text>`;
      return html`<line class="curve-grid" x1="0" x2="100%" y1="${y}" y2="${y}" />${label}`;
    })}
    ${TICKS.filter(({ ms }) => ms < endMs).map(
      ({ ms, text }) =>
        html`<text x="${Math.round(instantPlace(ms, endMs) * 1000) / 10}%" y="${BOTTOM + 18}" text-anchor="middle"
          >${text}</text
        >`,
    )}
    <svg width="100%" height="250" viewBox="0 0 1000 250" preserveAspectRatio="none">
      ${curves
        .toReversed()
        .map(
          (curve) =>
            html`<path class="${curve.isReplaced ? "curve-before" : "curve-now"}" d="${curvePath(curve, endMs)}" />`,
        )}
    </svg>
  </svg>`;
  const words = html`<ul class="curve-legend">
    ${curves.map((curve, place) => html`<li class="${curve.isReplaced ? "curve-before" : "curve-now"}">${told[place]}</li>`)}
  </ul>`;
  const title = html`Roll-out on ${landscape}, ${channel}
    <span>of clusters seen to upgrade or still without it, by time since the apply</span>`;
  return section(id, title, html`${drawing} ${words}`);
}

const [TOP, BOTTOM] = [20, 220];
const SHARES = [0, 0.25, 0.5, 0.75, 1];
/** The start of the time axis. Shorter times are at its left end. Milliseconds. */
const BEGIN_MS = 5_000;
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const TICKS = [
  { ms: MINUTE, text: "1 min" },
  { ms: 5 * MINUTE, text: "5 min" },
  { ms: HOUR, text: "1 h" },
  { ms: 6 * HOUR, text: "6 h" },
  { ms: DAY, text: "1 d" },
  { ms: 7 * DAY, text: "7 d" },
];

/** Such as `1.17.1: at least 71 % after 5 min, 92 % of 8 906 clusters now, after 4 h 38 min`. */
function curveText(curve: RolloutCurve, isSeen: boolean): string {
  const last = curve.points.at(-1);
  const early = TICKS.slice(1, 3).flatMap(({ ms, text }) => {
    const share = shareAfter(curve, ms);
    return share === undefined || share === 0 ? [] : [`at least ${percentText(share)} after ${text}`];
  });
  const whole = `${percentText(last?.share ?? 0)} of ${numberText(curve.clusters)} clusters`;
  const now = isSeen ? "now" : "when the landscape was last seen";
  const when = `${curve.isReplaced ? "when it was replaced" : now}, after ${lengthText(last?.afterMs ?? 0)}`;
  return `${curve.version}: ${[...early, `${whole} ${when}`].join(", ")}`;
}

/** A path with steps, because the times between two points are unknown. */
function curvePath({ points }: RolloutCurve, endMs: number): string {
  const steps = points.map(({ afterMs, share }) => {
    const x = Math.round(instantPlace(afterMs, endMs) * 10_000) / 10;
    return `H${x}V${shareHeight(share)}`;
  });
  return `M0 ${BOTTOM}${steps.join("")}`;
}

function shareHeight(share: number): number {
  return Math.round((BOTTOM - share * (BOTTOM - TOP)) * 10) / 10;
}

/** The position on the logarithmic time axis, 0 to 1. */
function instantPlace(ms: number, endMs: number): number {
  return ms <= BEGIN_MS ? 0 : Math.log(ms / BEGIN_MS) / Math.log(endMs / BEGIN_MS);
}
