import { html, type Html } from "../html.ts";
import { NotFound, type Page, type PageRequest } from "../page.ts";
import { pageHead } from "../parts.ts";
import type { LandscapeSight } from "../state.ts";
import { clusterView } from "./clusters.ts";
import { clustersSeen, fleetInput, NOTE } from "./page.ts";
import { clusterParts, unknownCluster } from "./view/cluster.ts";
import { regionText } from "./view/words.ts";

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
