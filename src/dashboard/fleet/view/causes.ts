import { counted } from "../../../document/counted.ts";
import { age, numberText } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { signIcon } from "../../icons.ts";
import { dataTable, section, shareBar } from "../../parts.ts";
import { fleetAddress, type FleetPlace } from "../address.ts";
import type { Cause, Causes } from "../causes.ts";
import { capitalised, lackingSign, lackingText } from "./words.ts";

/** Why clusters do not have the wanted version, with one row for equal messages. */
export function causesSection(place: FleetPlace, { clusters, causes, rest }: Causes, nowMs: number): Html {
  if (clusters === 0) return NOTHING;
  const count = counted(causes.length + rest.causes, "cause");
  const more =
    rest.causes === 0
      ? NOTHING
      : html`<p class="more-text wrapping-line small-text muted-text">
          and ${counted(rest.causes, "more cause")} on ${numberText(rest.clusters)} clusters
        </p>`;
  const share = html`<span class="visually-hidden">Share of ${numberText(clusters)}</span>`;
  const headings = ["Cause", ["Clusters", "number-cell"], share, ["Oldest", "number-cell"]] as const;
  return section(
    "why",
    html`Why not yet <span>${numberText(clusters)} clusters, ${count}; equal messages are grouped</span>`,
    html`${dataTable(
      headings,
      causes.map((cause) => causeRow(place, cause, clusters, nowMs)),
      "stacking-table",
    )}
    ${more}`,
  );
}

function causeRow(place: FleetPlace, cause: Cause, clusters: number, nowMs: number): Html {
  const { key, lacking, count, oldestMs, mostly } = cause;
  const note =
    mostly === undefined ? NOTES.get(lacking.why) : `${numberText(mostly.count)} of them in ${mostly.region}`;
  return html`<tr role="row">
    <td class="cause-cell" role="cell">
      <div>
        ${signIcon(lackingSign(lacking))}
        <span>
          <a href="${fleetAddress(place, { cause: key })}">${capitalised(lackingText(lacking))}</a>
          ${note === undefined ? NOTHING : html`<small>${note}</small>`}
        </span>
      </div>
    </td>
    <td class="number-cell" role="cell"><b>${numberText(count)}</b></td>
    <td class="share-cell" role="cell">${shareBar(count / clusters, lackingSign(lacking).tone)}</td>
    <td class="number-cell unbroken-text muted-text oldest-cell" role="cell">
      ${oldestMs === undefined ? "not known" : age(oldestMs, nowMs)}
    </td>
  </tr>`;
}

const NOTES: ReadonlyMap<Cause["lacking"]["why"], string> = new Map([
  ["maintenance", "This is not a failure."],
  ["unmanaged", "Its version is not known, and never counts as served."],
  ["downgrade", "It ends when its channel serves that version or a higher one."],
  ["skipped", "operator.kyma-project.io/skip-reconciliation"],
]);
