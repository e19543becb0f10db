import { withMandatory } from "../../sync/plan/waves.ts";
import { age, instant, numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import type { Page, PageRequest } from "../page.ts";
import { pageAnswer, pageHead } from "../parts.ts";
import type { DashboardState, LandscapeSight } from "../state.ts";
import { fleetAddress, type FleetPlace } from "./address.ts";
import type { FleetInput } from "./clusters.ts";
import { fleetView } from "./fleet.ts";
import { filterOf } from "./filter.ts";
import { answerText } from "./view/answer.ts";
import { causesSection } from "./view/causes.ts";
import { clusterDrawer } from "./view/cluster.ts";
import { clustersSection } from "./view/clusters.ts";
import { filterForm, landscapeLinks } from "./view/filters.ts";
import { matrixSection } from "./view/matrix.ts";
import { regionsSection } from "./view/regions.ts";

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

/** The last observation of a landscape's clusters, or why there is none. */
export function fleetInput({ name, input, status, blind }: LandscapeSight): FleetInput | string {
  if (input === undefined || status === undefined)
    return `${name} has not been seen yet. ${blind?.because ?? ""}`.trim();
  const { users, nowMs, catalogue } = input;
  if (users.kind === "unknown") return `The users of modules in ${name} are not known: ${users.because}`;
  const { entries } = status;
  return { users: withMandatory(users, entries, catalogue), entries, nowMs };
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
  const filter = filterOf(query);
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

/** The number of clusters, and when they were seen. */
export function clustersSeen(
  { name, blind }: Pick<LandscapeSight, "name" | "blind">,
  { users, nowMs: seenMs }: FleetInput,
  { nowMs }: Pick<DashboardState, "nowMs">,
): Html {
  const seen = blind === undefined ? html`seen ${age(seenMs, nowMs)} ago` : html`as of ${instant(seenMs, nowMs)}`;
  const { size } = users.kymas;
  return html`${numberText(size)} ${size === 1 ? "cluster" : "clusters"} of ${name} · ${seen}`;
}

/** The limits of the data on the page. */
export const NOTE: Html = html`<p class="small-text muted-text">
  These are the states that lifecycle-manager reports. It reports Ready as soon as the manager of a module runs: a
  module CR in Error does not show here.
</p>`;
