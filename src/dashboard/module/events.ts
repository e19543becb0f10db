import type { TimelineEvent } from "../../promote/timeline/timeline.ts";
import { instant, lengthText } from "../format.ts";
import { html, NOTHING, outwardLink, type Html } from "../html.ts";
import { dataTable, section, sideScroller } from "../parts.ts";
import { commitLink } from "../reasons.ts";
import type { DashboardState } from "../state.ts";

/** The maximum number of events on the page; `history` prints all. */
const MOST = 30;

/** The events of the module, who requested them, and who merged them. */
export function eventsSection(events: readonly TimelineEvent[], state: DashboardState): Html {
  if (events.length === 0) return NOTHING;
  const rows = events.slice(0, MOST).map((event) => eventRow(event, state));
  const table = dataTable(["When", "Channel", "Step", "How", "Soak", "Who", "Change"], rows, "wide-table");
  const more = events.length - MOST;
  const rest =
    more > 0
      ? html`<p class="side-note small-text muted-text">and ${String(more)} older: kyma-modules history</p>`
      : NOTHING;
  return section("history", "History", html`${sideScroller("History", table)} ${rest}`);
}

function eventRow(event: TimelineEvent, state: DashboardState): Html {
  const { revision, channel, author, by, pull, subject, reason } = event;
  const soak = event.kind === "step" ? event.soak.at(-1) : undefined;
  const address = pull === undefined ? undefined : state.repositoryUrl && `${state.repositoryUrl}/pull/${String(pull)}`;
  const change = pull === undefined ? commitLink(revision.commit, state) : outwardLink(address, `#${String(pull)}`);
  return html`<tr>
    <td>${instant(revision.atMs, state.nowMs)}</td>
    <td>${channel ?? "all"}</td>
    <td>${stepText(event)}</td>
    <td>${event.kind === "step" ? event.how : event.kind}</td>
    <td>${soak === undefined ? "–" : lengthText(soak.ms)}</td>
    <td>${by ?? author}</td>
    <td class="wrapping-cell">${change} ${reason ?? subject}</td>
  </tr>`;
}

function stepText(event: TimelineEvent): string {
  if (event.kind !== "step") return event.version;
  const { from, to } = event;
  return from === to ? (to ?? "nothing") : `${from ?? "nothing"} → ${to ?? "nothing"}`;
}
