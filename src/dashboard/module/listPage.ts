import type { ModuleName } from "../../catalogue/names.ts";
import type { Status } from "../../promote/status.ts";
import { numberText } from "../format.ts";
import { html, type Html } from "../html.ts";
import type { Page } from "../page.ts";
import { dataTable, sideScroller } from "../parts.ts";
import type { DashboardState } from "../state.ts";
import { alongTheWay } from "../channelOrder.ts";

/** Every module, and the version that each channel serves. */
export const moduleList: Page = {
  path: "/modules",
  tab: "Modules",
  title: () => "Modules",
  view: ({ state }) => listView(state),
};

function listView(state: DashboardState): Html {
  const { catalogue, histories } = state.gathered;
  const modules = [...new Set([...catalogue.modules.keys(), ...histories.modules])].sort();
  const channels = alongTheWay(catalogue);
  if (modules.length === 0)
    return html`<h1>Modules</h1>
      <p class="lead-sentence"><b>No modules yet.</b> Add the first one with: kyma-modules bump MODULE@VERSION.</p>`;
  const names = channels.map(({ name }) => name);
  const rows = modules.map((module) => moduleRow(module, state, names));
  return html`<h1>Modules</h1>
    <p class="lead-sentence">
      <b>${numberText(modules.length)} modules</b> in ${numberText(channels.length)} channels.
    </p>
    ${sideScroller("Modules", dataTable(["Module", ...names, "Owners"], rows, "wide-table"))}`;
}

function moduleRow(module: ModuleName, { gathered, statuses }: DashboardState, channels: readonly string[]): Html {
  const own = new Map<string, Status>(
    statuses.flatMap((status) => (status.module === module ? [[status.channel, status]] : [])),
  );
  const owners = gathered.catalogue.modules.get(module)?.owners ?? [];
  return html`<tr>
    <th scope="row"><a href="/modules/${module}">${module}</a></th>
    ${channels.map((channel) => html`<td>${own.get(channel)?.version ?? "–"}</td>`)}
    <td>${owners.join(", ") || "–"}</td>
  </tr>`;
}
