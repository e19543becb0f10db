import type { DeclaredEntry } from "../../catalogue/history/history.ts";
import { holdEndMs, isLift } from "../../catalogue/holdStrength.ts";
import { holdsPath, hotfixesPath } from "../../catalogue/paths.ts";
import type { Hold, Hotfix } from "../../catalogue/policy.ts";
import { type DecreasePeriod, manualDecreases } from "../../promote/verdict/holding.ts";
import { instant } from "../format.ts";
import { html, NOTHING, outwardLink, type Html } from "../html.ts";
import { signIcon } from "../icons.ts";
import { recordList, section, type RecordEntry } from "../parts.ts";
import { commitLink, fileLink } from "../reasons.ts";
import type { DashboardState } from "../state.ts";
import type { ModuleFacts } from "./facts.ts";

/** Holds, decreases and hot-fixes, newest first. Ended ones stay, because they explain the history. */
export function holdsSection(facts: ModuleFacts, state: DashboardState): Html {
  const { history } = facts;
  const entries = [
    ...manualDecreases(history, state.nowMs).map((one) => decreaseEntry(one, state)),
    ...history.holds.toReversed().map((one) => holdEntry(one, facts, state)),
    ...history.hotfixes.toReversed().map((one) => hotfixEntry(one, facts, state)),
  ];
  return section("holds", "Holds and hot-fixes", recordList(entries, "No holds and no hot-fixes."));
}

function holdEntry(
  { entry, from, to }: DeclaredEntry<Hold>,
  { module }: ModuleFacts,
  state: DashboardState,
): RecordEntry {
  const { nowMs } = state;
  const { version, channel, by, reason } = entry;
  const endMs = Math.min(holdEndMs(entry), to?.atMs ?? Number.POSITIVE_INFINITY);
  const is = isLift(entry) ? "lifted" : endMs > nowMs ? "held" : "over";
  const where = channel === undefined ? "in every channel" : `in ${channel}`;
  const end = is === "lifted" ? NOTHING : endText(endMs, nowMs);
  return {
    sign: { icon: "hold", tone: is === "held" ? "tone-stop" : "tone-calm" },
    content: html`<b>${version}</b> ${HOLDS[is]} ${where} by ${by}: ${reason}`,
    time: html`${is === "held" ? "since " : ""}${instant(from.atMs, nowMs)}${end}`,
    detail: to === undefined ? fileLink(holdsPath(module), state) : "The entry was removed.",
  };
}

function endText(endMs: number, nowMs: number): Html {
  return Number.isFinite(endMs) ? html` to ${instant(endMs, nowMs)}` : NOTHING;
}

const HOLDS = { lifted: "allowed again", held: "held", over: "was held" } as const;

function decreaseEntry({ version, why, startMs }: DecreasePeriod, state: DashboardState): RecordEntry {
  return {
    sign: { icon: "hold", tone: "tone-stop" },
    content: html`<b>${version}</b> counts as held in every channel: ${why.channel} went down to ${why.to} by hand`,
    time: html`since ${instant(startMs, state.nowMs)}`,
    detail: html`commit ${commitLink(why.at.commit, state)}`,
  };
}

function hotfixEntry(
  { entry, from, to }: DeclaredEntry<Hotfix>,
  { module }: ModuleFacts,
  state: DashboardState,
): RecordEntry {
  const { version, channel, incident, by, alsoFixedIn = [], debt = [] } = entry;
  const owed = debt.map(({ kind, paidBy }) =>
    paidBy === undefined
      ? html`${signIcon({ icon: "debt", tone: "tone-fix" }, ` ${kind} is owed`)} `
      : html`${kind} paid by ${outwardLink(paidBy, paidBy)} `,
  );
  const fixed = alsoFixedIn.length === 0 ? "" : `; also fixed in ${alsoFixedIn.join(", ")}`;
  const file = to === undefined ? fileLink(hotfixesPath(module), state) : "The entry was removed.";
  return {
    sign: { icon: "fix", tone: "tone-fix" },
    content: html`<b>${version}</b> hot-fix of ${channel} by ${by}, for ${outwardLink(incident, incident)}${fixed}`,
    time: instant(from.atMs, state.nowMs),
    detail: html`${owed}${file}`,
  };
}
