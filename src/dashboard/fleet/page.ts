import { FAILURES } from "../../fleet/rollout.ts";
import { age, instant, numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import type { Page, PageRequest } from "../page.ts";
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

/** Where every version of a module is, who does not have it, and why. */
export const fleet: Page = { path: "/fleet", tab: "Fleet", title: () => "Fleet", view: fleetPage };

function fleetPage({ state, query }: PageRequest): Html | undefined {
  const { landscapes } = state;
  const asked = askedPlace(query, landscapes);
  if (asked === undefined)
    return html`<h1>Fleet</h1>
      <p>No control plane was asked: this page has nothing to count.</p>`;
  const sight = landscapes.find(({ name }) => name === asked.landscape);
  if (sight === undefined) return undefined;
  const input = fleetInput(sight);
  return typeof input === "string"
    ? unknownFleet(sight, input, state)
    : knownFleet(sight, input, state, { query, module: asked.module });
}

interface AskedPlace {
  readonly landscape: string;
  readonly module: string | undefined;
}

/** Where nobody says what to show: what fails on most clusters; else the last landscape that has some: most are there. */
function askedPlace(query: URLSearchParams, landscapes: readonly LandscapeSight[]): AskedPlace | undefined {
  const landscape = query.get("landscape");
  const module = query.get("module") === "" ? undefined : (query.get("module") ?? undefined);
  if (landscape !== null) return { landscape, module };
  const failing = module === undefined ? failingPlace(landscapes) : undefined;
  const peopled = landscapes.findLast(({ input }) => input?.users.kind === "known" && input.users.kymas > 0);
  const usual = (peopled ?? landscapes.at(-1))?.name;
  return failing ?? (usual === undefined ? undefined : { landscape: usual, module });
}

function failingPlace(landscapes: readonly LandscapeSight[]): AskedPlace | undefined {
  const failing = landscapes.flatMap(({ name: landscape, status }) =>
    (status?.entries ?? []).flatMap(({ module, clusters }) =>
      clusters !== undefined && FAILURES.has(clusters.worst)
        ? [{ landscape, module, missing: clusters.asked - clusters.have }]
        : [],
    ),
  );
  return failing.toSorted((a, b) => b.missing - a.missing)[0];
}

/** What is known of the clusters of a landscape; or why nothing is. */
export function fleetInput({ name, input, status, blind }: LandscapeSight): FleetInput | string {
  if (input === undefined || status === undefined) return `${name} was not seen yet. ${blind?.because ?? ""}`.trim();
  const { users, nowMs } = input;
  if (users.kind === "unknown") return `Who uses what in ${name} is not known: ${users.because}`;
  return { users, entries: status.entries, nowMs };
}

function unknownFleet({ name }: LandscapeSight, why: string, { landscapes }: DashboardState): Html {
  return html`<h1>Fleet</h1>
    <div class="filters">${landscapeLinks(name, "", landscapes)}</div>
    <p class="answer"><span class="big">${why}</span></p>`;
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
  return html`<div class="head">
      <h1>Fleet</h1>
      <p class="meta">${clustersSeen(sight, input, state)} · a state counts once it has held for 10 s</p>
    </div>
    ${filterForm(place, view, state.landscapes)}
    <div id="fleet" data-live>
      ${answerText(place, view)}
      <div class="cols">
        <div>${view.left === 0 ? NOTHING : parts}</div>
        ${drawer}
      </div>
    </div>
    ${NOTE}`;
}

/** How many clusters there are, and when that was seen. */
export function clustersSeen(
  { name, blind }: Pick<LandscapeSight, "name" | "blind">,
  { users, nowMs: seenMs }: FleetInput,
  { nowMs }: Pick<DashboardState, "nowMs">,
): Html {
  const seen = blind === undefined ? html`seen ${age(seenMs, nowMs)} ago` : html`as of ${instant(seenMs, nowMs)}`;
  return html`${numberText(users.kymas)} ${users.kymas === 1 ? "cluster" : "clusters"} of ${name} · ${seen}`;
}

/** What nobody sees here. */
export const NOTE: Html = html`<p class="small muted">
  This is what lifecycle-manager says. It says Ready once the manager of a module runs: a module CR in Error does not
  show here.
</p>`;
