import { openingFrom } from "./calendar.ts";
import { type Contender, keep, reassess } from "./contender.ts";
import { limitSource, type Movement, ration } from "./ration.ts";
import { unitCalendar, firstMoveMs, readyPeriods, type Unit, contenderUnits } from "./unit.ts";
import {
  type Assessment,
  type Earliest,
  isUnmet,
  type Reason,
  soonestMs,
  STALE_BY_THEN,
  type Topic,
  type Verdict,
  waitsForOpening,
} from "./verdict.ts";

/** The contenders of a channel, and the groups of its `together`. */
interface Together {
  readonly contenders: readonly Contender[];
  readonly groups: readonly (readonly string[])[];
  readonly movement: Movement;
}

/**
 * Applies the limits of one channel. Modules of a group move together or not at all, and the version that was earned
 * first goes first. Takes all contenders of the channel, and returns them in the same order.
 */
export function limit(contenders: readonly Contender[], movement: Movement): readonly Contender[] {
  const [first] = contenders;
  const limits = first?.subject.channel.promotion.limits;
  if (first === undefined || limits === undefined) return contenders;
  const { perWindow, together: groups = [] } = limits;
  const joined = contenders.map((contender) => join(contender, { contenders, groups, movement }));
  return perWindow === undefined
    ? joined
    : ration(joined, contenderUnits(joined, groups), { most: perWindow, subject: first.subject }, movement);
}

/** Lets a member of a group move only with all others that have candidates. */
function join(contender: Contender, { contenders, groups, movement }: Together): Contender {
  const { verdict } = contender;
  const names = groups.find((group) => group.includes(verdict.module));
  if (verdict.kind === "nothing" || names === undefined) return contender;
  const oddities = names.flatMap((name) => {
    if (!movement.isModule(name)) return [oddReason(contender, `there is no module ${name}`)];
    const isShared = groups.filter((group) => group.includes(name)).length > 1;
    return isShared ? [oddReason(contender, `${name} is in two groups`)] : [];
  });
  if (oddities.length > 0) return keep(reassess(contender, withoutTimes), oddities);
  const unit = names
    .flatMap((name) => contenders.find((one) => one.verdict.module === name) ?? [])
    .filter((one) => one.verdict.kind !== "nothing");
  if (unit.length < 2) return contender;
  if (unit.every((one) => one.verdict.kind === "promote"))
    return { ...contender, group: unit.map((one) => one.verdict.module) };
  const others = unit.filter((one) => one !== contender);
  const dated = reassess(contender, (one) => ({ ...one, earliest: earliestWith(others, one, contender, movement) }));
  const reasons = others.filter((other) => isLater(other, contender)).map((other) => togetherReason(contender, other));
  return reasons.length === 0 ? dated : keep(dated, reasons, dated.verdict.chosen?.earliest);
}

function withoutTimes(one: Assessment): Assessment {
  return { ...one, earliest: undefined, ready: undefined };
}

/** The candidate with which a contender moves first: by time alone, if there is one. */
function firstInLine({ kind, candidates, chosen }: Verdict): Assessment | undefined {
  if (kind === "promote") return chosen;
  const exact = candidates.filter(({ earliest }) => earliest?.kind === "at");
  return exact.toSorted((a, b) => soonestMs(a.earliest) - soonestMs(b.earliest))[0] ?? chosen;
}

/** Whether a contender keeps back another one: it is blocked, or may move only later. */
function isLater({ verdict }: Contender, than: Contender): boolean {
  if (verdict.kind === "promote" || than.verdict.kind === "promote") return verdict.kind !== "promote";
  return (
    verdict.kind === "blocked" ||
    soonestMs(firstInLine(verdict)?.earliest) > soonestMs(firstInLine(than.verdict)?.earliest)
  );
}

/** When a candidate may move with the others of its group. */
function earliestWith(
  others: Unit,
  candidate: Assessment,
  contender: Contender,
  { nowMs }: Movement,
): Earliest | undefined {
  const all = [candidate, ...others.map(({ verdict }) => firstInLine(verdict))];
  const times = all.flatMap((one): readonly Earliest[] => {
    const earliest = one?.kind === "promote" ? ({ kind: "at", atMs: nowMs } as const) : one?.earliest;
    return earliest === undefined ? [] : [earliest];
  });
  if (times.length < all.length) return undefined;
  const calendar = unitCalendar([contender, ...others]);
  const own = candidate.ready === undefined ? [] : [candidate.ready];
  const atMs = firstMoveMs([own, ...others.map(readyPeriods)], calendar, nowMs);
  const awaiting = times.flatMap((one) => (one.kind === "at" ? [] : one.awaiting));
  if (awaiting.length === 0 && atMs !== undefined) return { kind: "at", atMs };
  const lastMs = Math.max(...times.map(soonestMs));
  const notBeforeMs = openingFrom(calendar, lastMs).openMs;
  if (notBeforeMs === undefined) return undefined;
  return { kind: "not-before", notBeforeMs, awaiting: awaiting.length === 0 ? [STALE_BY_THEN] : awaiting };
}

function togetherReason({ subject, verdict }: Contender, { verdict: other }: Contender): Reason {
  const next = firstInLine(other);
  const [module, version] = [other.module, String(next?.version)];
  const unmet = next?.reasons.find(isUnmet);
  const isBlocked = other.kind === "blocked";
  return {
    topic: togetherTopic(next, unmet),
    outcome: isBlocked ? "blocking" : "waiting",
    message: `${verdict.channel} takes ${verdict.module} only together with ${module}, whose ${version} ${isBlocked ? "is blocked" : "waits"}: ${String(unmet?.message)}`,
    ...(unmet?.remedy !== undefined && { remedy: `${module}: ${unmet.remedy}` }),
    source: limitSource(subject, "together"),
  };
}

/** The calendar of one module is that of its group. */
function togetherTopic(next: Assessment | undefined, unmet: Reason | undefined): Topic {
  return next !== undefined && unmet !== undefined && waitsForOpening(next) ? unmet.topic : "together";
}

function oddReason({ subject, verdict }: Contender, problem: string): Reason {
  return {
    topic: "together",
    outcome: "blocking",
    message: `${verdict.channel} takes ${verdict.module} only together with others, but ${problem}.`,
    remedy: `Correct limits.together in ${subject.channel.file.path}.`,
    source: limitSource(subject, "together"),
  };
}
