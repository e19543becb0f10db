import { age, numberText } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { scroller, section } from "../../parts.ts";
import { clusterAddress, fleetAddress, type FleetPlace } from "../address.ts";
import type { ClusterRow } from "../clusters.ts";
import type { ClusterPage } from "../fleet.ts";
import { lackingText, regionText, stateIcon, versionText } from "./words.ts";

const HEADINGS = ["Cluster", "Region", "Channel", "Runs", "Wanted", "State", "Since", "Why not yet"] as const;
const CLASSES: readonly string[] = ["", "reg", "ch", "rn", "wn", "st", "num sn", "wf"];

/** Fifty of the clusters, what fails first. */
export function clustersSection(place: FleetPlace, page: ClusterPage, left: number, nowMs: number): Html {
  return section(
    "clusters",
    html`Clusters <span>what fails first, then what lacks the wanted version for longest</span>`,
    html`${scroller(
      "Clusters",
      html`<table class="tb cl stack" role="table">
        <thead>
          <tr>
            ${HEADINGS.map((heading, index) => html`<th scope="col" class="${CLASSES[index]}">${heading}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${page.rows.map((row) => clusterRow(place.landscape, row, nowMs))}
        </tbody>
      </table>`,
    )}
    ${turning(place, page, left)}`,
  );
}

function clusterRow(landscape: string, row: ClusterRow, nowMs: number): Html {
  const { name, region, channel, runs, wanted, state, sinceMs, lacking } = row;
  return html`<tr role="row">
    <th scope="row"><a href="${clusterAddress(landscape, name)}">${name}</a></th>
    <td class="reg" role="cell">${regionText(region)}</td>
    <td class="ch" role="cell">${channel ?? "not served"}</td>
    <td class="rn" role="cell">${versionText(runs)}</td>
    <td class="wn" role="cell">${wanted ?? "–"}</td>
    <td class="st" role="cell">${stateIcon(state)} ${state}</td>
    <td class="num sn muted" role="cell">${sinceMs === undefined ? "not known" : age(sinceMs, nowMs)}</td>
    <td class="wf" role="cell">${lacking === undefined ? "–" : lackingText(lacking)}</td>
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
