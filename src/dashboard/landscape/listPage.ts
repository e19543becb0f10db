import { html, type Html } from "../html.ts";
import type { Page } from "../page.ts";
import type { DashboardState, LandscapeSight } from "../state.ts";
import { landscapeAttention } from "./attention.ts";
import { seenText, sentence } from "./page.ts";

/** All landscapes, in roll-out order. */
export const landscapeList: Page = {
  path: "/landscapes",
  tab: "Landscapes",
  title: () => "Landscapes",
  view: ({ state }) => {
    const { landscapes } = state;
    const list = html`<ul class="landscape-list" id="landscapes" data-live>
      ${landscapes.map((sight) => item(sight, state))}
    </ul>`;
    return html`<h1>Landscapes</h1>
      ${landscapes.length === 0 ? html`<p>No control plane was queried.</p>` : list}`;
  },
};

function item(sight: LandscapeSight, state: DashboardState): Html {
  const { name, status, input, blind } = sight;
  const count = status === undefined ? 0 : landscapeAttention(status, input?.users).length;
  const said = status === undefined ? html`Not seen yet. ${blind?.because ?? ""}` : sentence(status);
  return html`<li class="bordered-box">
    <h2><a href="/landscapes/${encodeURIComponent(name)}">${name}</a></h2>
    <p>${said}</p>
    <p class="muted-text small-text">
      ${seenText(sight, state)}${count === 0 ? "" : html` · <a href="/landscapes/${encodeURIComponent(name)}#needs">${String(count)} to look at</a>`}
    </p>
  </li>`;
}
