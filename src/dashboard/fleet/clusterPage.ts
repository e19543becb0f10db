import { compareText } from "../../document/order.ts";
import { age } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import type { Page, PageRequest } from "../page.ts";
import { commandList, scroller, section } from "../parts.ts";
import type { DashboardState, LandscapeSight } from "../state.ts";
import { wholeFleet } from "./address.ts";
import { clustersOf, type ClusterRow, type FleetInput } from "./clusters.ts";
import { clustersSeen, fleetInput, NOTE } from "./page.ts";
import { capitalised, lackingIcon, lackingText, regionText, stateIcon, versionText } from "./view/words.ts";

/** One cluster: what it has of every module, since when, and what it waits for. */
export const cluster: Page = {
  path: "/fleet/:landscape/:cluster",
  title: ({ cluster: name = "" }) => name,
  view: clusterPage,
};

function clusterPage({ state, params }: PageRequest): Html | undefined {
  const sight = state.landscapes.find(({ name }) => name === params["landscape"]);
  if (sight === undefined) return undefined;
  const name = params["cluster"] ?? "";
  const input = fleetInput(sight);
  if (typeof input === "string")
    return html`<h1><code>${name}</code></h1>
      <p>${input}</p>`;
  const found = clusterView(name, input);
  if (found === undefined)
    return html`<h1><code>${name}</code></h1>
      <p>No cluster of ${sight.name} that uses a module is called so. ${back(sight)}</p>`;
  return html`<div class="head">
      <h1><code>${name}</code></h1>
      <p class="meta">${regionText(found.region)} · ${clustersSeen(sight, input, state)}</p>
    </div>
    <div id="cluster" data-live>${sentence(found)} ${waits(found)} ${modulesTable(found, sight, state)}</div>
    ${section("next", "Type next", commands(found, sight))} ${NOTE}
    <p class="small">${back(sight)}</p>`;
}

function back({ name }: LandscapeSight): Html {
  return html`<a href="/fleet?landscape=${encodeURIComponent(name)}">All clusters of ${name}</a>`;
}

function sentence({ modules }: ClusterView): Html {
  const have = modules.filter(({ lacking }) => lacking === undefined).length;
  const text = `${String(have)} of ${String(modules.length)}`;
  return html`<p class="answer">
    <span class="big">It has the wanted version of <b>${text}</b> ${modules.length === 1 ? "module" : "modules"}.</span>
  </p>`;
}

function waits({ modules }: ClusterView): Html {
  const lines = modules.flatMap(({ module, lacking, wanted }) => {
    if (lacking === undefined) return [];
    const ending = lacking.why === "maintenance" ? ". That is no failure." : "";
    const what = wanted === undefined ? module : `${module} ${wanted}`;
    return [
      html`<li>
        ${lackingIcon(lacking)}<span><b>${what}</b>: ${lackingText(lacking)}${ending}</span>
      </li>`,
    ];
  });
  if (lines.length === 0) return NOTHING;
  return section(
    "waits",
    html`What it waits for`,
    html`<ul class="reasons">
      ${lines}
    </ul>`,
  );
}

function modulesTable({ modules }: ClusterView, { name: landscape }: LandscapeSight, { nowMs }: DashboardState): Html {
  return section(
    "modules",
    html`Modules of this cluster`,
    html`${scroller(
      "Modules",
      html`<table class="tb">
        <thead>
          <tr>
            ${["Module", "Channel", "Runs", "Wanted", "State", "Since"].map((text) => html`<th scope="col">${text}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${modules.map((one) => moduleRow(one, landscape, nowMs))}
        </tbody>
      </table>`,
    )}`,
  );
}

function moduleRow(one: ClusterModule, landscape: string, nowMs: number): Html {
  const { module, mandatory, channel, runs, wanted, state, sinceMs } = one;
  return html`<tr>
    <th scope="row">
      <a href="${wholeFleet({ landscape, module })}">${module}</a>
      ${mandatory ? html`<span class="tag">mandatory</span>` : NOTHING}
    </th>
    <td>${channel ?? "not served"}</td>
    <td>${versionText(runs)}</td>
    <td>${wanted ?? "–"}</td>
    <td class="nb">${stateIcon(state)} ${capitalised(state)}</td>
    <td class="nb">${sinceMs === undefined ? "not known" : age(sinceMs, nowMs)}</td>
  </tr>`;
}

function commands({ name, modules }: ClusterView, { name: landscape, input }: LandscapeSight): Html {
  const lacking = modules.find((one) => one.lacking !== undefined) ?? modules[0];
  const namespace = input?.landscape.namespace ?? "";
  const [kind, object] = name.startsWith("Manifest ") ? ["manifest", name.slice(9)] : ["kyma", name];
  const typed = [
    `kyma-modules rollout ${lacking?.module ?? ""} --landscape ${landscape}`,
    `kubectl -n ${namespace} get ${kind} ${object} -o yaml`,
  ];
  return commandList(typed);
}

/** One cluster, with all modules that it uses. */
interface ClusterView {
  readonly name: string;
  readonly region: string | undefined;
  /** By name. */
  readonly modules: readonly ClusterModule[];
}

/** A module on one cluster. */
interface ClusterModule extends ClusterRow {
  readonly module: string;
  readonly mandatory: boolean;
}

/** What a cluster has of every module; `undefined`: no Kyma or Manifest of that name uses any. */
export function clusterView(name: string, input: FleetInput): ClusterView | undefined {
  const { modules, regions } = input.users;
  const uses = [...modules].flatMap(([module, users]) => {
    const own = users.filter((user) => (user.kyma ?? user.name) === name);
    const only = { ...input, users: { ...input.users, modules: new Map([[module, own]]) } };
    return clustersOf(module, only).map((row) => ({ ...row, module, mandatory: isMandatory(module, input) }));
  });
  if (uses.length === 0) return undefined;
  return { name, region: regions.get(name), modules: uses.toSorted((a, b) => compareText(a.module, b.module)) };
}

function isMandatory(module: string, { entries }: FleetInput): boolean {
  return entries.some((entry) => entry.module === module && entry.mandatory);
}
