import { counted } from "../../../document/counted.ts";
import { age, numberText } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { section } from "../../parts.ts";
import { fleetAddress, type FleetPlace } from "../address.ts";
import type { Cause, Causes } from "../causes.ts";
import { barOf, capitalised, lackingIcon, lackingText } from "./words.ts";

/** Why clusters do not have the wanted version, with one row for equal messages. */
export function causesSection(place: FleetPlace, { clusters, causes, rest }: Causes, nowMs: number): Html {
  if (clusters === 0) return NOTHING;
  const count = counted(causes.length + rest.causes, "cause");
  const more =
    rest.causes === 0
      ? NOTHING
      : html`<p class="more">and ${counted(rest.causes, "more cause")} on ${numberText(rest.clusters)} clusters</p>`;
  return section(
    "why",
    html`Why not yet <span>${numberText(clusters)} clusters, ${count}; equal messages are grouped</span>`,
    html`<table class="tb stack" role="table">
        <thead>
          <tr>
            <th scope="col">Cause</th>
            <th scope="col" class="num">Clusters</th>
            <th scope="col"><span class="vh">Share of ${numberText(clusters)}</span></th>
            <th scope="col" class="num">Oldest</th>
          </tr>
        </thead>
        <tbody>
          ${causes.map((cause) => causeRow(place, cause, clusters, nowMs))}
        </tbody>
      </table>
      ${more}`,
  );
}

function causeRow(place: FleetPlace, cause: Cause, clusters: number, nowMs: number): Html {
  const { key, lacking, count, oldestMs, mostly } = cause;
  const note =
    mostly === undefined ? NOTES.get(lacking.why) : `${numberText(mostly.count)} of them in ${mostly.region}`;
  return html`<tr role="row">
    <td class="cause" role="cell">
      <div>
        ${lackingIcon(lacking)}
        <span>
          <a href="${fleetAddress(place, { cause: key })}">${capitalised(lackingText(lacking))}</a>
          ${note === undefined ? NOTHING : html`<small>${note}</small>`}
        </span>
      </div>
    </td>
    <td class="num" role="cell"><b>${numberText(count)}</b></td>
    <td class="share" role="cell">
      <svg class="bar" aria-hidden="true">
        <rect class="f-track" width="100%" height="100%" />
        <rect class="${barOf(lacking)}" width="${((count / clusters) * 100).toFixed(1)}%" height="100%" />
      </svg>
    </td>
    <td class="num nb muted ol" role="cell">${oldestMs === undefined ? "not known" : age(oldestMs, nowMs)}</td>
  </tr>`;
}

const NOTES: ReadonlyMap<Cause["lacking"]["why"], string> = new Map([
  ["maintenance", "This is not a failure."],
  ["unmanaged", "Its version is not known, and never counts as served."],
  ["downgrade", "It ends when its channel serves that version or a higher one."],
  ["skipped", "operator.kyma-project.io/skip-reconciliation"],
]);
