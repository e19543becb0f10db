import type { AccountLine, SimulationAccount, Table } from "../../promote/simulate/account.ts";
import type { AccountSection } from "../../promote/simulate/sections.ts";
import { instantText } from "../../document/times.ts";
import { html, type Html } from "../html.ts";
import { scroller } from "../parts.ts";

/** What a replay says: the very words and figures that `simulate` prints. */
export function resultOf({ title, facts, tables, sections }: SimulationAccount): Html {
  const parts = sections.length === 0 ? html`<p>History and policy part nowhere.</p>` : sections.map(detailsOf);
  return html`<h3>${title}</h3>
    <dl class="account">${facts.map(factOf)}</dl>
    ${tables.map(tableOf)} ${parts}`;
}

function factOf({ name, text }: AccountLine): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${text}</dd>
  </div>`;
}

function tableOf({ title, header, rows }: Table): Html {
  return scroller(title, tableMarkup(title, header, rows));
}

/** As much as a person reads on a page; the command has all of it. */
const MOST = 100;

function detailsOf({ title, entries }: AccountSection): Html {
  const rows = entries
    .slice(0, MOST)
    .map(({ atMs, subject, step, text }) => [instantText(atMs), subject, step, text] as const);
  return html`<details>
    <summary>${title} (${String(entries.length)})</summary>
    ${scroller(title, tableMarkup(title, ["When", "What", "Step", "Why"], rows))}
  </details>`;
}

function tableMarkup(caption: string, header: readonly string[], rows: readonly (readonly string[])[]): Html {
  return html`<table class="tb">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${header.map((name) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
