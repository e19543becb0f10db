import { counted } from "../../document/counted.ts";
import { numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import type { Page } from "../page.ts";
import type { DashboardState } from "../state.ts";
import { hitsOf, SHOWN, type Hit } from "./hits.ts";

/** What a search finds in all pages. */
export const search: Page = {
  path: "/search",
  title: () => "Search",
  view: ({ state, query }) => searchView(query.get("q") ?? "", state),
};

const WORDS: Readonly<Record<Hit["kind"], string>> = {
  module: "Modules",
  version: "Versions",
  landscape: "Landscapes",
  cluster: "Clusters",
};

function searchView(text: string, state: DashboardState): Html {
  if (text.trim() === "")
    return html`<h1>Search</h1>
      <p>Type the name of a module, a version such as 1.2, a landscape or a cluster.</p>`;
  const hits = hitsOf(text, state);
  const unseen = state.landscapes.filter(({ input }) => input === undefined).map(({ name }) => name);
  return html`<h1>${counted(hits.length, "hit")} for ${text}</h1>
    ${(["module", "version", "landscape", "cluster"] as const).map((kind) =>
      kindView(
        kind,
        hits.filter((hit) => hit.kind === kind),
      ),
    )}
    ${hits.length === 0 ? html`<p>Nothing is called so. <a href="/">See the train</a></p>` : NOTHING}
    ${unseen.length === 0 ? NOTHING : html`<p>Clusters of ${unseen.join(", ")} are not known: not seen yet.</p>`}`;
}

function kindView(kind: Hit["kind"], hits: readonly Hit[]): Html {
  if (hits.length === 0) return NOTHING;
  const rest = hits.length - SHOWN;
  return html`<section class="hits">
    <h2>${WORDS[kind]} ${numberText(hits.length)}</h2>
    <ul>
      ${hits.slice(0, SHOWN).map(({ name, where, address }) => html`<li><a href="${address}">${name}</a> <span class="muted">${where}</span></li>`)}
    </ul>
    ${rest > 0 ? html`<p class="muted">and ${numberText(rest)} more: type more of the name</p>` : NOTHING}
  </section>`;
}
