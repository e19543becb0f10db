import { counted } from "../../document/counted.ts";
import { numberText, percentText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import type { Page, PageRequest } from "../page.ts";
import { pageAnswer, pageHead } from "../parts.ts";
import type { DashboardState, LandscapeSight } from "../state.ts";
import { causesSection } from "./causes.ts";
import type { FleetInput } from "./clusters.ts";
import { clustersSection } from "./clustersTable.ts";
import { parseFleetFilter, fleetAddress, isNarrow, wholeFleet, type FleetPlace } from "./filter.ts";
import { filterForm, landscapeLinks } from "./filterForm.ts";
import { fleetView, type FleetAnswer, type FleetView } from "./filteredFleet.ts";
import { matrixSection } from "./matrix.ts";
import { regionsSection } from "./regions.ts";
import { clusterDrawer, clustersSeen, fleetInput, NOTE } from "./clusterPage.ts";

/** The clusters of a module by version, and why some do not have the wanted version. */
export const fleet: Page = { path: "/fleet", tab: "Fleet", title: () => "Fleet", view: fleetPage };

function fleetPage({ state, query }: PageRequest): Html | undefined {
  const { landscapes } = state;
  const asked = askedPlace(query, landscapes);
  if (asked === undefined)
    return html`<h1>Fleet</h1>
      <p>No control plane was queried, so there are no clusters to count.</p>`;
  const sight = landscapes.find(({ name }) => name === asked.landscape);
  if (sight === undefined) return undefined;
  const input = fleetInput(sight);
  if (typeof input === "string")
    return html`<h1>Fleet</h1>
      <div class="fleet-filters">${landscapeLinks(sight.name, "", landscapes)}</div>
      ${pageAnswer(input)}`;
  return knownFleet(sight, input, state, { query, module: asked.module });
}

interface AskedPlace {
  readonly landscape: string;
  readonly module: string | undefined;
}

/** The default is the module that fails on most clusters, or the last landscape with clusters, which has the most. */
function askedPlace(query: URLSearchParams, landscapes: readonly LandscapeSight[]): AskedPlace | undefined {
  const landscape = query.get("landscape");
  const module = query.get("module") === "" ? undefined : (query.get("module") ?? undefined);
  if (landscape !== null) return { landscape, module };
  const failing = module === undefined ? failingPlace(landscapes) : undefined;
  const peopled = landscapes.findLast(({ input }) => input?.users.kind === "known" && input.users.kymas.size > 0);
  const usual = (peopled ?? landscapes.at(-1))?.name;
  return failing ?? (usual === undefined ? undefined : { landscape: usual, module });
}

function failingPlace(landscapes: readonly LandscapeSight[]): AskedPlace | undefined {
  const failing = landscapes.flatMap(({ name: landscape, status }) =>
    (status?.entries ?? []).flatMap(({ module, clusters }) =>
      clusters !== undefined && clusters.counts.failing.count > 0
        ? [{ landscape, module, failing: clusters.counts.failing.count }]
        : [],
    ),
  );
  return failing.toSorted((a, b) => b.failing - a.failing)[0];
}

interface FleetQuery {
  readonly query: URLSearchParams;
  readonly module: string | undefined;
}

function knownFleet(
  sight: LandscapeSight,
  input: FleetInput,
  state: DashboardState,
  { query, module }: FleetQuery,
): Html {
  const filter = parseFleetFilter(query);
  const page = Math.trunc(Number(query.get("page") ?? 1)) || 1;
  const view = fleetView(input, { module, filter, page });
  const place: FleetPlace = { landscape: sight.name, module: view.module, filter };
  const beside = query.get("cluster") ?? undefined;
  const parts = html`${matrixSection(place, view.matrix)} ${regionsSection(place, view.regions)}
  ${causesSection(place, view.causes, state.nowMs)} ${clustersSection(place, view, beside, state.nowMs)}`;
  const close = fleetAddress(place, {}, view.page.number);
  const drawer = beside === undefined ? NOTHING : clusterDrawer(beside, { sight, input, state, close });
  const seen = html`${clustersSeen(sight, input, state)} · a state counts once it has held for 10 s`;
  return html`${pageHead("Fleet", seen)} ${filterForm(place, view, state.landscapes)}
    <div id="fleet" data-live>
      ${answerText(place, view)}
      <div class="drawer-columns">
        <div>${view.left === 0 ? NOTHING : parts}</div>
        ${drawer}
      </div>
    </div>
    ${NOTE}`;
}

/** The first sentence of the page: how many clusters have the served version, and whether a filter applies. */
export function answerText(place: FleetPlace, view: FleetView): Html {
  const { module, left, total, answers } = view;
  if (total === 0)
    return pageAnswer(html`No cluster of ${place.landscape} has ${module === "" ? "a module" : module}.`);
  const clear = html`<a href="${wholeFleet(place)}">clear the filter</a>`;
  if (left === 0) return pageAnswer(html`No cluster matches. ${numberText(total)} without the filter: ${clear}.`);
  const [first, ...others] = answers.filter(({ clusters }) => clusters > 0);
  const isWhole = !isNarrow(place.filter) && place.filter.channel === undefined;
  const which = isWhole ? NOTHING : html`Filtered to ${numberText(left)} of ${clustersText(total)}: `;
  const answer =
    first === undefined
      ? html`${clustersText(left)} use <b>${module}</b>, but no channel serves it to them.`
      : sentence(first, module);
  const more = html`${first === undefined ? NOTHING : missingSentence(first)}
  ${others.map((one) => html`<span class="muted-text">${sentence(one, module)}</span>`)}
  ${isWhole ? NOTHING : html`<span>${clear}</span>`}`;
  return pageAnswer(html`${which} ${answer}`, more);
}

function sentence({ version, have, clusters, channel }: FleetAnswer, module: string): Html {
  const share = percentText(have / clusters);
  return html`<b>${module} ${version}</b> is on
    <b>${numberText(have)} of ${numberText(clusters)}</b> ${clusters === 1 ? "cluster" : "clusters"} of ${channel},
    ${share}.`;
}

function missingSentence({ clusters, have, failing }: FleetAnswer): Html {
  const missing = clusters - have;
  if (missing === 0) return NOTHING;
  const failed =
    failing === 0
      ? "none of them fails with it"
      : `${numberText(failing)} of them because of an Error or a Warning with it`;
  return html`<span class="muted-text"
    >${numberText(missing)} ${missing === 1 ? "is" : "are"} not on it; ${failed}.</span
  >`;
}

function clustersText(count: number): string {
  return counted(count, "cluster").replace(String(count), numberText(count));
}
