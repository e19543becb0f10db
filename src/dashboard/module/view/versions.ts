import type { TimelinePicture } from "../../../promote/picture/picture.ts";
import { drawApart } from "../../../promote/picture/picture.ts";
import { instant, instantText } from "../../format.ts";
import { html, NOTHING, outwardLink, type Html } from "../../html.ts";
import { icon } from "../../icons.ts";
import { drawn, scroller, section } from "../../parts.ts";
import type { ModuleChannel } from "../facts.ts";
import type { VersionPlace, VersionRow } from "../versions.ts";

/** The width of the channel names, of 1000. */
const LABELS = 110;

/** The versions of each channel over time. The picture scrolls by itself, and starts at now. */
export function timelineSection(picture: TimelinePicture | undefined): Html {
  if (picture === undefined) return NOTHING;
  const { labels, chart } = drawApart(picture, LABELS);
  const key = html`<span class="k">
    ${keyOf("fix", "hot-fix")} ${keyOf("expected", "expected")} ${keyOf("held-key", "held (at the foot)")}
  </span>`;
  const content = html`<div class="tl">
    ${drawn(labels)}
    <div class="tlx" tabindex="0" role="region" aria-label="Timeline, scrolls sideways">${drawn(chart)}</div>
  </div>`;
  return section("time", html`Timeline ${key}`, content);
}

function keyOf(style: string, meaning: string): Html {
  return html`<span class="key">
    <svg aria-hidden="true" class="sign" viewBox="0 0 18 10">
      <g class="channel ${style}"><rect x="0.5" y="0.5" width="17" height="9" /></g>
    </svg>
    ${meaning}
  </span>`;
}

/** The versions, one row each: level, periods by channel, and evidence. */
export function versionsSection(rows: readonly VersionRow[], channels: readonly ModuleChannel[], nowMs: number): Html {
  if (rows.length === 0)
    return section("versions", "Versions", html`<p class="muted">No channel ever served a version.</p>`);
  const table = html`<table class="tb wide">
    <thead>
      <tr>
        <th scope="col">Version</th>
        <th scope="col">Level</th>
        ${channels.map(({ channel }) => html`<th scope="col">In ${channel.name}</th>`)}
        <th scope="col">Evidence that counts</th>
        <th scope="col">Approved by</th>
        <th scope="col">What changed</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => versionRow(row, nowMs))}
    </tbody>
  </table>`;
  return section("versions", "Versions", scroller("Versions", table));
}

function versionRow({ version, level, places, evidence, approvedBy, changelog }: VersionRow, nowMs: number): Html {
  return html`<tr>
    <th scope="row" id="v-${version}">${version}</th>
    <td>${level}</td>
    ${places.map((place) => html`<td>${placeText(place, nowMs)}</td>`)}
    <td>${evidence.join(", ") || "none"}</td>
    <td>${approvedBy.join(", ") || "–"}</td>
    <td>${changelog === undefined ? "–" : outwardLink(changelog, "compare")}</td>
  </tr>`;
}

function placeText({ served, isHotfix, isHeld, candidate, expectedMs }: VersionPlace, nowMs: number): Html {
  const times = served.map(({ startMs, endMs }) =>
    endMs === undefined
      ? html`<span class="c-move">${icon("move")} since ${instant(startMs, nowMs)}</span>`
      : html`<span>${dayText(startMs, nowMs)} to ${dayText(endMs, nowMs)}</span>`,
  );
  const fix = isHotfix ? html`<span class="c-fix">${icon("fix")} hot-fix</span>` : NOTHING;
  const hold = isHeld ? html`<span class="c-stop">${icon("hold")} held</span>` : NOTHING;
  const next =
    times.length > 0 || isHeld || candidate === undefined ? NOTHING : CANDIDATES[candidate](expectedMs, nowMs);
  const isNothing = times.length === 0 && !isHeld && candidate === undefined;
  return html`<span class="places"
    >${times} ${fix} ${hold} ${next} ${isNothing ? html`<span class="muted">never</span>` : NOTHING}</span
  >`;
}

const CANDIDATES: Readonly<
  Record<NonNullable<VersionPlace["candidate"]>, (expectedMs: number | undefined, nowMs: number) => Html>
> = {
  promote: () => html`<span class="c-move">${icon("move")} may be promoted now</span>`,
  wait: (expectedMs, nowMs) =>
    html`<span class="c-wait">
      ${icon("wait")} ${expectedMs === undefined ? "waits" : html`expected ${instant(expectedMs, nowMs)}`}
    </span>`,
  blocked: () => html`<span class="c-stop">${icon("block")} blocked</span>`,
};

/** The day of an instant, or its time if it is today. */
function dayText(ms: number, nowMs: number): string {
  return instantText(ms, nowMs).replace(/,.*$/, "");
}
