import { counted } from "../../document/counted.ts";
import { compareText } from "../../document/order.ts";
import { numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import type { Page } from "../page.ts";
import type { DashboardState } from "../state.ts";

/** The results of a search. */
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
  const hits = searchHits(text, state);
  const unknown = state.landscapes.filter(({ input }) => input?.users.kind !== "known").map(({ name }) => name);
  return html`<h1>${counted(hits.length, "hit")} for ${text}</h1>
    ${(["module", "version", "landscape", "cluster"] as const).map((kind) =>
      kindView(
        kind,
        hits.filter((hit) => hit.kind === kind),
      ),
    )}
    ${hits.length === 0 ? html`<p>No match. <a href="/">See the train</a></p>` : NOTHING}
    ${unknown.length === 0 ? NOTHING : html`<p>Clusters of ${unknown.join(", ")} are not known.</p>`}`;
}

function kindView(kind: Hit["kind"], hits: readonly Hit[]): Html {
  if (hits.length === 0) return NOTHING;
  const rest = hits.length - SHOWN;
  return html`<section class="search-hits">
    <h2>${WORDS[kind]} ${numberText(hits.length)}</h2>
    <ul>
      ${hits.slice(0, SHOWN).map(({ name, where, address }) => html`<li><a href="${address}">${name}</a> <span class="muted-text">${where}</span></li>`)}
    </ul>
    ${rest > 0 ? html`<p class="muted-text">and ${numberText(rest)} more: enter a longer part of the name</p>` : NOTHING}
  </section>`;
}

/** A result of a search. */
interface Hit {
  readonly kind: "module" | "version" | "landscape" | "cluster";
  /** Its name. */
  readonly name: string;
  /** Where it is, such as `fast, regular`. */
  readonly where: string;
  readonly address: string;
}

/** The maximum number of listed results of a kind; others are counted. */
const SHOWN = 50;

/** The modules, served versions, landscapes and clusters whose names contain `text`. */
export function searchHits(text: string, state: DashboardState): readonly Hit[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const fits = (name: string): boolean => name.toLowerCase().includes(wanted);
  return [
    ...moduleHits(fits, state),
    ...versionHits(fits, state),
    ...landscapeHits(fits, state),
    ...clusterHits(fits, state),
  ];
}

type Fits = (name: string) => boolean;

function moduleHits(fits: Fits, { statuses }: DashboardState): readonly Hit[] {
  const found = Map.groupBy(statuses, ({ module }) => module);
  return [...found].flatMap(([name, own]): readonly Hit[] => {
    const where = own.map(({ channel }) => channel).join(", ");
    return fits(name) ? [{ kind: "module", name, where, address: `/modules/${encodeURIComponent(name)}` }] : [];
  });
}

/** Matches `istio@1.2.0`, or the version alone. */
function versionHits(fits: Fits, { statuses }: DashboardState): readonly Hit[] {
  const found = Map.groupBy(statuses, ({ module, version }) => `${module}@${version ?? ""}`);
  return [...found].flatMap(([name, own]): readonly Hit[] => {
    const [{ module, version } = { module: "", version: undefined }] = own;
    if (version === undefined || !(fits(version) || (name.includes("@") && fits(name) && !fits(module)))) return [];
    const where = own.map(({ channel }) => channel).join(", ");
    return [{ kind: "version", name, where, address: `/modules/${encodeURIComponent(module)}` }];
  });
}

/** Landscapes of the settings that were not queried have no page. */
function landscapeHits(fits: Fits, { landscapes }: DashboardState): readonly Hit[] {
  return landscapes.flatMap(({ name }): readonly Hit[] => {
    return fits(name)
      ? [{ kind: "landscape", name, where: "", address: `/landscapes/${encodeURIComponent(name)}` }]
      : [];
  });
}

/** Clusters that only a Manifest names have no page. */
function clusterHits(fits: Fits, { landscapes }: DashboardState): readonly Hit[] {
  return landscapes.flatMap(({ name: landscape, input }) => {
    const kymas = input?.users.kind === "known" ? [...input.users.kymas] : [];
    return kymas
      .filter(fits)
      .sort(compareText)
      .map((name): Hit => {
        const address = `/fleet/${[landscape, name].map(encodeURIComponent).join("/")}`;
        return { kind: "cluster", name, where: landscape, address };
      });
  });
}
