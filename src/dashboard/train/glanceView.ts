import { counted } from "../../document/counted.ts";
import { age, countdown, lengthText, numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { icon, type IconName } from "../icons.ts";
import type { DashboardState } from "../state.ts";
import { MATTER_LOOKS } from "./matterLooks.ts";
import type { Matter } from "./matter.ts";
import type { ModuleGroup, Row, Train } from "./rows.ts";

/** The groups whose counts are at the top of the page. */
const COUNTED: readonly {
  readonly group: ModuleGroup;
  readonly word: string;
  readonly icon: IconName;
  readonly tone: string;
}[] = [
  { group: "blocked", word: "Blocked", icon: "block", tone: "c-stop" },
  { group: "moves", word: "Move", icon: "move", tone: "c-move" },
  { group: "waits", word: "Wait", icon: "wait", tone: "c-wait" },
  { group: "quiet", word: "Nothing to do", icon: "none", tone: "muted" },
];

/** The number of modules in each group, and the matters that need a person. */
export function glanceView(train: Train, state: DashboardState): Html {
  return html`<section class="glance" aria-label="At a glance">
    <ul class="tally" aria-label="Verdicts" id="tally" data-live>
      ${COUNTED.map(({ group, word, icon: name, tone }) => {
        const rows = train.rows.filter((row) => row.group === group);
        return html`<li>
          <a href="#${group}"
            ><b>${numberText(rows.length)}</b><span class="w ${tone}">${icon(name)}${word}</span
            ><span class="d">${detailOf(group, rows, train, state.nowMs)}</span></a
          >
        </li>`;
      })}
    </ul>
    ${needsView(train, state)}
  </section>`;
}

function detailOf(group: ModuleGroup, rows: readonly Row[], train: Train, nowMs: number): Html {
  switch (group) {
    case "blocked": {
      const halted = rows.filter(({ matters }) => matters.some(({ kind }) => kind === "halted")).length;
      if (rows.length === 0) return html`nothing`;
      return html`${halted === 0 ? "each needs a person" : `${counted(halted, "wave")} halted`}`;
    }
    case "moves": {
      const promotions = rows.filter(({ gates }) =>
        [...gates.values()].some(({ verdict }) => verdict?.kind === "promote"),
      );
      if (rows.length === 0) return html`nothing moves`;
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
  return html`<section class="needs" aria-labelledby="needs-title" id="needs" data-live>
    <h2 id="needs-title">Needs attention<span>${numberText(matters.length)}${oldest}${blind}</span></h2>
    ${
      matters.length === 0
        ? html`<p class="calm">Nothing needs you. ${nextView(rows, nowMs) ?? NOTHING}</p>`
        : html`<ul>
            ${matters.slice(0, SHOWN).map((matter) => needView(matter, nowMs))}
            ${matters.length > SHOWN ? html`<li class="calm">and ${matters.length - SHOWN} more, in their rows</li>` : NOTHING}
          </ul>`
    }
  </section>`;
}

function needView({ kind, module, about, message, owner, sinceMs }: Matter, nowMs: number): Html {
  const { icon: name, tone, label } = MATTER_LOOKS[kind];
  const address = module === undefined ? `/landscapes/${encodeURIComponent(about)}` : `#why-${module}`;
  return html`<li>
    <a href="${address}"
      ><span class="${tone}">${icon(name)}</span><span class="k">${label}</span
      ><span class="txt"><b>${module ?? "all modules"}</b> ${about}: ${message}</span><span class="who">${owner}</span
      ><span class="ago">${sinceMs === undefined ? NOTHING : age(sinceMs, nowMs)}</span></a
    >
  </li>`;
}
