import { shellCommand } from "../../../document/shellWord.ts";
import { age } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { icon, signIcon } from "../../icons.ts";
import { commandList, dataTable, pageAnswer, reasonItem, reasonList, section, sideScroller } from "../../parts.ts";
import type { DashboardState, LandscapeSight } from "../../state.ts";
import { clusterAddress, wholeFleet } from "../address.ts";
import { clusterView, type ClusterModule, type ClusterView, type FleetInput } from "../clusters.ts";
import { capitalised, channelText, lackingSign, lackingText, regionText, stateIcon, versionText } from "./words.ts";

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
