import { html, NOTHING, type Html } from "../html.ts";

import { icon, namedIcon, type IconName } from "../icons.ts";
import { instantText } from "../format.ts";
import type { DashboardState } from "../state.ts";
import { mandatoryChannels, type Column } from "./columns.ts";
import { gateView } from "./gateView.ts";
import type { Lane } from "./lane.ts";
import { laneView, stretchMark } from "./laneView.ts";
import { MATTER_LOOKS } from "./matterLooks.ts";
import { reasonsView } from "./reasonsView.ts";
import { GROUPS, type ModuleGroup, type Row } from "./rows.ts";

const HEADINGS: Readonly<
  Record<ModuleGroup, { readonly word: string; readonly says: string; readonly icon: IconName; readonly tone: string }>
> = {
  blocked: { word: "Blocked", says: "needs a person", icon: "block", tone: "c-stop" },
  moves: { word: "Moves", says: "promotions and waves", icon: "move", tone: "c-move" },
  waits: { word: "Waits", says: "earliest first", icon: "wait", tone: "c-wait" },
  quiet: { word: "Nothing to do", says: "no candidate", icon: "none", tone: "c-ok" },
  mandatory: { word: "Mandatory", says: "one version for every cluster", icon: "ok", tone: "c-ok" },
};

/** The context of the table. */
interface TableContext {
  readonly columns: readonly Column[];
  readonly state: DashboardState;
  readonly favourites: ReadonlySet<string>;
}

/** Modules by channel and landscape, in groups. */
export function tableView(rows: readonly Row[], context: TableContext): Html {
  const { columns, state } = context;
  const isMany = columns.filter(({ kind }) => kind === "lane").length > 2;
  const table = html`<table
    class="train ${isMany ? "many" : ""}"
    role="table"
    aria-label="Modules by channel and landscape"
  >
    <colgroup>
      <col class="m" />
      ${columns.map(({ kind }) => html`<col class="${COLUMN_CLASSES[kind]}" />`)}
      <col class="k" />
    </colgroup>
    <thead role="rowgroup">
      <tr role="row">
        <th scope="col" role="columnheader">
          <b>Module</b>
          <div class="pol">owner</div>
        </th>
        ${columns.map((column) => headingView(column, state))}
        <th scope="col" role="columnheader">
          <b>Marks</b>
          <div class="pol">hold, debt, drift</div>
        </th>
      </tr>
    </thead>
    ${GROUPS.map((group) =>
      groupView(
        group,
        rows.filter((row) => row.group === group),
        context,
      ),
    )}
  </table>`;
  if (!isMany) return table;
  return html`<div class="wide" tabindex="0" role="region" aria-label="Modules, which may be wider than the page">
    ${table}
  </div>`;
}

const COLUMN_CLASSES: Readonly<Record<Column["kind"], string>> = { side: "x", lane: "f", gate: "g" };

function headingView({ kind, channel: { name, landscapes } }: Column, state: DashboardState): Html {
  switch (kind) {
    case "side":
      return html`<th scope="col" role="columnheader" class="cx">
        <b>${name}</b>
        <div class="pol">
          ${landscapes.map((one, place) => html`${place === 0 ? "" : ", "}${landscapeHeading(one, state)}`)}
        </div>
      </th>`;
    case "gate":
      return html`<th scope="col" role="columnheader">
        <b>Next for ${name}</b>
        <div class="pol">candidate, verdict, earliest</div>
      </th>`;
    case "lane":
      return html`<th scope="col" role="columnheader">
        <b>${name}</b>
        <div class="ls l${landscapes.length}">${landscapes.map((one) => landscapeHeading(one, state))}</div>
      </th>`;
  }
}

/** The name of a landscape, and since when it is not seen. */
function landscapeHeading(name: string, { landscapes, nowMs }: DashboardState): Html {
  const { blind, seenMs } = landscapes.find((one) => one.name === name) ?? {};
  if (blind === undefined) return html`<span>${name}</span>`;
  const since = seenMs === undefined ? "never seen" : instantText(blind.sinceMs, nowMs);
  return html`<span class="c-wait">${name} ${icon("blind")} ${since}</span>`;
}

function groupView(group: ModuleGroup, rows: readonly Row[], context: TableContext): Html {
  if (rows.length === 0) return html`<tbody role="rowgroup" id="${group}"></tbody>`;
  const { word, says, icon: name, tone } = HEADINGS[group];
  const width = context.columns.length + 2;
  return html`<tbody role="rowgroup" id="${group}">
    <tr role="row">
      <th class="g" colspan="${width}" scope="rowgroup" role="rowheader">
        <span class="${tone}">${icon(name)}</span> <b>${word} ${rows.length}</b>${says}
      </th>
    </tr>
    ${rows.map((row) => html`${rowView(row, context)}${reasonsView(row, width, context.state)}`)}
  </tbody>`;
}

function rowView(row: Row, { columns, state, favourites }: TableContext): Html {
  const { module, owner, group, lanes } = row;
  const isQuiet = group === "quiet" || group === "mandatory";
  const cells =
    group === "mandatory" ? mandatoryCells(row, columns, state) : columns.map((one) => cellView(one, row, state));
  // Shown if the page is too narrow for the side columns.
  const narrow = columns.map(({ kind, channel }) => {
    const lane = lanes.get(channel.name);
    if (kind !== "side" || lane === undefined) return NOTHING;
    return html`<div class="own xs">${lane.channel}: ${sideView(lane)}</div>`;
  });
  return html`<tr class="row ${isQuiet ? "quiet" : ""}" role="row" id="row-${module}" data-live>
    <th class="cm" role="rowheader" scope="row">
      <span class="mod"
        ><a href="/modules/${encodeURIComponent(module)}">${module}</a
        >${favourites.has(module) ? FAVOURITE : NOTHING}</span
      >
      <div class="own">${owner}</div>
      ${narrow}
    </th>
    ${cells}
    <td class="ck" role="cell">${marksView(row)}</td>
  </tr>`;
}

const FAVOURITE = html`<span class="fav">${namedIcon("star-on", "favourite")}</span>`;

function cellView({ kind, channel: { name } }: Column, { lanes, gates }: Row, state: DashboardState): Html {
  const [lane, gate] = [lanes.get(name), gates.get(name)];
  switch (kind) {
    case "side":
      return html`<td class="cx" role="cell">${lane === undefined ? NOTHING : sideView(lane)}</td>`;
    case "gate":
      if (gate === undefined) return html`<td class="cg" role="cell"></td>`;
      // With its own label: if rows are cards, a gate has no heading above it.
      return html`<td class="cg" role="cell">
        <span class="lab" aria-hidden="true"><b>next for ${name}</b></span>
        ${gateView(gate, state.gathered.catalogue, state.nowMs)}
      </td>`;
    case "lane":
      return html`<td class="cf" role="cell">${lane === undefined ? noLane(name) : laneView(lane, state.nowMs)}</td>`;
  }
}

/** The versions of a side channel in one line, with landscapes if they differ. */
function sideView({ stretches }: Lane): Html {
  const isOne = stretches.length === 1;
  return html`${stretches.map((stretch) => {
    const { landscapes, version } = stretch;
    const places = isOne ? "" : `${landscapes.join(", ")}: `;
    return html`<span class="exp">${places}${version ?? "–"}${stretchMark(stretch)}</span> `;
  })}`;
}

function noLane(channel: string): Html {
  return html`<span class="lab" aria-hidden="true"><b>${channel}</b></span
    ><span class="v nil">–<span class="vh">nothing</span></span>`;
}

/** A mandatory module has no gates. */
function mandatoryCells({ lanes }: Row, columns: readonly Column[], { gathered, nowMs }: DashboardState): Html {
  const own = mandatoryChannels(gathered.catalogue).flatMap(({ name }) => lanes.get(name) ?? []);
  return html`<td class="cf whole" role="cell" colspan="${columns.length}">
    ${own.map((lane) => laneView(lane, nowMs))}
  </td>`;
}

/** The kinds of matters that a gate does not show. */
const MARKED = [
  "failed",
  "held",
  "served although held",
  "withheld",
  "refused",
  "contested",
  "paused",
  "drift",
  "debt",
];

function marksView({ module, matters }: Row): Html {
  const shown = matters.filter(({ kind }) => MARKED.includes(kind));
  if (shown.length === 0) return NOTHING;
  return html`<span class="marks"
    >${shown.map(({ kind, about }) => {
      const { icon: name, tone, label } = MATTER_LOOKS[kind];
      return html`<a class="mk" href="#why-${module}"
        ><span class="${tone}">${icon(name)}</span>${label.toLowerCase()}: ${about}</a
      >`;
    })}</span
  >`;
}
