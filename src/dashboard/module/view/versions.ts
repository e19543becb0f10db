import type { TimelinePicture } from "../../picture/picture.ts";
import { drawApart } from "../../picture/picture.ts";
import { instant, instantText } from "../../format.ts";
import { html, NOTHING, outwardLink, type Html } from "../../html.ts";
import { signIcon } from "../../icons.ts";
import { dataTable, drawn, section, sideScroller } from "../../parts.ts";
import type { ModuleChannel } from "../facts.ts";
import type { VersionPlace, VersionRow } from "../versions.ts";

/** The width of the channel names, of 1000. */
const LABELS = 110;

/** The versions of each channel over time. The picture scrolls by itself, and starts at now. */
export function timelineSection(picture: TimelinePicture | undefined): Html {
  if (picture === undefined) return NOTHING;
  const { labels, chart } = drawApart(picture, LABELS);
  const key = html`<span class="timeline-key wrapping-line">
    ${barKey("hotfix-bar", "hot-fix")} ${barKey("expected-bar", "expected")}
    ${barKey("channel-bar", "held (at the foot)", "held-bar")}
  </span>`;
  const content = html`<div class="channel-timeline bordered-box">
    ${drawn(labels)}
    <div class="timeline-scroller" tabindex="0" role="region" aria-label="Timeline, scrolls sideways">
      ${drawn(chart)}
    </div>
  </div>`;
  return section("time", html`Timeline ${key}`, content);
}

function barKey(style: string, meaning: string, bar = ""): Html {
  return html`<span class="icon-line">
    <svg aria-hidden="true" class="key-sign" viewBox="0 0 18 10">
      <g class="channel-bar ${style}"><rect class="${bar}" x="0.5" y="0.5" width="17" height="9" /></g>
    </svg>
    ${meaning}
  </span>`;
}

/** The versions, one row each: level, periods by channel, and evidence. */
export function versionsSection(rows: readonly VersionRow[], channels: readonly ModuleChannel[], nowMs: number): Html {
  if (rows.length === 0)
    return section("versions", "Versions", html`<p class="muted-text">No channel ever served a version.</p>`);
  const headings = [
    ...["Version", "Level"],
    ...channels.map(({ channel }) => `In ${channel.name}`),
    ...["Evidence that counts", "Approved by", "What changed"],
  ];
  const table = dataTable(
    headings,
    rows.map((row) => versionRow(row, nowMs)),
    "wide-table",
  );
  return section("versions", "Versions", sideScroller("Versions", table));
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
      ? signIcon(MOVE, html` since ${instant(startMs, nowMs)}`)
      : html`<span>${dayText(startMs, nowMs)} to ${dayText(endMs, nowMs)}</span>`,
  );
  const fix = isHotfix ? signIcon({ icon: "fix", tone: "tone-fix" }, " hot-fix") : NOTHING;
  const hold = isHeld ? signIcon({ icon: "hold", tone: "tone-stop" }, " held") : NOTHING;
  const next =
    times.length > 0 || isHeld || candidate === undefined ? NOTHING : CANDIDATES[candidate](expectedMs, nowMs);
  const isNothing = times.length === 0 && !isHeld && candidate === undefined;
  return html`<span class="stacked-lines"
    >${times} ${fix} ${hold} ${next} ${isNothing ? html`<span class="muted-text">never</span>` : NOTHING}</span
  >`;
}

const MOVE = { icon: "move", tone: "tone-move" } as const;

const CANDIDATES: Readonly<
  Record<NonNullable<VersionPlace["candidate"]>, (expectedMs: number | undefined, nowMs: number) => Html>
> = {
  promote: () => signIcon(MOVE, " may be promoted now"),
  wait: (expectedMs, nowMs) =>
    signIcon(
      { icon: "wait", tone: "tone-wait" },
      html` ${expectedMs === undefined ? "waits" : html`expected ${instant(expectedMs, nowMs)}`}`,
    ),
  blocked: () => signIcon({ icon: "block", tone: "tone-stop" }, " blocked"),
};

/** The day of an instant, or its time if it is today. */
function dayText(ms: number, nowMs: number): string {
  return instantText(ms, nowMs).replace(/,.*$/, "");
}
