import { missingText, readyText } from "../../fleet/words.ts";
import type { MissingGroup } from "../../fleet/rollout.ts";
import type { CountedVersion, VersionRollout } from "../../sync/landscapeRollout.ts";
import { instant, numberText, percentText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { signIcon, type Sign } from "../icons.ts";
import { dataTable, section, sideScroller, type ColumnHeading } from "../parts.ts";
import type { SeenRollout } from "./rollouts.ts";
import { countsBar, lengthBetween } from "./head.ts";

/** The roll-out of each version and its previous version by landscape, and the clusters without it. */
export function rolloutSections(rollouts: readonly SeenRollout[], nowMs: number): Html {
  const note = html`<p class="side-note small-text muted-text">
    A state counts once it has held for 10 s. These are the states that lifecycle-manager reports: an Error in a
    module’s own resource does not show here.
  </p>`;
  if (rollouts.length === 0)
    return section(
      "rollout",
      "Roll-out",
      html`<p class="muted-text">No control plane was queried: clusters are not known.</p>`,
    );
  const rows = rollouts.map((seen) => landscapeRows(seen, nowMs));
  const table = dataTable(ROLLOUT_HEADINGS, rows, "wide-table");
  return html`${section("rollout", "Roll-out", html`${sideScroller("Roll-out", table)} ${note}`)}
  ${rollouts.map((seen) => missingSection(seen, nowMs))}`;
}

const NUMBER = "number-cell";
const ROLLOUT_HEADINGS: readonly ColumnHeading[] = [
  ...["Landscape", "Channel", "Version", "Served"],
  ...["Clusters", "Have it", "Share", "Failing"].map((heading) => [heading, NUMBER] as const),
  "From apply to Ready",
];

function landscapeRows({ landscape, rollout, seenMs, blind }: SeenRollout, nowMs: number): Html {
  const said = blind && (seenMs === undefined ? "never seen" : html`not seen since ${instant(blind.sinceMs, nowMs)}`);
  const name = html`<th scope="row">
    ${landscape} ${said === undefined ? NOTHING : signIcon({ icon: "blind", tone: "tone-wait" }, html` ${said}`)}
  </th>`;
  if (rollout === undefined || seenMs === undefined)
    return html`<tr>
      ${name}
      <td colspan="8">never seen: its versions are not known</td>
    </tr>`;
  if (rollout.versions.length === 0)
    return html`<tr>
      ${name}
      <td colspan="8">${rollout.unknown ?? "does not serve it"}</td>
    </tr>`;
  return html`${rollout.versions.map((version) => versionRows(name, version, nowMs))}`;
}

function versionRows(name: Html, version: VersionRollout, nowMs: number): Html {
  const { channel, mandatory, replaced } = version;
  const place = html`${name}
    <td>${mandatory ? "mandatory" : (channel ?? "none")}</td>`;
  const before = html`<td></td>
    <td class="muted-text">previous</td>`;
  return html`${countedRow(place, version, nowMs)}
  ${replaced === undefined ? NOTHING : countedRow(before, replaced, nowMs)}`;
}

function countedRow(place: Html, { version, sinceMs, untilMs, counts, ready }: CountedVersion, nowMs: number): Html {
  const served = html`<td>${lengthBetween(sinceMs, untilMs ?? nowMs)}</td>`;
  const figures =
    counts === undefined
      ? html`<td class="number-cell" colspan="4">clusters are not known</td>`
      : html`<td class="number-cell">${numberText(counts.clusters)}</td>
          <td class="number-cell">${numberText(counts.have)}</td>
          <td class="number-cell">
            ${counts.clusters === 0 ? "–" : percentText(counts.have / counts.clusters)} ${countsBar(counts)}
          </td>
          <td class="number-cell">${numberText(counts.failing)}</td>`;
  return html`<tr>
    ${place}
    <td><b class="${untilMs === undefined ? "tone-move" : "tone-calm"}">${version}</b></td>
    ${served} ${figures}
    <td>${ready === undefined ? "not known" : readyText(ready)}</td>
  </tr>`;
}

function missingSection({ landscape, rollout, blind, seenMs }: SeenRollout, nowMs: number): Html {
  const asOf = blind === undefined || seenMs === undefined ? NOTHING : html`, as of ${instant(seenMs, nowMs)}`;
  const parts = (rollout?.versions ?? []).map(({ channel, version, counts }) => {
    if (counts === undefined || counts.missing.length === 0) return NOTHING;
    const title = html`Not on ${version}: ${numberText(counts.clusters - counts.have)}
      <span>${landscape}, ${channel ?? "no channel"}, by cause${asOf}</span>`;
    return section(`missing-${landscape}-${channel ?? "none"}`, title, causesTable(counts.missing, nowMs));
  });
  return html`${parts}`;
}

function causesTable(groups: readonly MissingGroup[], nowMs: number): Html {
  const headings = ["Cause", ["Clusters", NUMBER], "The oldest, and for how long"] as const;
  return dataTable(
    headings,
    groups.map((group) => causeRow(group, nowMs)),
    "stacking-table",
  );
}

function causeRow(group: MissingGroup, nowMs: number): Html {
  const { why, cause, count, oldest } = group;
  const names = oldest.map(
    ({ name, sinceMs }, place) =>
      html`${place === 0 ? "" : ", "}<span
          >${name}${sinceMs === undefined ? "" : ` ${lengthBetween(sinceMs, nowMs)}`}</span
        >`,
  );
  return html`<tr>
    <td class="cause-cell">
      <div>
        ${signIcon(SIGNS[why])}
        <span>
          ${missingText(group)}${cause === undefined ? "" : `: ${cause}`}
          ${why === "maintenance" ? html`<span class="muted-text">This is not a failure.</span>` : NOTHING}
        </span>
      </div>
    </td>
    <td class="number-cell"><b>${numberText(count)}</b></td>
    <td class="cluster-names code-text muted-text">${names}${count > oldest.length ? ", …" : ""}</td>
  </tr>`;
}

const SIGNS: Readonly<Record<MissingGroup["why"], Sign>> = {
  maintenance: { icon: "wait", tone: "tone-wait" },
  downgrade: { icon: "warn", tone: "tone-wait" },
  unmanaged: { icon: "unmanaged", tone: "tone-calm" },
  deleting: { icon: "delete", tone: "tone-calm" },
  skipped: { icon: "hold", tone: "tone-calm" },
  processing: { icon: "move", tone: "tone-move" },
  changing: { icon: "move", tone: "tone-move" },
  error: { icon: "block", tone: "tone-stop" },
  forgotten: { icon: "block", tone: "tone-stop" },
  overdue: { icon: "block", tone: "tone-stop" },
  warning: { icon: "warn", tone: "tone-wait" },
  behind: { icon: "none", tone: "tone-calm" },
  ahead: { icon: "none", tone: "tone-calm" },
  unsaid: { icon: "blind", tone: "tone-wait" },
};
