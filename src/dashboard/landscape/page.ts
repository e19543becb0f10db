import { counted } from "../../document/counted.ts";
import { isAnyAmiss, type LandscapeStatus } from "../../sync/landscapeStatus.ts";
import { age, instant } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import type { Page, PageRequest } from "../page.ts";
import { section } from "../parts.ts";
import type { DashboardState, LandscapeSight } from "../state.ts";
import { attentionOf } from "./attention.ts";
import { attentionList } from "./attentionView.ts";
import { entriesTable } from "./entries.ts";
import { keeperFacts, revisionText } from "./keeper.ts";
import { planParts } from "./plan.ts";

/** One landscape: what it serves, what a sync would do now, who keeps it, and what needs a person. */
export const landscape: Page = {
  path: "/landscapes/:landscape",
  title: ({ landscape: name = "" }) => name,
  view: landscapePage,
};

function landscapePage({ state, params }: PageRequest): Html | undefined {
  const sight = state.landscapes.find(({ name }) => name === params["landscape"]);
  if (sight === undefined) return undefined;
  const { name, status, input } = sight;
  if (status === undefined || input === undefined)
    return html`<h1>${name}</h1>
      <p class="answer"><span class="big">${name} was not seen yet.</span> ${sight.blind?.because ?? ""}</p>`;
  const { nowMs } = state;
  const matters = attentionOf(status);
  const { plan, supersededBy } = input.prepared;
  return html`<div class="head">
      <h1>${name}</h1>
      <p class="meta">${seenText(sight, state)}</p>
    </div>
    <div id="landscape" data-live>
      <p class="answer">
        <span class="big">${sentence(status)}</span> <span class="muted">${revisionText(status, state)}</span>
      </p>
      ${section("needs", "Needs attention", attentionList(matters, nowMs))}
      ${section("serves", "Serves", entriesTable(name, status.entries, nowMs))}
      ${supersededBy === undefined ? section("plan", "What a sync would do now", planParts(plan)) : NOTHING}
      ${section("keeper", "Who keeps it", keeperFacts(status, state, nowMs))} ${notes(status)}
    </div>`;
}

/** How an entry or two stand, in one sentence. */
export function sentence(status: LandscapeStatus): Html {
  const { entries } = status;
  const open = entries.filter(({ wanted }) => wanted !== undefined).length;
  const halted = entries.filter(({ wave }) => wave?.halt !== undefined).length;
  const all = `${String(entries.length)} ${entries.length === 1 ? "entry" : "entries"}`;
  const order = status.isNewer
    ? html`<b>${all}</b> recorded`
    : html`<b>${String(entries.length - open)} of ${all}</b> as the repository wants`;
  const waves = halted === 0 ? "" : `; ${counted(halted, "wave")} halted`;
  return html`${order}${waves}${isAnyAmiss(status) ? "; something is refused, contested or halted" : ""}.`;
}

/** When a landscape was seen. */
export function seenText({ seenMs, blind }: LandscapeSight, { nowMs }: Pick<DashboardState, "nowMs">): Html {
  if (seenMs === undefined) return html`never seen`;
  return blind === undefined ? html`seen ${age(seenMs, nowMs)} ago` : html`as of ${instant(seenMs, nowMs)}`;
}

function notes({ notes: said }: LandscapeStatus): Html {
  if (said.length === 0) return NOTHING;
  const items = said.map((note) => html`<li>${note}</li>`);
  return section(
    "notes",
    "Notes",
    html`<ul>
      ${items}
    </ul>`,
  );
}
