import { compareText } from "../../document/order.ts";
import { type Calendar, openingFrom } from "./calendar.ts";
import type { Contender } from "./contender.ts";
import type { Interval, ReadyPeriod } from "./interval.ts";
import { policyFor } from "./policy.ts";

/** Contenders that move in one pull request, or not at all. */
export type Unit = readonly Contender[];

/** The contenders that have candidates, in units. `groups` are those of `together`. */
export function contenderUnits(
  contenders: readonly Contender[],
  groups: readonly (readonly string[])[],
): readonly Unit[] {
  const units = Map.groupBy(
    contenders.filter(({ verdict }) => verdict.kind !== "nothing"),
    ({ verdict: { module } }) => groups.find((group) => group.includes(module)) ?? module,
  );
  return [...units].map(([group, unit]) =>
    typeof group === "string"
      ? unit
      : unit.toSorted((a, b) => group.indexOf(a.verdict.module) - group.indexOf(b.verdict.module)),
  );
}

/** The windows and freezes of all members: each of them must be open. */
export function unitCalendar(unit: Unit): Calendar {
  const calendars = unit.map(({ subject }) => policyFor(subject).calendar);
  // All members have those of the channel.
  const isNew = ({ statedBy }: { readonly statedBy: string }, index: number): boolean =>
    index === 0 || statedBy === "module";
  return {
    windowSets: calendars.flatMap(({ windowSets }, index) => windowSets.filter((one) => isNew(one, index))),
    freezes: calendars.flatMap(({ freezes }, index) => freezes.filter((one) => isNew(one, index))),
  };
}

/** The periods in which a contender may move, as far as only time is missing. */
export function readyPeriods({ verdict: { candidates } }: Contender): readonly ReadyPeriod[] {
  return candidates.flatMap(({ ready }) => ready ?? []);
}

/**
 * The first instant from `fromMs` on at which each member is in one of its periods, and the calendar is open; Unix
 * milliseconds. `undefined`: never, or something else than time is missing.
 */
export function firstMoveMs(
  members: readonly (readonly Interval[])[],
  calendar: Calendar,
  fromMs: number,
): number | undefined {
  let atMs = fromMs;
  for (;;) {
    const readyMs = Math.max(...members.map((periods) => readyFrom(periods, atMs)));
    const openMs = Number.isFinite(readyMs) ? openingFrom(calendar, readyMs).openMs : undefined;
    if (openMs === undefined || openMs === atMs) return openMs;
    atMs = openMs;
  }
}

function readyFrom(periods: readonly Interval[], fromMs: number): number {
  const starts = periods.filter(({ endMs }) => endMs > fromMs).map(({ startMs }) => Math.max(startMs, fromMs));
  return Math.min(...starts);
}

/** Which of two units goes first at an instant: the one whose members all had something to promote earlier. */
export function compareUnits(atMs: number): (a: Unit, b: Unit) => number {
  return (a, b) => earnedMs(a, atMs) - earnedMs(b, atMs) || compareText(unitName(a), unitName(b));
}

function unitName([first]: Unit): string {
  return String(first?.verdict.module);
}

/** A newer candidate does not set its module back. */
function earnedMs(unit: Unit, atMs: number): number {
  const firstMs = (own: readonly ReadyPeriod[]): number =>
    Math.min(...own.filter(({ startMs }) => startMs <= atMs).map((one) => one.earnedMs));
  return Math.max(...unit.map((one) => firstMs(readyPeriods(one))));
}
