import { shellCommand } from "../../document/shellWord.ts";
import { withMandatory } from "../../sync/plan/waves.ts";
import { age, instant, numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { icon, signIcon } from "../icons.ts";
import { NotFound, type Page, type PageRequest } from "../page.ts";
import {
  commandList,
  dataTable,
  pageAnswer,
  pageHead,
  reasonItem,
  reasonList,
  section,
  sideScroller,
} from "../parts.ts";
import type { DashboardState, LandscapeSight } from "../state.ts";
import { clusterView, type ClusterModule, type ClusterView, type FleetInput } from "./clusters.ts";
import { clusterAddress, wholeFleet } from "./filter.ts";
import { capitalised, channelText, lackingSign, lackingText, regionText, stateIcon, versionText } from "./words.ts";

/** One cluster: the versions and states of its modules, since when, and what it waits for. */
export const cluster: Page = {
  path: "/fleet/:landscape/:cluster",
  title: ({ cluster: name = "" }) => name,
  view: clusterPage,
};

function clusterPage({ state, params }: PageRequest): Html | NotFound | undefined {
  const sight = state.landscapes.find(({ name }) => name === params["landscape"]);
  if (sight === undefined) return undefined;
  const name = params["cluster"] ?? "";
  const input = fleetInput(sight);
  if (typeof input === "string")
    return html`<h1><code>${name}</code></h1>
      <p>${input}</p>`;
  const found = clusterView(name, input);
  if (found === undefined)
    return new NotFound(
      html`<h1><code>${name}</code></h1>
        <p>${unknownCluster(sight)} ${back(sight)}</p>`,
    );
  const facts = html`${regionText(found.region)} · ${clustersSeen(sight, input, state)}`;
  return html`${pageHead(html`<code>${name}</code>`, facts)}
    <div id="cluster" data-live>${clusterParts(found, sight, state)}</div>
    ${NOTE}
    <p class="small-text">${back(sight)}</p>`;
}

function back({ name }: LandscapeSight): Html {
  return html`<a href="/fleet?landscape=${encodeURIComponent(name)}">All clusters of ${name}</a>`;
}

/** The context of a drawer that shows one cluster. */
interface DrawerContext {
  readonly sight: LandscapeSight;
  readonly input: FleetInput;
  readonly state: DashboardState;
  /** The address of the page without the drawer. */
  readonly close: string;
}

/** The drawer that shows one cluster beside the others. */
export function clusterDrawer(name: string, { sight, input, state, close }: DrawerContext): Html {
  const found = clusterView(name, input);
  return html`<aside class="cluster-drawer bordered-box" aria-labelledby="beside-title">
    <header>
      <h2 id="beside-title"><code>${name}</code></h2>
      <a class="icon-button" href="${close}" data-beside="${close}" aria-label="Close the cluster">${icon("close")}</a>
    </header>
    ${
      found === undefined
        ? html`<p>${unknownCluster(sight)}</p>`
        : html`<p class="page-facts">
              ${regionText(found.region)} · <a href="${clusterAddress(sight.name, name)}">own page</a>
            </p>
            ${clusterParts(found, sight, state)}`
    }
  </aside>`;
}

/** The text for a cluster that does not exist. */
export function unknownCluster({ name }: Pick<LandscapeSight, "name">): string {
  return `${name} has no cluster with this name.`;
}

/** The modules of a cluster, what it waits for, and the next commands. */
export function clusterParts(found: ClusterView, sight: LandscapeSight, state: DashboardState): Html {
  const { modules } = found;
  if (modules.length === 0) return pageAnswer("It uses no module.");
  const have = modules.filter(({ lacking }) => lacking === undefined).length;
  const text = `${String(have)} of ${String(modules.length)}`;
  const answer = html`It has the wanted version of <b>${text}</b> ${modules.length === 1 ? "module" : "modules"}.`;
  return html`${pageAnswer(answer)} ${waits(found)} ${modulesTable(found, sight, state)}
  ${section("next", "Next commands", commands(found, sight))}`;
}

function waits({ modules }: ClusterView): Html {
  const lines = modules.flatMap(({ module, lacking, wanted }) => {
    if (lacking === undefined) return [];
    const ending = lacking.why === "maintenance" ? ". This is not a failure." : "";
    const what = wanted === undefined ? module : `${module} ${wanted}`;
    return [reasonItem(signIcon(lackingSign(lacking)), html`<b>${what}</b>: ${lackingText(lacking)}${ending}`)];
  });
  if (lines.length === 0) return NOTHING;
  return section("waits", "Modules without the wanted version", reasonList(lines));
}

/** With the class of the column, which a narrow page may hide. */
const HEADINGS = [
  ["Module", ""],
  ["Channel", "channel-cell"],
  ["Runs", ""],
  ["Wanted", "wanted-cell"],
  ["State", ""],
  ["Since", "since-cell"],
] as const;

function modulesTable({ modules }: ClusterView, { name: landscape }: LandscapeSight, { nowMs }: DashboardState): Html {
  const rows = modules.map((one) => moduleRow(one, landscape, nowMs));
  return section("modules", "Modules of this cluster", sideScroller("Modules", dataTable(HEADINGS, rows)));
}

function moduleRow(one: ClusterModule, landscape: string, nowMs: number): Html {
  const { module, mandatory, runs, wanted, state, sinceMs } = one;
  return html`<tr>
    <th scope="row">
      <a href="${wholeFleet({ landscape, module })}">${module}</a>
      ${mandatory ? html`<span class="word-badge small-text muted-text">mandatory</span>` : NOTHING}
    </th>
    <td class="channel-cell">${channelText(one)}</td>
    <td>${versionText(runs)}</td>
    <td class="wanted-cell">${wanted ?? "–"}</td>
    <td class="unbroken-text">${stateIcon(state)} ${capitalised(state)}</td>
    <td class="unbroken-text since-cell">${sinceMs === undefined ? "not known" : age(sinceMs, nowMs)}</td>
  </tr>`;
}

function commands({ name, modules }: ClusterView, { name: landscape, input }: LandscapeSight): Html {
  const lacking = modules.find((one) => one.lacking !== undefined) ?? modules[0];
  const namespace = input?.landscape.namespace ?? "";
  const typed = [
    shellCommand`kyma-modules rollout ${lacking?.module ?? ""} --landscape ${landscape}`,
    shellCommand`kubectl -n ${namespace} get kyma ${name} -o yaml`,
  ];
  return commandList(typed);
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
