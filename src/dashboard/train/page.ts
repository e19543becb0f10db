import { counted } from "../../document/counted.ts";
import { age, countdown, instant, lengthText, numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { icon, signIcon, type IconName } from "../icons.ts";
import { termList } from "../parts.ts";
import { PROBLEM_SIGNS } from "../problemSigns.ts";
import type { Page, PageRequest } from "../page.ts";
import { commitLink } from "../reasons.ts";
import type { DashboardState } from "../state.ts";
import type { Matter } from "./matters.ts";
import { GROUPS, trainTable, type ModuleGroup, type Row, type Train } from "./rows.ts";
import { tableView } from "./tableView.ts";

/** The train: every module, in every channel, on every landscape. */
export const train: Page = {
  path: "/",
  tab: "Train",
  title: () => "Train",
  view: (request) => trainView(trainTable(request.state), request),
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
  return html`<div class="page-head wrapping-line">
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
  return html`<p class="page-facts">
    ${counts.join(" · ")} · decided on ${commitLink(revision, state)} at ${instant(gathered.nowMs, nowMs)}${blind}
  </p>`;
}

/** The groups whose counts are at the top of the page. */
const COUNTED: readonly {
  readonly group: ModuleGroup;
  readonly word: string;
  readonly icon: IconName;
  readonly tone: string;
  /** The detail of an empty group. */
  readonly none?: string;
}[] = [
  { group: "blocked", word: "Blocked", icon: "block", tone: "tone-stop", none: "nothing" },
  { group: "moves", word: "Move", icon: "move", tone: "tone-move", none: "nothing moves" },
  { group: "waits", word: "Wait", icon: "wait", tone: "tone-wait", none: "nothing waits" },
  { group: "quiet", word: "Nothing to do", icon: "none", tone: "muted-text" },
];

/** The number of modules in each group, and the matters that need a person. */
function glanceView(train: Train, state: DashboardState): Html {
  return html`<section class="train-glance" aria-label="At a glance">
    <ul class="verdict-counts bordered-box lined-grid" aria-label="Verdicts" id="tally" data-live>
      ${COUNTED.map(({ group, word, icon: name, tone, none }) => {
        const rows = train.rows.filter((row) => row.group === group);
        const empty = rows.length === 0 ? none : undefined;
        return html`<li>
          <a href="#${group}"
            ><b>${numberText(rows.length)}</b><span class="count-word icon-line ${tone}">${icon(name)}${word}</span
            ><span class="count-detail small-text muted-text"
              >${empty ?? groupDetail(group, rows, train, state.nowMs)}</span
            ></a
          >
        </li>`;
      })}
    </ul>
    ${needsView(train, state)}
  </section>`;
}

function groupDetail(group: ModuleGroup, rows: readonly Row[], train: Train, nowMs: number): Html {
  switch (group) {
    case "blocked": {
      const halted = rows.filter(({ matters }) => matters.some(({ kind }) => kind === "halted")).length;
      return html`${halted === 0 ? "each needs a person" : `${counted(halted, "wave")} halted`}`;
    }
    case "moves": {
      const promotions = rows.filter(({ gates }) =>
        [...gates.values()].some(({ verdict }) => verdict?.kind === "promote"),
      );
      return html`${counted(promotions.length, "promotion")}, ${counted(rows.length - promotions.length, "wave")}`;
    }
    case "waits":
      return nextView(rows, nowMs) ?? html`no time is known`;
    case "quiet":
    case "mandatory":
      return html`and ${numberText(train.rows.filter((row) => row.group === "mandatory").length)} mandatory`;
  }
}

/** The module that is promoted first without a person; `undefined` if no time is known. */
function nextView(rows: readonly Row[], nowMs: number): Html | undefined {
  const [first] = rows
    .filter(({ nextMs }) => nextMs !== undefined)
    .toSorted((a, b) => (a.nextMs ?? 0) - (b.nextMs ?? 0));
  if (first?.nextMs === undefined) return undefined;
  return html`next ${countdown(first.nextMs, nowMs)}: ${first.module}`;
}

/** The maximum number of listed matters; others are counted. */
const SHOWN = 7;

function needsView({ matters, rows }: Train, { nowMs, landscapes }: DashboardState): Html {
  const unseen = landscapes.filter(({ status }) => status === undefined).length;
  const times = matters.flatMap(({ sinceMs }) => sinceMs ?? []);
  const oldest = times.length === 0 ? "" : `, the oldest for ${lengthText(nowMs - Math.min(...times))}`;
  const blind = unseen === 0 ? NOTHING : html` · ${counted(unseen, "landscape")} not seen yet`;
  return html`<section class="needs-list bordered-box" aria-labelledby="needs-title" id="needs" data-live>
    <h2 class="wrapping-line" id="needs-title">
      Needs attention<span class="small-text muted-text">${numberText(matters.length)}${oldest}${blind}</span>
    </h2>
    ${
      matters.length === 0
        ? html`<p class="calm-text muted-text">Nothing needs you. ${nextView(rows, nowMs) ?? NOTHING}</p>`
        : html`<ul>
            ${matters.slice(0, SHOWN).map((matter) => needView(matter, nowMs))}
            ${matters.length > SHOWN ? html`<li class="calm-text muted-text">and ${matters.length - SHOWN} more, in their rows</li>` : NOTHING}
          </ul>`
    }
  </section>`;
}

function needView({ kind, module, about, message, owner, sinceMs }: Matter, nowMs: number): Html {
  const sign = PROBLEM_SIGNS[kind];
  const [subject, beside, address] =
    module === undefined
      ? [about, "", `/landscapes/${encodeURIComponent(about)}`]
      : [module, ` ${about}`, `#why-${module}`];
  return html`<li>
    <a href="${address}"
      >${signIcon(sign)}<span class="need-kind">${sign.label}</span
      ><span class="need-text"><b>${subject}</b>${beside}: ${message}</span
      ><span class="need-owner small-text muted-text">${owner}</span
      ><span class="need-age small-text muted-text">${sinceMs === undefined ? NOTHING : age(sinceMs, nowMs)}</span></a
    >
  </li>`;
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
  return html`<div class="train-tools wrapping-line" id="train">
    <h2>Modules</h2>
    <form class="search-field scripts-only" action="/">
      ${icon("search")}<label class="visually-hidden" for="find">Filter modules by name or owner</label>
      <input type="search" id="find" name="find" placeholder="Filter modules" value="${find}" autocomplete="off" />
      ${group === "" ? NOTHING : html`<input type="hidden" name="group" value="${group}" />`}
    </form>
    <nav class="segment-links scripts-only" aria-label="Which modules">
      ${link("", "All", rows.length)} ${counts.flatMap(([to, word, n]) => (n === 0 ? [] : [link(to, word, n)]))}
    </nav>
  </div>`;
}

function emptyView({ rows }: Train): Html {
  if (rows.length === 0)
    return html`<p class="bordered-box calm-text muted-text">
      No channel serves a module yet. Run kyma-modules init, then bump.
    </p>`;
  return html`<p class="bordered-box calm-text muted-text">
    No module matches. <a href="/#train">${counted(rows.length, "module")} without the filter</a>
  </p>`;
}

/** A version as lanes show it. */
function sampleVersion(version: string, style: string, name?: IconName): Html {
  const mark = name === undefined ? NOTHING : html` ${icon(name)}`;
  return html`<span class="lane-version legend-sample ${style}">${version}${mark}</span>`;
}

/** The meaning of the marks. */
const legendView: Html = termList(
  "mark-legend wrapping-line small-text muted-text",
  [
    [sampleVersion("1.2.0", ""), "served and in order"],
    [sampleVersion("1.2.0", "version-moving", "move"), "on its way"],
    [sampleVersion("1.1.0", "version-older"), "not reached yet"],
    [sampleVersion("1.2.0", "version-halted", "block"), "wave halted"],
    [sampleVersion("1.2.0", "version-hotfix", "fix"), "hot-fix"],
    ...(["debt", "held", "drift", "refused", "contested"] as const).map((kind) => {
      return [signIcon(PROBLEM_SIGNS[kind]), kind === "held" ? "hold" : kind] as const;
    }),
    [icon("blind"), "not seen, or not known"],
  ],
  "Legend",
);
