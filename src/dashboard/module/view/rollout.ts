import { missingText, readyText } from "../../../fleet/words.ts";
import type { MissingGroup } from "../../../fleet/rollout.ts";
import type { CountedVersion, VersionRollout } from "../../../sync/landscapeRollout.ts";
import { instant, numberText, percentText } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { icon, type IconName } from "../../icons.ts";
import { scroller, section } from "../../parts.ts";
import type { SeenRollout } from "../rollouts.ts";
import { barOf, lengthBetween } from "./head.ts";

/** The roll-out of each version and its previous version by landscape, and the clusters without it. */
export function rolloutSections(rollouts: readonly SeenRollout[], nowMs: number): Html {
  const note = html`<p class="note">
    A state counts once it has held for 10 s. These are the states that lifecycle-manager reports: an Error in a
    module’s own resource does not show here.
  </p>`;
  if (rollouts.length === 0)
    return section(
      "rollout",
      "Roll-out",
      html`<p class="muted">No control plane was queried: clusters are not known.</p>`,
    );
  const table = html`<table class="tb wide">
    <thead>
      <tr>
        <th scope="col">Landscape</th>
        <th scope="col">Channel</th>
        <th scope="col">Version</th>
        <th scope="col">Served</th>
        <th scope="col" class="num">Clusters</th>
        <th scope="col" class="num">Have it</th>
        <th scope="col" class="num">Share</th>
        <th scope="col" class="num">Failing</th>
        <th scope="col">From apply to Ready</th>
      </tr>
    </thead>
    <tbody>
      ${rollouts.map((seen) => landscapeRows(seen, nowMs))}
    </tbody>
  </table>`;
  return html`${section("rollout", "Roll-out", html`${scroller("Roll-out", table)} ${note}`)}
  ${rollouts.map((seen) => missingSection(seen, nowMs))}`;
}

function landscapeRows({ landscape, rollout, seenMs, blind }: SeenRollout, nowMs: number): Html {
  const said = blind && (seenMs === undefined ? "never seen" : html`not seen since ${instant(blind.sinceMs, nowMs)}`);
  const name = html`<th scope="row">
    ${landscape} ${said === undefined ? NOTHING : html`<span class="c-wait">${icon("blind")} ${said}</span>`}
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
    <td class="muted">previous</td>`;
  return html`${countedRow(place, version, nowMs)}
  ${replaced === undefined ? NOTHING : countedRow(before, replaced, nowMs)}`;
}

function countedRow(place: Html, { version, sinceMs, untilMs, counts, ready }: CountedVersion, nowMs: number): Html {
  const served = html`<td>${lengthBetween(sinceMs, untilMs ?? nowMs)}</td>`;
  const figures =
    counts === undefined
      ? html`<td class="num" colspan="4">clusters are not known</td>`
      : html`<td class="num">${numberText(counts.clusters)}</td>
          <td class="num">${numberText(counts.have)}</td>
          <td class="num">
            ${counts.clusters === 0 ? "–" : percentText(counts.have / counts.clusters)} ${barOf(counts)}
          </td>
          <td class="num">${numberText(counts.failing)}</td>`;
  return html`<tr>
    ${place}
    <td><b class="${untilMs === undefined ? "c-move" : "c-ok"}">${version}</b></td>
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
  return html`<table class="tb stack">
    <thead>
      <tr>
        <th scope="col">Cause</th>
        <th scope="col" class="num">Clusters</th>
        <th scope="col">The oldest, and for how long</th>
      </tr>
    </thead>
    <tbody>
      ${groups.map((group) => causeRow(group, nowMs))}
    </tbody>
  </table>`;
}

function causeRow(group: MissingGroup, nowMs: number): Html {
  const { why, cause, count, oldest } = group;
  const [style, picture] = SIGNS[why];
  const names = oldest.map(
    ({ name, sinceMs }, place) =>
      html`${place === 0 ? "" : ", "}<span
          >${name}${sinceMs === undefined ? "" : ` ${lengthBetween(sinceMs, nowMs)}`}</span
        >`,
  );
  return html`<tr>
    <td class="cause">
      <div>
        <span class="${style}">${icon(picture)}</span>
        <span>
          ${missingText(group)}${cause === undefined ? "" : `: ${cause}`}
          ${why === "maintenance" ? html`<span class="muted">This is not a failure.</span>` : NOTHING}
        </span>
      </div>
    </td>
    <td class="num"><b>${numberText(count)}</b></td>
    <td class="names mono">${names}${count > oldest.length ? ", …" : ""}</td>
  </tr>`;
}

const SIGNS: Readonly<Record<MissingGroup["why"], readonly [style: string, picture: IconName]>> = {
  maintenance: ["c-wait", "wait"],
  downgrade: ["c-wait", "warn"],
  unmanaged: ["c-ok", "unmanaged"],
  deleting: ["c-ok", "delete"],
  skipped: ["c-ok", "hold"],
  processing: ["c-move", "move"],
  changing: ["c-move", "move"],
  error: ["c-stop", "block"],
  forgotten: ["c-stop", "block"],
  overdue: ["c-stop", "block"],
  warning: ["c-wait", "warn"],
  behind: ["c-ok", "none"],
  ahead: ["c-ok", "none"],
  unsaid: ["c-wait", "blind"],
};
