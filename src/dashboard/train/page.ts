import { counted } from "../../document/counted.ts";
import { instant } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { icon } from "../icons.ts";
import type { Page, PageRequest } from "../page.ts";
import { commitLink } from "../source.ts";
import type { DashboardState } from "../state.ts";
import { glanceView } from "./glanceView.ts";
import { GROUPS, trainOf, type Row, type Train } from "./rows.ts";
import { tableView } from "./tableView.ts";

/** The train: every module, in every channel, on every landscape. */
export const train: Page = {
  path: "/",
  tab: "Train",
  title: () => "Train",
  view: (request) => trainView(trainOf(request.state), request),
};

function trainView(picture: Train, { state, query, favourites }: PageRequest): Html {
  const filter = { find: query.get("find") ?? "", group: query.get("group") ?? "", favourites };
  const text = filter.find.trim().toLowerCase();
  const rows = picture.rows.filter(({ module, owner, group }) => {
    const isFavourite = filter.group === FAVOURITES && favourites.has(module);
    return (
      (isFavourite || filter.group === "" || filter.group === group) &&
      `${module} ${owner}`.toLowerCase().includes(text)
    );
  });
  const { columns } = picture;
  return html`<div class="head">
      <h1>Train</h1>
      ${metaView(picture, state)}
    </div>
    ${glanceView(picture, state)} ${toolsView(picture, filter)}
    ${rows.length === 0 ? emptyView(picture) : tableView(rows, { columns, state, favourites })} ${legendView}`;
}

/** The filter of the table. */
interface Filter {
  readonly find: string;
  /** A group of rows, or `FAVOURITES`. */
  readonly group: string;
  readonly favourites: ReadonlySet<string>;
}

const FAVOURITES = "favourites";

function metaView({ rows }: Train, state: DashboardState): Html {
  const { gathered, revision, landscapes, nowMs } = state;
  const { channels, settings } = gathered.catalogue;
  const counts = [
    counted(rows.length, "module"),
    counted(channels.size, "channel"),
    counted(settings.landscapes.length, "landscape"),
  ];
  const blind =
    landscapes.length === 0 ? html` · no control plane was queried: versions are those of the repository` : NOTHING;
  return html`<p class="meta">
    ${counts.join(" · ")} · decided on ${commitLink(revision, state)} at ${instant(gathered.nowMs, nowMs)}${blind}
  </p>`;
}

const GROUP_WORDS = {
  blocked: "Blocked",
  moves: "Moves",
  waits: "Waits",
  quiet: "Nothing to do",
  mandatory: "Mandatory",
};

function toolsView({ rows }: Train, { find, group, favourites }: Filter): Html {
  const link = (to: string, word: string, count: number): Html => {
    const query = new URLSearchParams({ ...(to === "" ? {} : { group: to }), ...(find === "" ? {} : { find }) });
    const address = query.size === 0 ? "/#train" : `/?${query.toString()}#train`;
    return html`<a href="${address}" ${to === group ? html`aria-current="true"` : NOTHING}>${word} ${count}</a>`;
  };
  const marked = rows.filter(({ module }) => favourites.has(module)).length;
  const counts = [
    [FAVOURITES, "Favourites", marked] as const,
    ...GROUPS.map((one) => [one, GROUP_WORDS[one], rows.filter((row) => row.group === one).length] as const),
  ];
  return html`<div class="tools" id="train">
    <h2>Modules</h2>
    <form class="find live-only" action="/">
      ${icon("search")}<label class="vh" for="find">Filter modules by name or owner</label>
      <input type="search" id="find" name="find" placeholder="Filter modules" value="${find}" autocomplete="off" />
      ${group === "" ? NOTHING : html`<input type="hidden" name="group" value="${group}" />`}
    </form>
    <nav class="seg live-only" aria-label="Which modules">
      ${link("", "All", rows.length)} ${counts.flatMap(([to, word, n]) => (n === 0 ? [] : [link(to, word, n)]))}
    </nav>
  </div>`;
}

function emptyView({ rows }: Train): Html {
  if (rows.length === 0)
    return html`<p class="box calm">No channel serves a module yet. Run kyma-modules init, then bump.</p>`;
  return html`<p class="box calm">
    No module matches. <a href="/#train">${counted(rows.length, "module")} without the filter</a>
  </p>`;
}

/** The meaning of the marks. */
const legendView: Html = html`<dl class="legend" aria-label="Legend">
  <div>
    <dt><span class="v sw">1.2.0</span></dt>
    <dd>served and in order</dd>
  </div>
  <div>
    <dt><span class="v sw go">1.2.0 ${icon("move")}</span></dt>
    <dd>on its way</dd>
  </div>
  <div>
    <dt><span class="v sw old">1.1.0</span></dt>
    <dd>not reached yet</dd>
  </div>
  <div>
    <dt><span class="v sw halt">1.2.0 ${icon("block")}</span></dt>
    <dd>wave halted</dd>
  </div>
  <div>
    <dt><span class="v sw fixv">1.2.0 ${icon("fix")}</span></dt>
    <dd>hot-fix</dd>
  </div>
  <div>
    <dt class="c-fix">${icon("debt")}</dt>
    <dd>debt</dd>
  </div>
  <div>
    <dt class="c-stop">${icon("hold")}</dt>
    <dd>hold</dd>
  </div>
  <div>
    <dt class="c-wait">${icon("drift")}</dt>
    <dd>drift</dd>
  </div>
  <div>
    <dt class="c-stop">${icon("refused")}</dt>
    <dd>refused</dd>
  </div>
  <div>
    <dt class="c-stop">${icon("contested")}</dt>
    <dd>contested</dd>
  </div>
  <div>
    <dt class="muted">${icon("blind")}</dt>
    <dd>not seen since</dd>
  </div>
</dl>`;
