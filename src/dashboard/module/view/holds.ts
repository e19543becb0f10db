import type { DeclaredEntry } from "../../../catalogue/history/history.ts";
import { holdEndMs, isLift } from "../../../catalogue/holdStrength.ts";
import { holdsPath, hotfixesPath } from "../../../catalogue/paths.ts";
import type { Hold, Hotfix } from "../../../catalogue/policy.ts";
import { type DecreasePeriod, manualDecreases } from "../../../promote/verdict/holding.ts";
import { instant } from "../../format.ts";
import { html, NOTHING, outwardLink, type Html } from "../../html.ts";
import { icon } from "../../icons.ts";
import { section } from "../../parts.ts";
import { commitLink, fileLink } from "../../source.ts";
import type { DashboardState } from "../../state.ts";
import type { ModuleFacts } from "../facts.ts";

/** Holds, decreases and hot-fixes, newest first. Ended ones stay, because they explain the history. */
export function holdsSection(facts: ModuleFacts, state: DashboardState): Html {
  const { history } = facts;
  const items = [
    ...manualDecreases(history, state.nowMs).map((one) => decreaseItem(one, state)),
    ...history.holds.toReversed().map((one) => holdItem(one, facts, state)),
    ...history.hotfixes.toReversed().map((one) => hotfixItem(one, facts, state)),
  ];
  const content =
    items.length === 0
      ? html`<p class="muted">No holds and no hot-fixes.</p>`
      : html`<div class="box">
          <ul class="kv">
            ${items}
          </ul>
        </div>`;
  return section("holds", "Holds and hot-fixes", content);
}

function holdItem({ entry, from, to }: DeclaredEntry<Hold>, { module }: ModuleFacts, state: DashboardState): Html {
  const { nowMs } = state;
  const { version, channel, by, reason } = entry;
  const endMs = Math.min(holdEndMs(entry), to?.atMs ?? Number.POSITIVE_INFINITY);
  const is = isLift(entry) ? "lifted" : endMs > nowMs ? "held" : "over";
  const where = channel === undefined ? "in every channel" : `in ${channel}`;
  const end = is === "lifted" ? NOTHING : endText(endMs, nowMs);
  return html`<li>
    <span class="${is === "held" ? "c-stop" : "c-ok"}">${icon("hold")}</span>
    <span><b>${version}</b> ${HOLDS[is]} ${where} by ${by}: ${reason}</span>
    <span class="r">${is === "held" ? "since " : ""}${instant(from.atMs, nowMs)}${end}</span>
    <span class="d">${to === undefined ? fileLink(holdsPath(module), state) : "The entry was removed."}</span>
  </li>`;
}

function endText(endMs: number, nowMs: number): Html {
  return Number.isFinite(endMs) ? html` to ${instant(endMs, nowMs)}` : NOTHING;
}

const HOLDS = { lifted: "allowed again", held: "held", over: "was held" } as const;

function decreaseItem({ version, why, startMs }: DecreasePeriod, state: DashboardState): Html {
  return html`<li>
    <span class="c-stop">${icon("hold")}</span>
    <span><b>${version}</b> counts as held in every channel: ${why.channel} went down to ${why.to} by hand</span>
    <span class="r">since ${instant(startMs, state.nowMs)}</span>
    <span class="d">commit ${commitLink(why.at.commit, state)}</span>
  </li>`;
}

function hotfixItem({ entry, from, to }: DeclaredEntry<Hotfix>, { module }: ModuleFacts, state: DashboardState): Html {
  const { version, channel, incident, by, alsoFixedIn = [], debt = [] } = entry;
  const owed = debt.map(({ kind, paidBy }) =>
    paidBy === undefined
      ? html`<span class="c-fix">${icon("debt")} ${kind} is owed</span> `
      : html`${kind} paid by ${outwardLink(paidBy, paidBy)} `,
  );
  const fixed = alsoFixedIn.length === 0 ? "" : `; also fixed in ${alsoFixedIn.join(", ")}`;
  return html`<li>
    <span class="c-fix">${icon("fix")}</span>
    <span><b>${version}</b> hot-fix of ${channel} by ${by}, for ${outwardLink(incident, incident)}${fixed}</span>
    <span class="r">${instant(from.atMs, state.nowMs)}</span>
    <span class="d">${owed}${to === undefined ? fileLink(hotfixesPath(module), state) : "The entry was removed."}</span>
  </li>`;
}
