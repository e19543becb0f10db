import type { Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { levelFrom, standingOf, type Standing } from "./candidates.ts";
import { byLine, Services } from "./clocks.ts";
import { judgeEvidence } from "./evidence.ts";
import type { ServedState, Service } from "./history.ts";
import { heldPeriods, type HeldPeriod } from "./holding.ts";
import { judgePeople } from "./people.ts";
import type { Policy } from "./policy.ts";
import { judgeContents } from "./rewritten.ts";
import { judgeSoak } from "./soak.ts";
import { statesOf, type Facts, type Subject } from "./subject.ts";
import { judgeCalendar, type Timetable } from "./timetable.ts";
import { isUnmet, type Assessment, type Earliest, type Reason } from "./verdict.ts";

/** What is worked out once for all candidates of a subject. */
export interface Ground {
  readonly subject: Subject;
  readonly facts: Facts;
  readonly policy: Policy;
  readonly standing: Standing;
  /** What matters to a version that is a step of such a level. */
  readonly services: (version: ModuleVersion, level: Level) => readonly Service[];
  /** The same of the times in which versions are held. */
  readonly held: (version: ModuleVersion, level: Level) => readonly HeldPeriod[];
  /** What windows and freezes say of an instant. Unix milliseconds. */
  readonly calendarAt: (readyMs: number) => Timetable;
}

/** What all candidates of `subject` stand on. */
export function groundOf(subject: Subject, policy: Policy, facts: Facts): Ground {
  const { history, evidence, nowMs, services = new Services(subject, history, evidence) } = facts;
  return {
    subject,
    facts,
    policy,
    standing: standingOf(statesOf(history, subject.channel.name)),
    services: (version, level) => services.of(version, level, facts),
    held: byLine(heldPeriods(subject, history)),
    calendarAt: remembered((readyMs) => judgeCalendar(subject, policy, readyMs, nowMs)),
  };
}

/** Most candidates are ready at the same instant: now. */
function remembered(judge: Ground["calendarAt"]): Ground["calendarAt"] {
  const known = new Map<number, Timetable>();
  return (readyMs) => {
    const timetable = known.get(readyMs) ?? judge(readyMs);
    known.set(readyMs, timetable);
    return timetable;
  };
}

/** What is to be said of one candidate. */
export function assess(ground: Ground, version: ModuleVersion): Assessment {
  const { subject, facts, policy, standing } = ground;
  const level = levelFrom(standing, version);
  const [services, held] = [ground.services(version, level), ground.held(version, level)];
  const demands = [
    ...judgePeople(subject, version, held, facts),
    ...judgeContents(subject, version, facts.history),
    ...judgeSoak(subject, { version, level, policy }, { services, held }, facts.nowMs),
    ...evidenceReasons(ground, version),
  ];
  // Where everything else is met, that is now: nothing is promoted while the calendar is closed.
  const readyMs = Math.max(facts.nowMs, ...demands.filter(isUnmet).map(({ metAtMs }) => metAtMs ?? facts.nowMs));
  const calendar = ground.calendarAt(readyMs);
  const reasons = [...demands, ...calendar.reasons];
  const about = { version, level, isHotfix: false, reasons };
  if (!reasons.some(isUnmet)) return { kind: "promote", ...about, earliest: undefined };
  const isBlocked = reasons.some(({ outcome }) => outcome === "blocking");
  return { kind: isBlocked ? "blocked" : "wait", ...about, earliest: earliestOf(reasons, calendar) };
}

function evidenceReasons({ subject, facts, policy }: Ground, version: ModuleVersion): readonly Reason[] {
  const { module, channel, followed } = subject;
  const { history, evidence, nowMs } = facts;
  const replaced = statesOf(history, channel.name).at(-1);
  const about = {
    module,
    version,
    get specHash() {
      return hashIn(statesOf(history, followed.name), version);
    },
    ...(replaced?.version !== undefined && { replaced: contentOf(replaced.version, replaced.hash) }),
  };
  return judgeEvidence(policy, about, evidence, nowMs);
}

/** With a hash that is worked out where there is evidence to be told by it: that takes longer than all the rest. */
function contentOf(version: ModuleVersion, hash: () => string): { version: ModuleVersion; specHash: string } {
  return {
    version,
    get specHash() {
      return hash();
    },
  };
}

/** The content that was served under `version`; a version never changes. */
function hashIn(states: readonly ServedState[], version: ModuleVersion): string {
  return String(states.findLast((state) => state.version === version)?.hash());
}

/**
 * Exact where every reason that is not met says when it will be: then the first opening of the calendar at or after the
 * last of them.
 */
function earliestOf(reasons: readonly Reason[], { openMs }: Timetable): Earliest | undefined {
  if (openMs === undefined) return undefined;
  const awaiting = reasons.filter((reason) => isUnmet(reason) && reason.metAtMs === undefined);
  if (awaiting.length === 0) return { kind: "at", atMs: openMs };
  return { kind: "not-before", notBeforeMs: openMs, awaiting: awaiting.map(({ message }) => message) };
}
