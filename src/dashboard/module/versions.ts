import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { ChannelName } from "../../catalogue/names.ts";
import type { Level } from "../../catalogue/policy.ts";
import { stepLevel } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import { versionChangelog } from "../../promote/body.ts";
import { inForce, periodsNow } from "../../promote/verdict/holding.ts";
import { subjectStates } from "../../promote/verdict/subject.ts";
import { instant, instantText } from "../format.ts";
import { html, NOTHING, outwardLink, type Html } from "../html.ts";
import { signIcon } from "../icons.ts";
import { dataTable, drawn, section, sideScroller } from "../parts.ts";
import { drawApart, type TimelinePicture } from "../picture/picture.ts";
import type { DashboardState } from "../state.ts";
import { moduleEvidence } from "./evidence.ts";
import type { ModuleChannel, ModuleFacts } from "./facts.ts";
import { expectedAt } from "./timeline.ts";

/** One version, and its state in each channel. */
export interface VersionRow {
  readonly version: ModuleVersion;
  /** The step from the next lower version that any channel had; *first* for the lowest. */
  readonly level: Level;
  /** In the order of the channels. */
  readonly places: readonly VersionPlace[];
  /** The kinds of evidence that count for its content, each once. */
  readonly evidence: readonly Evidence["kind"][];
  /** The logins of the people who approved it, from evidence. */
  readonly approvedBy: readonly string[];
  /** The address of its changes in the source repository; `undefined` if the module names no repository. */
  readonly changelog: string | undefined;
}

/** A version in one channel. */
export interface VersionPlace {
  readonly channel: ChannelName;
  /** The periods in which it was served, oldest first. Without `endMs`, it is still served. */
  readonly served: readonly { readonly startMs: number; readonly endMs: number | undefined }[];
  readonly isHotfix: boolean;
  /** Whether it is held out of the channel now. */
  readonly isHeld: boolean;
  /** Its verdict as a candidate; `undefined` if it is not a candidate. */
  readonly candidate: "promote" | "wait" | "blocked" | undefined;
  /** When it may enter the channel, if it only waits for time. */
  readonly expectedMs: number | undefined;
}

/** Every version of a module that a channel ever served or that its folder contains, highest first. */
export function versionRows(
  facts: ModuleFacts,
  { gathered, nowMs }: Pick<DashboardState, "gathered" | "nowMs">,
): readonly VersionRow[] {
  const { history, said, channels } = facts;
  const served = [...history.served.values()].flat().flatMap(({ version }) => version ?? []);
  const all = [...new Set([...served, ...(said?.templates.keys() ?? [])])].sort((a, b) => compareVersions(b, a));
  const holds = channels.map(({ channel }) => inForce(periodsNow(gathered.catalogue, channel, history), nowMs));
  return all.map((version, place): VersionRow => {
    const before = all[place + 1];
    const counting = moduleEvidence(facts, version, nowMs).filter(({ counts }) => counts);
    const approvals = counting.flatMap(({ one }) => (one.kind === "approval" && one.approved ? [one.by] : []));
    const repository = said?.says.links?.repository;
    return {
      version,
      level: stepLevel(before, version),
      places: channels.map((one, index) => ({
        ...versionPlace(version, one, facts),
        isHeld: (holds[index] ?? []).some((period) => period.version === version),
      })),
      evidence: [...new Set(counting.map(({ one }) => one.kind))],
      approvedBy: [...new Set(approvals)],
      changelog: repository === undefined ? undefined : versionChangelog(repository, before, version).at(-1),
    };
  });
}

function versionPlace(
  version: ModuleVersion,
  { channel, status }: ModuleChannel,
  { history, events }: ModuleFacts,
): Omit<VersionPlace, "isHeld"> {
  // New content of the same version continues its period.
  const begins = subjectStates(history, channel.name).filter(
    (state, place, states) => state.version !== states[place - 1]?.version,
  );
  const chosen = status?.verdict?.chosen;
  const candidate = status?.verdict?.candidates.find((one) => one.version === version)?.kind;
  return {
    channel: channel.name,
    served: begins.flatMap((state, place) =>
      state.version === version ? [{ startMs: state.revision.atMs, endMs: begins[place + 1]?.revision.atMs }] : [],
    ),
    isHotfix: events.some(
      (event) =>
        event.kind === "step" && event.how === "hot-fix" && event.channel === channel.name && event.to === version,
    ),
    candidate,
    expectedMs: chosen?.version === version ? expectedAt(status) : undefined,
  };
}

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
