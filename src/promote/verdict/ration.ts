import type { PromotionFile } from "../../catalogue/policy.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import { counted } from "../../document/counted.ts";
import { oncePerWith } from "../../document/once.ts";
import { instantText } from "../../document/times.ts";
import { locate } from "../../document/yaml/read.ts";
import type { ModuleHistory } from "../../catalogue/history/history.ts";
import { openingFrom } from "./calendar.ts";
import { type Contender, keep, leadingModule, reassess } from "./contender.ts";
import { lengthMs, opensAfter } from "./opening.ts";
import { subjectStates, type Subject } from "./subject.ts";
import { unitCalendar, compareUnits, firstMoveMs, readyPeriods, type Unit } from "./unit.ts";
import type { Assessment, Earliest, Reason, Verdict } from "./verdict.ts";

/** The input of limits, beside the verdicts. */
export interface Movement {
  /** The histories of all modules. Called only if promotions are counted. */
  readonly histories: () => readonly ModuleHistory[];
  /** Whether the repository has a module of that name. */
  readonly isModule: (name: string) => boolean;
  /** Whether the proposal of a verdict, which carries out its group, cannot move now: then it takes no place. */
  readonly isStuck?: (verdict: Verdict) => boolean;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

const DAY_MS = 86_400_000;

/**
 * Lets no more than `most` contenders of a channel move in a window, the longest earned first; all others wait. Takes
 * those that have candidates in units, too, and any subject of the channel.
 */
export function ration(
  contenders: readonly Contender[],
  units: readonly Unit[],
  { most, subject }: { readonly most: number; readonly subject: Subject },
  movement: Movement,
): readonly Contender[] {
  const free = units
    .filter(
      (unit) =>
        !unit.some((one) => leadingModule(one) === one.verdict.module && movement.isStuck?.(one.verdict) === true),
    )
    .toSorted(compareUnits(movement.nowMs));
  const window = windowAt(subject, movement.nowMs);
  const movedSince = movedIn(subject, movement);
  const ready = free.filter((unit) => unit.every(({ verdict }) => verdict.kind === "promote"));
  const moved = movedSince(window.sinceMs);
  const places = fitting(ready, most, moved);
  const kept = new Set(ready.slice(places).flat());
  const earlier = ready.slice(0, places).flatMap((unit) => unit.map(({ verdict }) => verdict.module));
  const rationing = { most, moved, earlier, sinceMs: window.sinceMs };
  const firstMs = oncePerWith(
    (unit: Unit, fromMs: number) => firstMoveMs(unit.map(readyPeriods), unitCalendar(unit), fromMs),
    String,
  );
  const crowd: Crowd = { units: free, most, nowMs: movement.nowMs, movedSince, firstMs };
  return contenders.map((contender) => {
    const unit = units.find((one) => one.includes(contender)) ?? [contender];
    const dated = reassess(contender, (one) => exactly(one, contender, unit, crowd));
    if (!kept.has(contender)) return dated;
    const notBeforeMs = openingFrom(unitCalendar(unit), window.untilMs).openMs;
    const reason = windowReason(contender, { ...rationing, notBeforeMs });
    const earliest: Earliest | undefined =
      notBeforeMs === undefined ? undefined : { kind: "not-before", notBeforeMs, awaiting: [reason.message] };
    return keep(dated, [reason], earliest);
  });
}

/** The units that compete for places, and what tells how many are left. */
interface Crowd {
  readonly units: readonly Unit[];
  readonly most: number;
  readonly nowMs: number;
  readonly movedSince: (sinceMs: number) => number;
  /** The first move of a unit from an instant on, by time alone. */
  readonly firstMs: (unit: Unit, fromMs: number) => number | undefined;
}

/** A candidate whose instant is exact only if a place is left then; else it may be later. */
function exactly(candidate: Assessment, { subject, verdict }: Contender, unit: Unit, crowd: Crowd): Assessment {
  const { earliest } = candidate;
  if (candidate.kind === "promote" || earliest?.kind !== "at" || hasPlace(unit, earliest.atMs, subject, crowd))
    return candidate;
  const { channel } = verdict;
  const message = `${channel} takes ${placesText(subject, crowd.most)}, and others may take them before.`;
  return { ...candidate, earliest: { kind: "not-before", notBeforeMs: earliest.atMs, awaiting: [message] } };
}

/** Whether a place is left for `unit` at `atMs`, however many of those that may move before it have moved by then. */
function hasPlace(unit: Unit, atMs: number, subject: Subject, { units, most, nowMs, ...crowd }: Crowd): boolean {
  const { sinceMs } = windowAt(subject, atMs);
  const fromMs = Math.max(nowMs, sinceMs);
  const before = units.filter((other) => {
    if (other === unit) return false;
    const firstMs = crowd.firstMs(other, fromMs);
    return firstMs !== undefined && (firstMs < atMs || (firstMs === atMs && compareUnits(atMs)(other, unit) < 0));
  });
  return fitting([...before, unit], most, crowd.movedSince(sinceMs)) > before.length;
}

/**
 * The number of units that fit. None overtakes one that does not fit. One that is larger than a window gets a window
 * for itself.
 */
function fitting(units: readonly Unit[], most: number, moved: number): number {
  let taken = moved;
  const over = units.findIndex((unit) => {
    const isAlone = taken === 0;
    taken += unit.length;
    return taken > most && !isAlone;
  });
  return over === -1 ? units.length : over;
}

/** The period in which promotions are counted. Unix milliseconds. */
interface Window {
  readonly sinceMs: number;
  /** When the count begins later than `sinceMs`. */
  readonly untilMs: number;
}

/** The open window of the channel that opened first; a day in UTC if the channel has no windows. */
function windowAt({ channel }: Subject, nowMs: number): Window {
  const { windows } = channel.promotion;
  if (windows === undefined) {
    const sinceMs = nowMs - (nowMs % DAY_MS);
    return { sinceMs, untilMs: sinceMs + DAY_MS };
  }
  const open = windows
    .map((window): Window => {
      const sinceMs = opensAfter(window, nowMs - lengthMs(window));
      return { sinceMs, untilMs: sinceMs + lengthMs(window) };
    })
    .filter(({ sinceMs }) => sinceMs <= nowMs);
  const sinceMs = Math.min(nowMs, ...open.map((one) => one.sinceMs));
  const first = open.filter((one) => one.sinceMs === sinceMs);
  return { sinceMs, untilMs: Math.max(nowMs, ...first.map(({ untilMs }) => untilMs)) };
}

/** How many promotions of the channel were merged since an instant. Each instant is counted once. */
function movedIn({ channel }: Subject, { histories }: Movement): (sinceMs: number) => number {
  const known = new Map<number, number>();
  return (sinceMs) => {
    const count =
      known.get(sinceMs) ?? histories().reduce((sum, history) => sum + ups(history, channel.name, sinceMs), 0);
    known.set(sinceMs, count);
    return count;
  };
}

/** How often the channel went up by a promotion since then. A declared hot-fix does not count. */
function ups(history: ModuleHistory, channel: Subject["channel"]["name"], sinceMs: number): number {
  const own = history.hotfixes.filter(({ entry }) => entry.channel === channel);
  const hotfixes = new Set(own.map(({ entry }) => entry.version));
  let before: ModuleVersion | undefined;
  return subjectStates(history, channel).filter(({ version, revision }) => {
    const isUp = version !== undefined && (before === undefined || compareVersions(version, before) > 0);
    before = version ?? before;
    return isUp && revision.atMs >= sinceMs && !hotfixes.has(version);
  }).length;
}

/** How many promotions a window takes, how many moved since it opened, and who has the other places. */
interface Rationing {
  readonly most: number;
  readonly moved: number;
  readonly earlier: readonly ModuleName[];
  /** Unix milliseconds. */
  readonly sinceMs: number;
  /** Unix milliseconds; `undefined`: nothing opens again. */
  readonly notBeforeMs: number | undefined;
}

function windowReason({ subject, verdict }: Contender, rationing: Rationing): Reason {
  const { most, moved, earlier, sinceMs, notBeforeMs } = rationing;
  const first = earlier.length === 0 ? "" : `, and those that earned it earlier go first: ${earlier.join(", ")}`;
  const next = notBeforeMs === undefined ? "" : ` The earliest time for this one is ${instantText(notBeforeMs)}.`;
  return {
    topic: "limit",
    outcome: "waiting",
    message: `${verdict.channel} takes ${placesText(subject, most)}: ${String(moved)} moved since ${instantText(sinceMs)}${first}.${next}`,
    source: limitSource(subject, "perWindow"),
  };
}

function placesText({ channel }: Subject, most: number): string {
  return `${counted(most, "promotion")} a ${channel.promotion.windows === undefined ? "day" : "window"}`;
}

/** The line of a limit. */
export function limitSource({ channel }: Subject, key: keyof NonNullable<PromotionFile["limits"]>): Reason["source"] {
  const { line } = locate(channel.file, ["promotion", "limits", key]);
  return { kind: "file", file: channel.file.path, line };
}
