import { age, numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { dataTable, section, sideScroller, type ColumnHeading } from "../parts.ts";
import { besideAddress, clusterAddress, fleetAddress, type FleetPlace } from "./filter.ts";
import type { ClusterRow } from "./clusters.ts";
import type { ClusterPage, FleetView } from "./filteredFleet.ts";
import { channelText, lackingText, regionText, stateIcon, versionText } from "./words.ts";

const HEADINGS: readonly ColumnHeading[] = [
  "Cluster",
  ["Region", "region-cell"],
  ["Channel", "channel-cell"],
  ["Runs", "running-cell"],
  ["Wanted", "wanted-cell"],
  ["State", "state-cell"],
  ["Since", "number-cell since-cell"],
  ["Why not yet", "missing-reason"],
];

/** One page of fifty clusters, failing ones first. `beside` is the cluster in the drawer. */
export function clustersSection(
  place: FleetPlace,
  { page, left }: Pick<FleetView, "page" | "left">,
  beside: string | undefined,
  nowMs: number,
): Html {
  const rows = page.rows.map((row) => clusterRow(row, { place, number: page.number, beside, nowMs }));
  return section(
    "clusters",
    html`Clusters <span>failing first, then the longest without the wanted version</span>`,
    html`${sideScroller("Clusters", dataTable(HEADINGS, rows, "cluster-table wide-table stacking-table"))}
    ${pageLinks(place, page, left)}`,
  );
}

interface RowContext {
  readonly place: FleetPlace;
  /** The page of the row. */
  readonly number: number;
  readonly beside: string | undefined;
  readonly nowMs: number;
}

/** A click on the name opens the cluster in a drawer; without scripts, on its own page. */
function clusterRow(row: ClusterRow, { place, number, beside, nowMs }: RowContext): Html {
  const { name, region, runs, wanted, state, sinceMs, lacking } = row;
  const [own, drawer] = [clusterAddress(place.landscape, name), besideAddress(place, number, name)];
  return html`<tr role="row" ${name === beside ? html`aria-current="true"` : NOTHING}>
    <th scope="row"><a href="${own}" data-beside="${drawer}">${name}</a></th>
    <td class="region-cell" role="cell">${regionText(region)}</td>
    <td class="channel-cell" role="cell">${channelText(row)}</td>
    <td class="running-cell" role="cell">${versionText(runs)}</td>
    <td class="wanted-cell" role="cell">${wanted ?? "–"}</td>
    <td class="state-cell" role="cell">${stateIcon(state)} ${state}</td>
    <td class="number-cell since-cell muted-text" role="cell">
      ${sinceMs === undefined ? "not known" : age(sinceMs, nowMs)}
    </td>
    <td class="missing-reason ${lacking === undefined ? "nothing-missing" : ""}" role="cell">
      ${lacking === undefined ? "–" : lackingText(lacking)}
    </td>
  </tr>`;
}

function pageLinks(place: FleetPlace, { number, pages }: ClusterPage, left: number): Html {
  const link = (to: number, text: string): Html => html`<a href="${fleetAddress(place, {}, to)}#clusters">${text}</a>`;
  return html`<p class="more-text wrapping-line small-text muted-text">
    <span>Page ${numberText(number)} of ${numberText(pages)}, ${numberText(left)} in all</span>
    <span>
      ${number > 1 ? link(number - 1, "Previous 50") : NOTHING}
      ${number < pages ? link(number + 1, "Next 50") : NOTHING}
    </span>
  </p>`;
}
