import type { ModuleName } from "../../catalogue/names.ts";
import type { PromotionFile } from "../../catalogue/policy.ts";
import { compareText } from "../../document/order.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import { locate } from "../../document/yaml/read.ts";
import { openingFrom } from "./calendar.ts";
import type { ModuleHistory } from "../../catalogue/history/history.ts";
import { lengthMs, opensAfter } from "./opening.ts";
import { policyFor } from "./policy.ts";
import { statesOf, type Subject } from "./subject.ts";
import { counted } from "../../document/counted.ts";
import { instantText } from "../../document/times.ts";
import {
  isUnmet,
  waitsForOpening,
  type Assessment,
  type Earliest,
  type Reason,
  type Topic,
  type Verdict,
} from "./verdict.ts";

/** A verdict and its subject. */
export interface Contender {
  readonly subject: Subject;
  readonly verdict: Verdict;
  /** The modules that move in one pull request, this one included, in the order of `together`. */
  readonly group?: readonly ModuleName[];
}

/** The module whose branch carries out a verdict: the first of its group, or its own. */
export function leadOf({ verdict, group }: Pick<Contender, "verdict" | "group">): ModuleName {
  return group?.[0] ?? verdict.module;
}

/** The input of limits, beside the verdicts. */
interface Movement {
  /** The histories of all modules. Called only if promotions are counted. */
  readonly histories: () => readonly ModuleHistory[];
  /** Whether the repository has a module of that name. */
  readonly isModule: (name: string) => boolean;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

const DAY_MS = 86_400_000;

/**
 * Applies the limits of one channel. Modules of a group move together or not at all, and the version that was earned
 * first goes first. Takes all contenders of the channel, and returns them in the same order.
 */
export function limit(contenders: readonly Contender[], movement: Movement): readonly Contender[] {
  const limits = contenders[0]?.subject.channel.promotion.limits;
  if (limits === undefined) return contenders;
  const joined = join(contenders, limits.together ?? [], movement);
  return limits.perWindow === undefined ? joined : ration(joined, limits.perWindow, movement);
}

/** Moves all members of a group that have candidates, or none of them. */
function join(
  contenders: readonly Contender[],
  groups: readonly (readonly string[])[],
  { isModule }: Movement,
): readonly Contender[] {
  return contenders.map((contender) => {
    if (contender.verdict.kind !== "promote") return contender;
    const names = groups.find((group) => group.includes(contender.verdict.module)) ?? [];
    const oddities = names.flatMap((name) => {
      if (!isModule(name)) return [oddReason(contender, `there is no module ${name}`)];
      const isShared = groups.filter((group) => group.includes(name)).length > 1;
      return isShared ? [oddReason(contender, `${name} is in two groups`)] : [];
    });
    if (oddities.length > 0) return keep(contender, oddities, undefined);
    const members = names
      .flatMap((name) => contenders.find(({ verdict }) => verdict.module === name) ?? [])
      .filter(({ verdict }) => verdict.kind !== "nothing");
    if (members.length < 2) return contender;
    const keeping = members.filter(({ verdict }) => verdict.kind !== "promote");
    if (keeping.length === 0) return { ...contender, group: members.map(({ verdict }) => verdict.module) };
    const reasons = keeping.map((other) => togetherReason(contender, other));
    return keep(contender, reasons, lastOf(keeping));
  });
}

/** When the last of them may move, if that is known. */
function lastOf(contenders: readonly Contender[]): Earliest | undefined {
  const all = contenders.flatMap(({ verdict }) => verdict.chosen?.earliest ?? []);
  if (all.length < contenders.length) return undefined;
  const lastMs = Math.max(...all.map((one) => (one.kind === "at" ? one.atMs : one.notBeforeMs)));
  const awaiting = all.flatMap((one) => (one.kind === "at" ? [] : one.awaiting));
  return awaiting.length === 0 ? { kind: "at", atMs: lastMs } : { kind: "not-before", notBeforeMs: lastMs, awaiting };
}

/** Makes a contender wait, or blocks it, for these reasons. */
function keep(
  { group: _, ...contender }: Contender,
  reasons: readonly Reason[],
  earliest: Earliest | undefined,
): Contender {
  const { verdict } = contender;
  const kind = reasons.some(({ outcome }) => outcome === "blocking") ? "blocked" : "wait";
  const kept = (one: Assessment): Assessment =>
    one.version === verdict.chosen?.version ? { ...one, kind, reasons: [...one.reasons, ...reasons], earliest } : one;
  const chosen = verdict.chosen && kept(verdict.chosen);
  return { ...contender, verdict: { ...verdict, kind, chosen, candidates: verdict.candidates.map(kept) } };
}

function togetherReason({ subject, verdict }: Contender, { verdict: other }: Contender): Reason {
  const [module, version] = [other.module, String(other.chosen?.version)];
  const unmet = other.chosen?.reasons.find(isUnmet);
  const isBlocked = other.kind === "blocked";
  return {
    topic: togetherTopic(other, unmet),
    outcome: isBlocked ? "blocking" : "waiting",
    message: `${verdict.channel} takes ${verdict.module} only together with ${module}, whose ${version} ${isBlocked ? "is blocked" : "waits"}: ${String(unmet?.message)}`,
    ...(unmet?.remedy !== undefined && { remedy: `${module}: ${unmet.remedy}` }),
    source: sourceIn(subject, "together"),
  };
}

/** The calendar of one module is that of its group. */
function togetherTopic({ chosen }: Verdict, unmet: Reason | undefined): Topic {
  return chosen !== undefined && unmet !== undefined && waitsForOpening(chosen) ? unmet.topic : "together";
}

function oddReason({ subject, verdict }: Contender, problem: string): Reason {
  return {
    topic: "together",
    outcome: "blocking",
    message: `${verdict.channel} takes ${verdict.module} only together with others, but ${problem}.`,
    remedy: `Correct limits.together in ${subject.channel.file.path}.`,
    source: sourceIn(subject, "together"),
  };
}

/** Contenders that move in one pull request. */
type Unit = readonly Contender[];

function ration(contenders: readonly Contender[], most: number, movement: Movement): readonly Contender[] {
  const ready = contenders.filter(({ verdict }) => verdict.kind === "promote");
  const units = [...Map.groupBy(ready, leadOf).values()].sort(
    (a, b) => earnedMs(a) - earnedMs(b) || compareText(nameOf(a), nameOf(b)),
  );
  const [first] = ready;
  if (first === undefined) return contenders;
  const window = windowAt(first.subject, movement.nowMs);
  const { name } = first.subject.channel;
  const moved = movement.histories().reduce((sum, history) => sum + ups(history, name, window.sinceMs), 0);
  const kept = new Set(units.slice(fitting(units, most, moved)).flat());
  return contenders.map((contender) => {
    if (!kept.has(contender)) return contender;
    const notBeforeMs = openingFrom(policyFor(contender.subject).calendar, window.untilMs).openMs;
    const reason = windowReason(contender, { most, moved, sinceMs: window.sinceMs, notBeforeMs });
    const earliest: Earliest | undefined =
      notBeforeMs === undefined ? undefined : { kind: "not-before", notBeforeMs, awaiting: [reason.message] };
    return keep(contender, [reason], earliest);
  });
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

function nameOf([first]: Unit): string {
  return String(first?.verdict.module);
}

/** When the last clock of any of them was met. */
function earnedMs(unit: Unit): number {
  const chosen = unit.flatMap(({ verdict: { candidates, chosen: one } }) =>
    candidates.filter(({ version }) => version === one?.version),
  );
  const reasons = chosen.flatMap((one) => one.reasons);
  return Math.max(...reasons.map(({ metAtMs = Number.NEGATIVE_INFINITY }) => metAtMs));
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

/** How often the channel went up by a promotion since then. A declared hot-fix does not count. */
function ups(history: ModuleHistory, channel: Subject["channel"]["name"], sinceMs: number): number {
  const own = history.hotfixes.filter(({ entry }) => entry.channel === channel);
  const hotfixes = new Set(own.map(({ entry }) => entry.version));
  let before: ModuleVersion | undefined;
  return statesOf(history, channel).filter(({ version, revision }) => {
    const isUp = version !== undefined && (before === undefined || compareVersions(version, before) > 0);
    before = version ?? before;
    return isUp && revision.atMs >= sinceMs && !hotfixes.has(version);
  }).length;
}

/** How many promotions a window takes, and how many moved since it opened. Unix milliseconds. */
interface Rationing {
  readonly most: number;
  readonly moved: number;
  readonly sinceMs: number;
  /** `undefined`: nothing opens again. */
  readonly notBeforeMs: number | undefined;
}

function windowReason({ subject, verdict }: Contender, { most, moved, sinceMs, notBeforeMs }: Rationing): Reason {
  const unit = subject.channel.promotion.windows === undefined ? "day" : "window";
  const next = notBeforeMs === undefined ? "" : ` The earliest time for this one is ${instantText(notBeforeMs)}.`;
  return {
    topic: "limit",
    outcome: "waiting",
    message: `${verdict.channel} takes ${counted(most, "promotion")} a ${unit}: ${String(moved)} moved since ${instantText(sinceMs)}, and modules that earned it earlier go first.${next}`,
    source: sourceIn(subject, "perWindow"),
  };
}

function sourceIn({ channel }: Subject, key: keyof NonNullable<PromotionFile["limits"]>): Reason["source"] {
  const { line } = locate(channel.file, ["promotion", "limits", key]);
  return { kind: "file", file: channel.file.path, line };
}
