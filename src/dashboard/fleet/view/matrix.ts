import { counted } from "../../../document/counted.ts";
import { numberText } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { section } from "../../parts.ts";
import { fleetAddress, type FleetPlace } from "../address.ts";
import { NONE } from "../filter.ts";
import type { Matrix, MatrixRow, MatrixVersion } from "../matrix.ts";
import type { ClusterState } from "../clusters.ts";
import { stateIcon, stateSign } from "./words.ts";

/** Versions and states as a heat map with numbers. */
export function matrixSection(place: FleetPlace, { states, rows, totals }: Matrix): Html {
  const all = totals.reduce((sum, count) => sum + count, 0);
  return section(
    "by-version",
    html`By version and state <span>shades: up to 19, 199, 1 999, and more</span>`,
    html`<table class="heat-map">
        <colgroup>
          <col class="version-column" />
          ${states.map(() => html`<col />`)}
          <col class="total-column" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Version</th>
            ${states.map((state) => html`<th scope="col">${stateIcon(state)}<span class="state-name">${state}</span></th>`)}
            <th scope="col" class="total-cell">All</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => versionRow(place, row, states))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            ${totals.map((count) => html`<td><span>${numberText(count)}</span></td>`)}
            <td class="total-cell"><span>${numberText(all)}</span></td>
          </tr>
        </tfoot>
      </table>
      <p class="sign-key narrow-key wrapping-line small-text muted-text" aria-hidden="true">
        ${states.map((state) => html`<span class="icon-line">${stateIcon(state)} ${state}</span>`)}
      </p>`,
  );
}

function versionRow(place: FleetPlace, row: MatrixRow, states: readonly ClusterState[]): Html {
  const { version, channels, count, counts } = row;
  const [name, asked] = nameOf(version);
  const note = channels.length === 0 ? NOTHING : html`<small>${channels.join(", ")}</small>`;
  const cells = counts.map((clusters, index) => cell(place, { clusters, name, asked, state: states[index] }));
  const total = html`<span>${numberText(count)}</span>`;
  return html`<tr>
    <th scope="row">${name}${note}</th>
    ${cells}
    <td class="total-cell">
      ${
        asked === undefined
          ? total
          : html`<a href="${fleetAddress(place, { version: asked })}" aria-label="${numberText(count)} on ${name}"
              >${numberText(count)}</a
            >`
      }
    </td>
  </tr>`;
}

/** The name of a row, and its version in an address; `undefined` if it has none. */
function nameOf(version: MatrixVersion): readonly [name: string, asked: string | undefined] {
  switch (version.kind) {
    case "version":
      return [version.version, version.version];
    case "unknown":
      return ["not known", NONE];
    case "others":
      return [counted(version.versions, "other"), undefined];
  }
}

interface MatrixCell {
  readonly clusters: number;
  readonly name: string;
  readonly asked: string | undefined;
  readonly state: ClusterState | undefined;
}

function cell(place: FleetPlace, { clusters, name, asked, state = "Unknown" }: MatrixCell): Html {
  if (clusters === 0)
    return html`<td>
      <span><span class="visually-hidden">none</span></span>
    </td>`;
  const text = numberText(clusters);
  const content =
    asked === undefined
      ? html`<span>${text}</span>`
      : html`<a href="${fleetAddress(place, { version: asked, state })}" aria-label="${text} ${state} on ${name}"
          >${text}</a
        >`;
  const shade = [20, 200, 2000].filter((limit) => clusters >= limit).length + 1;
  return html`<td class="heat-shade-${shade} ${stateSign(state).tone}">${content}</td>`;
}
