import { lengthText, numberText, percentText } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { section } from "../../parts.ts";
import { shareAfter, type CurvePicture, type RolloutCurve } from "../curve.ts";

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
      const y = heightOf(share);
      const label = share === 0 ? NOTHING : html`<text x="0" y="${y - 4}">${percentText(share)}</text>`;
      return html`<line class="curve-grid" x1="0" x2="100%" y1="${y}" y2="${y}" />${label}`;
    })}
    ${TICKS.filter(({ ms }) => ms < endMs).map(
      ({ ms, text }) =>
        html`<text x="${Math.round(placeOf(ms, endMs) * 1000) / 10}%" y="${BOTTOM + 18}" text-anchor="middle"
          >${text}</text
        >`,
    )}
    <svg width="100%" height="250" viewBox="0 0 1000 250" preserveAspectRatio="none">
      ${curves
        .toReversed()
        .map(
          (curve) =>
            html`<path class="${curve.isReplaced ? "curve-before" : "curve-now"}" d="${pathOf(curve, endMs)}" />`,
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
function pathOf({ points }: RolloutCurve, endMs: number): string {
  const steps = points.map(({ afterMs, share }) => {
    const x = Math.round(placeOf(afterMs, endMs) * 10_000) / 10;
    return `H${x}V${heightOf(share)}`;
  });
  return `M0 ${BOTTOM}${steps.join("")}`;
}

function heightOf(share: number): number {
  return Math.round((BOTTOM - share * (BOTTOM - TOP)) * 10) / 10;
}

/** The position on the logarithmic time axis, 0 to 1. */
function placeOf(ms: number, endMs: number): number {
  return ms <= BEGIN_MS ? 0 : Math.log(ms / BEGIN_MS) / Math.log(endMs / BEGIN_MS);
}
