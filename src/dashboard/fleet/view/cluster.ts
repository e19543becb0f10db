import { shellCommand } from "../../../document/shellWord.ts";
import { age } from "../../format.ts";
import { html, NOTHING, type Html } from "../../html.ts";
import { icon } from "../../icons.ts";
import { commandList, scroller, section } from "../../parts.ts";
import type { DashboardState, LandscapeSight } from "../../state.ts";
import { clusterAddress, wholeFleet } from "../address.ts";
import { clusterView, type ClusterModule, type ClusterView, type FleetInput } from "../clusters.ts";
import { capitalised, channelText, lackingIcon, lackingText, regionText, stateIcon, versionText } from "./words.ts";

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
  return html`<aside class="drawer" aria-labelledby="beside-title">
    <header>
      <h2 id="beside-title"><code>${name}</code></h2>
      <a class="ibtn" href="${close}" data-beside="${close}" aria-label="Close the cluster">${icon("close")}</a>
    </header>
    ${
      found === undefined
        ? html`<p>${unknownCluster(sight)}</p>`
        : html`<p class="meta">
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
  if (modules.length === 0) return html`<p class="answer"><span class="big">It uses no module.</span></p>`;
  const have = modules.filter(({ lacking }) => lacking === undefined).length;
  const text = `${String(have)} of ${String(modules.length)}`;
  const answer = html`<p class="answer">
    <span class="big">It has the wanted version of <b>${text}</b> ${modules.length === 1 ? "module" : "modules"}.</span>
  </p>`;
  return html`${answer} ${waits(found)} ${modulesTable(found, sight, state)}
  ${section("next", "Next commands", commands(found, sight))}`;
}

function waits({ modules }: ClusterView): Html {
  const lines = modules.flatMap(({ module, lacking, wanted }) => {
    if (lacking === undefined) return [];
    const ending = lacking.why === "maintenance" ? ". This is not a failure." : "";
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
    html`Modules without the wanted version`,
    html`<ul class="reasons">
      ${lines}
    </ul>`,
  );
}

/** With the class of the column, which a narrow page may hide. */
const HEADINGS = [
  ["Module", ""],
  ["Channel", "ch"],
  ["Runs", ""],
  ["Wanted", "wn"],
  ["State", ""],
  ["Since", "sn"],
] as const;

function modulesTable({ modules }: ClusterView, { name: landscape }: LandscapeSight, { nowMs }: DashboardState): Html {
  return section(
    "modules",
    html`Modules of this cluster`,
    html`${scroller(
      "Modules",
      html`<table class="tb">
        <thead>
          <tr>
            ${HEADINGS.map(([text, style]) => html`<th scope="col" class="${style}">${text}</th>`)}
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
  const { module, mandatory, runs, wanted, state, sinceMs } = one;
  return html`<tr>
    <th scope="row">
      <a href="${wholeFleet({ landscape, module })}">${module}</a>
      ${mandatory ? html`<span class="tag">mandatory</span>` : NOTHING}
    </th>
    <td class="ch">${channelText(one)}</td>
    <td>${versionText(runs)}</td>
    <td class="wn">${wanted ?? "–"}</td>
    <td class="nb">${stateIcon(state)} ${capitalised(state)}</td>
    <td class="nb sn">${sinceMs === undefined ? "not known" : age(sinceMs, nowMs)}</td>
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
