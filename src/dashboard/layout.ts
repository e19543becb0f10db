import { age, dayAndTime, instant } from "./format.ts";
import { html, NOTHING, type Html } from "./html.ts";
import { icon, SPRITE } from "./icons.ts";
import { Missing } from "./page.ts";
import { pageAt, PAGES } from "./pages.ts";
import type { Blind, DashboardState } from "./state.ts";

/** What a page is asked for with. */
export interface Address {
  /** Such as `/modules/istio`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names of modules that its reader marked; `undefined` for none. */
  readonly favourites?: ReadonlySet<string>;
}

/** How a page is sent. */
export interface PageLook {
  /** `undefined`: as the browser prefers it. */
  readonly theme: "light" | "dark" | undefined;
  /** Addresses of style sheets and scripts. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

/** A page as it is sent. */
export interface RenderedPage {
  readonly status: 200 | 404;
  readonly text: string;
}

/** Renders the page at an address, or the one that says that there is none. */
export function renderPage(state: DashboardState, address: Address, look: PageLook): RenderedPage {
  const { path, query, favourites = new Set() } = address;
  const found = pageAt(path);
  const view = found?.page.view({ state, params: found.params, query, favourites });
  const isFound = found !== undefined && view !== undefined && !(view instanceof Missing);
  const body = view instanceof Missing ? view.said : (view ?? MISSING);
  const title = isFound ? found.page.title(found.params) : "Not found";
  const frame = { title, path, search: query.get("q") ?? "" };
  return { status: isFound ? 200 : 404, text: documentOf(frame, body, state, look).toString() };
}

const MISSING = html`<h1>There is no such page</h1>
  <p>What it was about may be gone from the repository. <a href="/">See the train</a>, or search for it.</p>`;

/** What differs between the frames of two pages. */
interface Frame {
  readonly title: string;
  readonly path: string;
  /** What was searched for. */
  readonly search: string;
}

function documentOf(frame: Frame, body: Html, state: DashboardState, { theme, styles, scripts }: PageLook): Html {
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
        <a class="skip" href="#main">Skip to content</a>
        ${SPRITE} ${state.isRehearsal ? REHEARSAL : NOTHING} ${header(frame, state)}
        <main id="main">${banners(state)} ${body}</main>
        <footer class="foot">
          This page only reads. What moves a module is a commit, or a command that is shown here.
        </footer>
      </body>
    </html>`;
}

const REHEARSAL = html`<aside class="rehearsal" aria-label="Rehearsal">Rehearsal: no real clusters</aside>`;

function header({ path, search }: Frame, state: DashboardState): Html {
  const tabs = PAGES.flatMap(({ path: to, tab }) => (tab === undefined ? [] : [{ to, tab }]));
  return html`<header class="top">
    <a class="brand" href="/">kyma-modules</a>
    <nav aria-label="Views">
      ${tabs.map(({ to, tab }) => html`<a href="${to}" ${currentMark(to, path)}>${tab}</a>`)}
    </nav>
    <span class="grow"></span>
    <form class="find live-only" action="/search" role="search">
      ${icon("search")}
      <label class="vh" for="search">Search modules, versions, landscapes</label>
      <input type="search" id="search" name="q" placeholder="Search everything" value="${search}" autocomplete="off" />
      <kbd>/</kbd>
    </form>
    <span class="live" role="status" id="live">As of ${dayAndTime(state.nowMs)}</span>
    <button class="ibtn" id="theme" type="button" aria-label="Switch between light and dark" hidden>
      ${icon("theme")}
    </button>
  </header>`;
}

function currentMark(to: string, path: string): Html {
  if (to === path) return html`aria-current="page"`;
  return to !== "/" && path.startsWith(`${to}/`) ? html`aria-current="true"` : NOTHING;
}

function banners({ landscapes, unreadable, nowMs }: DashboardState): readonly Html[] {
  const lost = (what: string, { sinceMs }: Blind): Html =>
    html`<b>${what} since ${instant(sinceMs, nowMs)}, ${age(sinceMs, nowMs)} ago.</b> What is shown of it is from then.`;
  return [
    ...(unreadable === undefined
      ? []
      : [banner("repository", lost("The repository cannot be read", unreadable), unreadable)]),
    ...landscapes.flatMap(({ name, blind, seenMs }) => {
      if (blind === undefined) return [];
      const never = html`<b>${name} was never seen.</b> Nothing is shown of it.`;
      return [banner(name, seenMs === undefined ? never : lost(`${name} is not seen`, blind), blind)];
    }),
  ];
}

function banner(id: string, said: Html, { because }: Blind): Html {
  return html`<div class="blind" id="blind-${id}" data-live role="status">
    <span class="c-wait">${icon("blind")}</span>
    <p>${said} ${because}</p>
  </div>`;
}
