import { age, numberText } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { scroller, section } from "../../parts.ts";
import { besideAddress, clusterAddress, fleetAddress, type FleetPlace } from "../address.ts";
import type { ClusterRow } from "../clusters.ts";
import type { ClusterPage, FleetView } from "../fleet.ts";
import { channelText, lackingText, regionText, stateIcon, versionText } from "./words.ts";

const HEADINGS = ["Cluster", "Region", "Channel", "Runs", "Wanted", "State", "Since", "Why not yet"] as const;
const CLASSES: readonly string[] = ["", "reg", "ch", "rn", "wn", "st", "num sn", "wf"];

/** One page of fifty clusters, failing ones first. `beside` is the cluster in the drawer. */
export function clustersSection(
  place: FleetPlace,
  { page, left }: Pick<FleetView, "page" | "left">,
  beside: string | undefined,
  nowMs: number,
): Html {
  return section(
    "clusters",
    html`Clusters <span>failing first, then the longest without the wanted version</span>`,
    html`${scroller(
      "Clusters",
      html`<table class="tb cl stack" role="table">
        <thead>
          <tr>
            ${HEADINGS.map((heading, index) => html`<th scope="col" class="${CLASSES[index]}">${heading}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${page.rows.map((row) => clusterRow(row, { place, number: page.number, beside, nowMs }))}
        </tbody>
      </table>`,
    )}
    ${turning(place, page, left)}`,
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
    <td class="reg" role="cell">${regionText(region)}</td>
    <td class="ch" role="cell">${channelText(row)}</td>
    <td class="rn" role="cell">${versionText(runs)}</td>
    <td class="wn" role="cell">${wanted ?? "–"}</td>
    <td class="st" role="cell">${stateIcon(state)} ${state}</td>
    <td class="num sn muted" role="cell">${sinceMs === undefined ? "not known" : age(sinceMs, nowMs)}</td>
    <td class="wf ${lacking === undefined ? "nil" : ""}" role="cell">
      ${lacking === undefined ? "–" : lackingText(lacking)}
    </td>
  </tr>`;
}

function turning(place: FleetPlace, { number, pages }: ClusterPage, left: number): Html {
  const link = (to: number, text: string): Html => html`<a href="${fleetAddress(place, {}, to)}#clusters">${text}</a>`;
  return html`<p class="more">
    <span>Page ${numberText(number)} of ${numberText(pages)}, ${numberText(left)} in all</span>
    <span>
      ${number > 1 ? link(number - 1, "Previous 50") : NOTHING}
      ${number < pages ? link(number + 1, "Next 50") : NOTHING}
    </span>
  </p>`;
}
