import { MISSING_WORDS } from "../../fleet/words.ts";
import type { EntryClusters } from "../../sync/entryClusters.ts";
import type { EntryStatus, LandscapeStatus } from "../../sync/landscapeStatus.ts";
import { age, countdown, numberText, percentText } from "../format.ts";
import { html, type Html } from "../html.ts";
import { dataTable, sideScroller } from "../parts.ts";

const HEADINGS = ["Module", "Channel", "Serves", "For", "Users", "Have it", "Worst", "Clusters", "Soak", "Wanted"];

/** The entries of a landscape, one row each. */
export function entriesTable(status: LandscapeStatus, nowMs: number): Html {
  const { entries } = status;
  if (entries.length === 0) return html`<p>Nothing is served.</p>`;
  const rows = entries.map((entry) => entryRow(status, entry, nowMs));
  return sideScroller("Entries", dataTable(HEADINGS, rows, "stacking-table entry-table"));
}

function entryRow({ landscape }: LandscapeStatus, entry: EntryStatus, nowMs: number): Html {
  const { channel, module, mandatory, version, sinceMs, users, clusters, soaks } = entry;
  const fleet = new URLSearchParams({ landscape, module, ...(mandatory ? {} : { channel }) });
  const soaking = soaks.map(({ landscape: place, soaked }) => {
    const stand = soaked.kind === "soaking" ? countdown(soaked.untilMs, nowMs) : soaked.kind;
    return html`<div>${place} ${stand}</div>`;
  });
  return html`<tr role="row">
    <th scope="row"><a href="/modules/${encodeURIComponent(module)}">${module}</a></th>
    <td role="cell">${channel}</td>
    <td class="right-cell served-cell" role="cell">${version ?? "–"}</td>
    <td class="unbroken-text right-cell age-cell" role="cell">
      ${sinceMs === undefined ? "not known" : age(sinceMs, nowMs)}
    </td>
    <td class="users-cell" role="cell">
      <a href="/fleet?${fleet.toString()}">${users === undefined ? "not known" : numberText(users)}</a>
    </td>
    <td class="right-cell" role="cell">${shareText(clusters)}</td>
    <td role="cell">${clusters?.worst === undefined ? "–" : MISSING_WORDS[clusters.worst]}</td>
    <td class="right-cell" role="cell">${countsText(clusters)}</td>
    <td class="unbroken-text" role="cell">${soaking.length === 0 ? "–" : soaking}</td>
    <td class="right-cell" role="cell">${wantedText(entry)}</td>
  </tr>`;
}

function wantedText({ wanted, isWantedKnown }: EntryStatus): string {
  if (wanted === undefined) return isWantedKnown ? "in order" : "not known";
  return `${wanted.kind} ${wanted.version ?? ""}`.trim();
}

/** The clusters that have the version; a dash without any that should. */
function shareText(clusters: EntryClusters | undefined): string {
  if (clusters === undefined) return "not known";
  const { asked, have } = clusters;
  return asked === 0 ? "–" : `${numberText(have)} of ${numberText(asked)} (${percentText(have / asked)})`;
}

function countsText(clusters: EntryClusters | undefined): string {
  if (clusters === undefined) return "not known";
  const { inOrder, pending, failing } = clusters.counts;
  const parts = [
    [inOrder, "in order"],
    [pending, "pending"],
    [failing.count, "failing"],
  ] as const;
  const counts = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${numberText(count)} ${word}`]));
  return counts.join(", ") || "none";
}
