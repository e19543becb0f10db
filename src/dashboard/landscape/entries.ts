import { age, countdown, numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { scroller } from "../parts.ts";
import type { EntryStatus, Soak } from "../../sync/landscapeStatus.ts";

const HEADINGS = ["Module", "Channel", "Serves", "For", "Users", "Clusters", "Soak", "Wanted"];

/** What a landscape serves, one row an entry. */
export function entriesTable(landscape: string, entries: readonly EntryStatus[], nowMs: number): Html {
  if (entries.length === 0) return html`<p>Nothing is served.</p>`;
  const table = html`<table class="tb">
    <thead>
      <tr>
        ${HEADINGS.map((heading) => html`<th scope="col">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${entries.map((entry) => entryRow(landscape, entry, nowMs))}
    </tbody>
  </table>`;
  return scroller("Entries", table);
}

function entryRow(landscape: string, entry: EntryStatus, nowMs: number): Html {
  const { channel, module, mandatory, version, sinceMs, users, soaks, wanted } = entry;
  const fleet = new URLSearchParams({ landscape, module, ...(mandatory ? {} : { channel }) });
  return html`<tr>
    <th scope="row"><a href="/modules/${encodeURIComponent(module)}">${module}</a></th>
    <td>${channel} ${mandatory ? html`<span class="tag">mandatory</span>` : NOTHING}</td>
    <td>${version ?? "–"}</td>
    <td class="nb">${sinceMs === undefined ? "not known" : age(sinceMs, nowMs)}</td>
    <td><a href="/fleet?${fleet.toString()}">${users === undefined ? "not known" : numberText(users)}</a></td>
    <td>${clustersText(entry)}</td>
    <td class="nb">${soaks.length === 0 ? "–" : soaks.map((soak) => html`<div>${soakText(soak, nowMs)}</div>`)}</td>
    <td>${wanted === undefined ? "in order" : `${wanted.kind} ${wanted.version ?? ""}`.trim()}</td>
  </tr>`;
}

function clustersText({ wave }: EntryStatus): string {
  if (wave === undefined) return "not counted";
  const parts = [
    [wave.inOrder, "in order"],
    [wave.pending, "pending"],
    [wave.failing, "failing"],
  ] as const;
  const counts = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${numberText(count)} ${word}`]));
  return counts.join(", ") || "none";
}

function soakText({ landscape, soaked }: Soak, nowMs: number): Html {
  return soaked.kind === "soaking"
    ? html`${landscape} ${countdown(soaked.untilMs, nowMs)}`
    : html`${landscape} ${soaked.kind}`;
}
