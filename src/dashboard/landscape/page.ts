import { counted } from "../../document/counted.ts";
import { describeEntry, entryText, type Description } from "../../sync/describeEntry.ts";
import { describeItem, planItemName, planSummary } from "../../sync/describeItem.ts";
import { isAnyAmiss, type LandscapeStatus } from "../../sync/landscapeStatus.ts";
import { planEntries, planItems, type Plan } from "../../sync/plan/item.ts";
import { age, instant, instantBeside } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { signIcon, type Tone } from "../icons.ts";
import type { Page, PageRequest } from "../page.ts";
import { commandList, pageAnswer, pageHead, reasonItem, reasonList, section, termList } from "../parts.ts";
import { commitLink, type ForgePlace } from "../reasons.ts";
import { PROBLEM_SIGNS } from "../problemSigns.ts";
import type { DashboardState, LandscapeSight } from "../state.ts";
import { landscapeAttention, type Attention } from "./attention.ts";
import { entriesTable } from "./entriesTable.ts";

/** One landscape: problems, entries, the plan of a sync, and the controller. */
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
      ${pageAnswer(`${name} has not been seen yet.`, sight.blind?.because)}`;
  const { nowMs } = state;
  const matters = landscapeAttention(status, input.users);
  const needs =
    matters.length === 0
      ? html`<p>Nothing on this landscape needs you.</p>`
      : reasonList(matters.map((matter) => attentionItem(matter, nowMs)));
  const { plan, supersededBy } = input.prepared;
  return html`${pageHead(name, seenText(sight, state))}
    <div id="landscape" data-live>
      ${pageAnswer(sentence(status), html`<span class="muted-text">${revisionText(status, state)}</span>`)}
      ${section("needs", "Needs attention", needs)} ${section("serves", "Serves", entriesTable(status, nowMs))}
      ${supersededBy === undefined ? section("plan", "What a sync would do now", planParts(plan)) : NOTHING}
      ${section("keeper", "Controller", keeperFacts(status, state, nowMs))} ${notes(status)}
    </div>`;
}

/** The state of a landscape in one sentence. */
export function sentence(status: LandscapeStatus): Html {
  const { entries } = status;
  const ordered = entries.filter(({ wanted, isWantedKnown }) => wanted === undefined && isWantedKnown).length;
  const unknown = entries.filter(({ wanted, isWantedKnown }) => wanted === undefined && !isWantedKnown).length;
  const halted = entries.filter(({ wave }) => wave?.halt !== undefined).length;
  const all = `${String(entries.length)} ${entries.length === 1 ? "entry" : "entries"}`;
  const order = status.isWantedKnown
    ? html`<b>${String(ordered)} of ${all}</b> as in the
        repository${unknown === 0 ? "" : `; of ${String(unknown)}, what is wanted is not known`}`
    : html`<b>${all}</b> recorded`;
  const waves = halted === 0 ? "" : `; ${counted(halted, "wave")} halted`;
  return html`${order}${waves}${isAnyAmiss(status) ? "; something needs attention" : ""}.`;
}

/** The time when a landscape was last seen. */
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

/** The plan of a sync, as `plan` prints it. */
function planParts(plan: Plan): Html {
  const steps = [
    ...planEntries(plan).flatMap((entry) =>
      entry.kind === "unchanged" ? [] : [stepItem(entryText(entry), describeEntry(entry))],
    ),
    ...planItems(plan).flatMap((item) =>
      item.kind === "unchanged" ? [] : [stepItem(planItemName(item), describeItem(item))],
    ),
  ];
  const shown = steps.slice(0, MOST_STEPS);
  const more = steps.length - shown.length;
  return html`<p>${planSummary(plan)}</p>
    <ul class="plan-steps">
      ${shown} ${more > 0 ? html`<li>and ${String(more)} more</li>` : ""}
    </ul>
    ${commandList([`kyma-modules plan ${plan.landscape}`])}`;
}

/** The maximum number of steps on the page. The command prints all of them. */
const MOST_STEPS = 100;

const TONES: Readonly<Partial<Record<Description["style"], Tone>>> = {
  bad: "tone-stop",
  change: "tone-wait",
  good: "tone-move",
};

function stepItem(name: string, { verb, style, details }: Description): Html {
  return html`<li>
    <b class="${TONES[style] ?? "tone-calm"}">${verb}</b> ${name}
    ${details.map((detail) => html`<small>${detail}</small>`)}
  </li>`;
}

/** Compares the commit that a landscape serves with the one that the pages show. */
function revisionText({ serves, isNewer }: LandscapeStatus, place: ForgePlace): Html {
  if (serves === undefined) return html`No commit has been synced to it yet.`;
  const served = commitLink(serves, place);
  if (serves === place.revision) return html`It serves ${served}, the commit that these pages show.`;
  const shown = commitLink(place.revision, place);
  return isNewer
    ? html`It serves ${served}, which is newer than ${shown}, the commit that these pages show: wanted versions are not
      known.`
    : html`It serves ${served}; these pages show ${shown}.`;
}

/** The Lease of a landscape, and the last status of its controller. */
function keeperFacts({ lease, controller }: LandscapeStatus, place: ForgePlace, nowMs: number): Html {
  const said = controller?.sinceMs;
  const served =
    controller === undefined
      ? "none so far"
      : html`serves ${controller.revision === "" ? "nothing" : commitLink(controller.revision, place)}`;
  return termList("controller-facts wrapping-line", [
    ["Lease", leaseText(lease, nowMs)],
    ["Controller", served],
    ["Controller status", said === undefined ? "not known" : html`from ${instantBeside(said, nowMs)}`],
  ]);
}

function leaseText(lease: LandscapeStatus["lease"], nowMs: number): Html {
  if (lease === undefined) return html`no holder`;
  const { holder, sinceMs, renewedMs, isExpired } = lease;
  if (isExpired)
    return html`expired; ${holder} held
    it${renewedMs === undefined ? "" : html` and last renewed it at ${instant(renewedMs, nowMs)}`}`;
  return html`${holder} holds it${sinceMs === undefined ? "" : html` for ${age(sinceMs, nowMs)}`}`;
}

function attentionItem({ kind, about, message, remedy, sinceMs, untilMs, command }: Attention, nowMs: number): Html {
  const sign = PROBLEM_SIGNS[kind];
  const since =
    sinceMs === undefined
      ? NOTHING
      : html`<span class="muted-text unbroken-text">since ${instantBeside(sinceMs, nowMs)}</span>`;
  const until =
    untilMs === undefined
      ? NOTHING
      : html`<span class="muted-text unbroken-text">until ${instantBeside(untilMs, nowMs)}</span>`;
  return reasonItem(
    signIcon(sign),
    html`<b class="${sign.tone}">${sign.label}</b> <b>${about}</b>: ${message} ${since} ${until}
      ${remedy === undefined ? NOTHING : html`<br /><span class="muted-text">${remedy}</span>`}
      ${command === undefined ? NOTHING : commandList([command])}`,
  );
}
