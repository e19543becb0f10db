import { html, NOTHING, type Html } from "../html.ts";

import { icon, namedSign, signIcon, type Sign } from "../icons.ts";
import { PROBLEM_SIGNS } from "../problemSigns.ts";
import { instantText } from "../format.ts";
import type { DashboardState } from "../state.ts";
import { mandatoryChannels, type Column } from "../channelOrder.ts";
import { gateView } from "./gateView.ts";
import type { Lane } from "./lane.ts";
import { laneView, stretchMark } from "./laneView.ts";
import { reasonsView } from "./reasonsView.ts";
import { GROUPS, type ModuleGroup, type Row } from "./rows.ts";

const HEADINGS: Readonly<Record<ModuleGroup, Sign & { readonly word: string; readonly says: string }>> = {
  blocked: { word: "Blocked", says: "needs a person", icon: "block", tone: "tone-stop" },
  moves: { word: "Moves", says: "promotions and waves", icon: "move", tone: "tone-move" },
  waits: { word: "Waits", says: "earliest first", icon: "wait", tone: "tone-wait" },
  quiet: { word: "Nothing to do", says: "no candidate", icon: "none", tone: "tone-calm" },
  mandatory: { word: "Mandatory", says: "one version for every cluster", icon: "ok", tone: "tone-calm" },
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
  const table = html`<table class="train-table" role="table" aria-label="Modules by channel and landscape">
    <colgroup>
      <col class="module-column" />
      ${columns.map(({ kind }) => html`<col class="${COLUMN_CLASSES[kind]}" />`)}
      <col class="marks-column" />
    </colgroup>
    <thead role="rowgroup">
      <tr role="row">
        <th scope="col" role="columnheader">
          <b>Module</b>
          <div class="column-note small-text muted-text">owner</div>
        </th>
        ${columns.map((column) => headingView(column, state))}
        <th scope="col" role="columnheader">
          <b>Marks</b>
          <div class="column-note small-text muted-text">hold, debt, drift</div>
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
  return html`<div
    class="wide-train side-scroller"
    tabindex="0"
    role="region"
    aria-label="Modules, which may be wider than the page"
  >
    ${table}
  </div>`;
}

const COLUMN_CLASSES: Readonly<Record<Column["kind"], string>> = { side: "side-column", lane: "lane-column", gate: "" };

function headingView({ kind, channel: { name, landscapes } }: Column, state: DashboardState): Html {
  switch (kind) {
    case "side":
      return html`<th scope="col" role="columnheader" class="side-cell">
        <b>${name}</b>
        <div class="column-note small-text muted-text">
          ${landscapes.map((one, place) => html`${place === 0 ? "" : ", "}${landscapeHeading(one, state)}`)}
        </div>
      </th>`;
    case "gate":
      return html`<th scope="col" role="columnheader">
        <b>Next for ${name}</b>
        <div class="column-note small-text muted-text">candidate, verdict, earliest</div>
      </th>`;
    case "lane":
      return html`<th scope="col" role="columnheader">
        <b>${name}</b>
        <div class="landscape-columns small-text muted-text">
          ${landscapes.map((one) => landscapeHeading(one, state))}
        </div>
      </th>`;
  }
}

/** The name of a landscape, and since when it is not seen. */
function landscapeHeading(name: string, { landscapes, nowMs }: DashboardState): Html {
  const { blind, seenMs } = landscapes.find((one) => one.name === name) ?? {};
  if (blind === undefined) return html`<span>${name}</span>`;
  const since = seenMs === undefined ? "never seen" : instantText(blind.sinceMs, nowMs);
  return html`<span class="tone-wait">${name} ${icon("blind")} ${since}</span>`;
}

function groupView(group: ModuleGroup, rows: readonly Row[], context: TableContext): Html {
  if (rows.length === 0) return html`<tbody role="rowgroup" id="${group}"></tbody>`;
  const { word, says, ...sign } = HEADINGS[group];
  const width = context.columns.length + 2;
  return html`<tbody role="rowgroup" id="${group}">
    <tr role="row">
      <th class="group-heading small-text muted-text" colspan="${width}" scope="rowgroup" role="rowheader">
        ${signIcon(sign)} <b>${word} ${rows.length}</b>${says}
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
    return html`<div class="module-owner narrow-only small-text">${lane.channel}: ${sideView(lane)}</div>`;
  });
  return html`<tr class="module-row ${isQuiet ? "quiet-row" : ""}" role="row" id="row-${module}" data-live>
    <th class="name-cell" role="rowheader" scope="row">
      <span class="module-name"
        ><a href="/modules/${encodeURIComponent(module)}">${module}</a
        >${favourites.has(module) ? FAVOURITE : NOTHING}</span
      >
      <div class="module-owner small-text">${owner}</div>
      ${narrow}
    </th>
    ${cells}
    <td class="marks-cell" role="cell">${marksView(row)}</td>
  </tr>`;
}

const FAVOURITE = namedSign({ icon: "star-on", tone: "tone-wait" }, "favourite");

function cellView({ kind, channel: { name } }: Column, { lanes, gates }: Row, state: DashboardState): Html {
  const [lane, gate] = [lanes.get(name), gates.get(name)];
  switch (kind) {
    case "side":
      return html`<td class="side-cell" role="cell">${lane === undefined ? NOTHING : sideView(lane)}</td>`;
    case "gate":
      if (gate === undefined) return html`<td class="gate-cell" role="cell"></td>`;
      // With its own label: if rows are cards, a gate has no heading above it.
      return html`<td class="gate-cell" role="cell">
        <span class="lane-label small-text muted-text" aria-hidden="true"><b>next for ${name}</b></span>
        ${gateView(gate, state.gathered.catalogue, state.nowMs)}
      </td>`;
    case "lane":
      return html`<td class="lane-cell" role="cell">
        ${lane === undefined ? noLane(name) : laneView(lane, state.nowMs)}
      </td>`;
  }
}

/** The versions of a side channel in one line, with landscapes if they differ. */
function sideView({ stretches }: Lane): Html {
  const isOne = stretches.length === 1;
  return html`${stretches.map((stretch) => {
    const { landscapes, version } = stretch;
    const places = isOne ? "" : `${landscapes.join(", ")}: `;
    return html`<span class="side-version">${places}${version ?? "–"}${stretchMark(stretch)}</span> `;
  })}`;
}

function noLane(channel: string): Html {
  return html`<span class="lane-label small-text muted-text" aria-hidden="true"><b>${channel}</b></span
    ><span class="lane-version version-missing">–<span class="visually-hidden">nothing</span></span>`;
}

/** A mandatory module has no gates. */
function mandatoryCells({ lanes }: Row, columns: readonly Column[], { gathered, nowMs }: DashboardState): Html {
  const own = mandatoryChannels(gathered.catalogue).flatMap(({ name }) => lanes.get(name) ?? []);
  return html`<td class="lane-cell whole-lane" role="cell" colspan="${columns.length}">
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
  return html`<span class="module-marks"
    >${shown.map(({ kind, about }) => {
      const sign = PROBLEM_SIGNS[kind];
      return html`<a class="module-mark icon-line small-text" href="#why-${module}"
        >${signIcon(sign)}${sign.label.toLowerCase()}: ${about}</a
      >`;
    })}</span
  >`;
}
