import { cluster } from "./fleet/clusterPage.ts";
import { fleet } from "./fleet/page.ts";
import { age, dayAndTime, instant } from "./format.ts";
import { html, NOTHING, type Html } from "./html.ts";
import { icon, signIcon, SPRITE } from "./icons.ts";
import { landscapeList } from "./landscape/listPage.ts";
import { landscape } from "./landscape/page.ts";
import { moduleList } from "./module/listPage.ts";
import { moduleDetail } from "./module/page.ts";
import { NotFound, type Page, type Params } from "./page.ts";
import { policy } from "./policy/page.ts";
import { search } from "./search/page.ts";
import type { Blind, DashboardState } from "./state.ts";
import { train } from "./train/page.ts";

/** The address of a page, and the reader's favourites. */
export interface Address {
  /** Such as `/modules/istio`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The names of favourite modules; `undefined` for none. */
  readonly favourites?: ReadonlySet<string>;
}

/** The theme and assets of a page. */
export interface PageLook {
  /** `undefined` to follow the browser. */
  readonly theme: "light" | "dark" | undefined;
  /** The addresses of style sheets and scripts. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

/** A rendered page. */
export interface RenderedPage {
  readonly status: 200 | 404;
  readonly text: string;
}

/** Every page. Links are absolute paths, such as `/modules/istio?channel=fast#versions`. */
const PAGES: readonly Page[] = [
  train,
  moduleList,
  moduleDetail,
  fleet,
  cluster,
  landscapeList,
  landscape,
  policy,
  search,
];

/** Renders the page at an address, or an error page with status 404. */
export function renderPage(state: DashboardState, address: Address, look: PageLook): RenderedPage {
  const { path, query, favourites = new Set() } = address;
  const found = pageAt(path);
  const view = found?.page.view({ state, params: found.params, query, favourites });
  const isFound = found !== undefined && view !== undefined && !(view instanceof NotFound);
  const body = view instanceof NotFound ? view.said : (view ?? MISSING);
  const title = isFound ? found.page.title(found.params) : "Not found";
  const frame = { title, path, search: query.get("q") ?? "" };
  return { status: isFound ? 200 : 404, text: pageDocument(frame, body, state, look).toString() };
}

/** The page of a path, and the parts that its pattern names. */
function pageAt(path: string): { readonly page: Page; readonly params: Params } | undefined {
  for (const page of PAGES) {
    const params = paramsIn(page.path, path);
    if (params !== undefined) return { page, params };
  }
  return undefined;
}

function paramsIn(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = decoded(given[index] ?? "");
    if (part.startsWith(":") && text !== undefined && text !== "") params[part.slice(1)] = text;
    else if (part !== text) return undefined;
  }
  return params;
}

/** Returns `undefined` if the encoding is invalid. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const MISSING = html`<h1>Page not found</h1>
  <p>Its subject may have been removed from the repository. <a href="/">See the train</a>, or search for it.</p>`;

/** The parts of the frame that differ between pages. */
interface Frame {
  readonly title: string;
  readonly path: string;
  /** The text of the search field. */
  readonly search: string;
}

function pageDocument(frame: Frame, body: Html, state: DashboardState, { theme, styles, scripts }: PageLook): Html {
  return html`<!doctype html>
    <html lang="en" ${theme === undefined ? NOTHING : html`data-theme="${theme}"`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${frame.title} · kyma-modules</title>
        ${styles.map((address) => html`<link rel="stylesheet" href="${address}" />`)}
        ${scripts.map((address) => html`<script type="module" src="${address}"></script>`)}
      </head>
      <body data-now="${state.nowMs}">
        <a class="skip-link" href="#main">Skip to content</a>
        ${SPRITE} ${state.isRehearsal ? REHEARSAL : NOTHING} ${header(frame, state)}
        <main id="main">
          <div id="blind" role="status" data-live>${banners(state)}</div>
          ${body}
        </main>
        <footer class="page-footer small-text muted-text">
          This page is read-only. To change a module, commit to the repository, or run a command that is shown here.
        </footer>
      </body>
    </html>`;
}

const REHEARSAL = html`<aside class="rehearsal-banner" aria-label="Rehearsal">Rehearsal: no real clusters</aside>`;

function header({ path, search }: Frame, state: DashboardState): Html {
  const tabs = PAGES.flatMap(({ path: to, tab }) => (tab === undefined ? [] : [{ to, tab }]));
  return html`<header class="page-header">
    <a class="brand-name" href="/">kyma-modules</a>
    <nav aria-label="Views">
      ${tabs.map(({ to, tab }) => {
        const isInside = to !== "/" && path.startsWith(`${to}/`);
        const mark = to === path ? html`aria-current="page"` : isInside ? html`aria-current="true"` : NOTHING;
        return html`<a href="${to}" ${mark}>${tab}</a>`;
      })}
    </nav>
    <form class="search-field scripts-only" action="/search" role="search">
      ${icon("search")}
      <label class="visually-hidden" for="search">Search modules, versions, landscapes</label>
      <input type="search" id="search" name="q" placeholder="Search everything" value="${search}" autocomplete="off" />
      <kbd>/</kbd>
    </form>
    <span class="live-status icon-line" role="status" id="live">As of ${dayAndTime(state.nowMs)}</span>
    <button class="icon-button" id="theme" type="button" aria-label="Switch between light and dark" hidden>
      ${icon("theme")}
    </button>
  </header>`;
}

function banners({ landscapes, unreadable, nowMs }: DashboardState): readonly Html[] {
  const lost = (what: string, { sinceMs }: Blind): Html =>
    html`<b>${what} since ${instant(sinceMs, nowMs)}, ${age(sinceMs, nowMs)} ago.</b> Its data is from that time.`;
  return [
    ...(unreadable === undefined
      ? []
      : [banner("repository", lost("The repository has been unreadable", unreadable), unreadable)]),
    ...landscapes.flatMap(({ name, blind, seenMs }) => {
      if (blind === undefined) return [];
      const never = html`<b>${name} has never been seen.</b> No data is shown for it.`;
      return [banner(name, seenMs === undefined ? never : lost(`${name} has not been seen`, blind), blind)];
    }),
  ];
}

function banner(id: string, said: Html, { because }: Blind): Html {
  return html`<div class="blind-banner" id="blind-${id}">
    ${signIcon({ icon: "blind", tone: "tone-wait" })}
    <p>${said} ${because}</p>
  </div>`;
}
