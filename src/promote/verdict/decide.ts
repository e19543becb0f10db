import { fitsVersions } from "../../catalogue/steps.ts";
import type { Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { locate, type YamlFile } from "../../document/yaml/read.ts";
import { modulePath, policyPath } from "../../catalogue/paths.ts";
import { type ClosedBy, type Freeze, openingFrom, type StatedBy } from "./calendar.ts";
import { promotionCandidates, isAbove, levelFrom, type ChannelStanding, channelStanding } from "./candidates.ts";
import { byLine, Services } from "./clocks.ts";
import { type HeldPeriod, heldPeriods } from "./holding.ts";
import { judgeObserved, observedUntilMs } from "./observed.ts";
import { judgePeople } from "./people.ts";
import { type Policy, policyFor } from "./policy.ts";
import { judgeContents } from "./rewritten.ts";
import { judgeSoak } from "./soak.ts";
import { type VerdictFacts, subjectStates, type Subject } from "./subject.ts";
import { endOfSecondMs, instantText } from "../../document/times.ts";
import { type Assessment, type Earliest, isUnmet, type Reason, type ReasonSource } from "./verdict.ts";
import { soonestMs, STALE_BY_THEN, type Verdict } from "./verdict.ts";
import type { Service } from "./interval.ts";
import { readyPeriod } from "./ready.ts";

/**
 * Decides whether a module moves in one following channel, and why. The result depends only on what was merged, what
 * was observed, and the time.
 */
export function decide(subject: Subject, facts: VerdictFacts): Verdict {
  const { module, channel, followed } = subject;
  const context = assessContext(subject, policyFor(subject), facts);
  const candidates = versionsToAssess(subject, facts).map((version) => assess(context, version));
  const chosen = choose(candidates);
  const { current } = channelStanding(subjectStates(facts.history, channel.name));
  return {
    kind: chosen?.kind ?? "nothing",
    module,
    channel: channel.name,
    follows: followed.name,
    current,
    chosen,
    candidates,
  };
}

/**
 * The candidates. If the files of the module cannot be relied on, a history without any does not mean that there is
 * nothing to do: the followed channel may serve what is not in it.
 */
function versionsToAssess(subject: Subject, facts: VerdictFacts): readonly ModuleVersion[] {
  const candidates = promotionCandidates(subject, facts.history);
  if (facts.contradiction === undefined || candidates.length > 0) return candidates;
  const { module, channel, followed } = subject;
  const [version, here] = [followed.templates.get(module)?.version, channel.templates.get(module)?.version];
  return version !== undefined && fitsVersions(channel.versions, version) && isAbove(version, here) ? [version] : [];
}

/** Assesses one version, even if it is not a candidate. A replay needs one out of hundreds. */
export function assessAlone(version: ModuleVersion, subject: Subject, facts: VerdictFacts): Assessment {
  return assess(assessContext(subject, policyFor(subject), facts), version);
}

/** The highest candidate that may move now; else the one that may move first; else the highest. */
function choose(candidates: readonly Assessment[]): Assessment | undefined {
  const waiting = candidates.flatMap((one) => {
    const { kind, earliest } = one;
    if (kind !== "wait" || earliest === undefined) return [];
    return [one];
  });
  const [first] = waiting.toSorted((a, b) => soonestMs(a.earliest) - soonestMs(b.earliest));
  return candidates.find(({ kind }) => kind === "promote") ?? first ?? candidates[0];
}

/** The values that all candidates of a subject share. */
interface AssessContext {
  readonly subject: Subject;
  readonly facts: VerdictFacts;
  readonly policy: Policy;
  readonly standing: ChannelStanding;
  /** The services that count for a version at a level. */
  readonly services: (version: ModuleVersion, level: Level) => readonly Service[];
  /** The held periods that count for a version at a level. */
  readonly held: (version: ModuleVersion, level: Level) => readonly HeldPeriod[];
  /** The effect of windows and freezes at an instant. Unix milliseconds. */
  readonly calendarAt: (readyMs: number) => Timetable;
}

/** The values that all candidates of `subject` share. */
function assessContext(subject: Subject, policy: Policy, facts: VerdictFacts): AssessContext {
  const { history, evidence, nowMs, services = new Services(subject, history, evidence) } = facts;
  return {
    subject,
    facts,
    policy,
    standing: channelStanding(subjectStates(history, subject.channel.name)),
    services: (version, level) => services.of(version, level, facts),
    held: byLine(heldPeriods(subject, history)),
    calendarAt: remembered((readyMs) => judgeCalendar(subject, policy, readyMs, nowMs)),
  };
}

/** Caches the results of `judge`: most candidates are ready at the same instant, now. */
function remembered(judge: AssessContext["calendarAt"]): AssessContext["calendarAt"] {
  const known = new Map<number, Timetable>();
  return (readyMs) => {
    const timetable = known.get(readyMs) ?? judge(readyMs);
    known.set(readyMs, timetable);
    return timetable;
  };
}

/** Assesses one candidate. */
function assess(context: AssessContext, version: ModuleVersion): Assessment {
  const { subject, facts, policy, standing } = context;
  const level = levelFrom(standing, version);
  const [services, held] = [context.services(version, level), context.held(version, level)];
  const content = { version, hash: () => hashUpstream(context, version) };
  const demands = [
    ...judgePeople(subject, version, held, facts),
    ...judgeContents(subject, version, facts.history),
    ...judgeSoak(subject, { version, level, policy }, { services, held }, facts.nowMs),
    ...judgeObserved(subject, content, policy, facts),
  ];
  // If all other demands are met, that is now: nothing is promoted while the calendar is closed.
  const unmetMs = demands.filter(isUnmet).map(({ metAtMs }) => metAtMs ?? facts.nowMs);
  const calendar = context.calendarAt(
    unmetMs.length === 0 ? facts.nowMs : endOfSecondMs(Math.max(facts.nowMs, ...unmetMs)),
  );
  const reasons = [...demands, ...calendar.reasons];
  const untilMs = observedUntilMs(subject, content, policy, facts);
  const times = { nowMs: facts.nowMs, untilMs };
  const ready = calendar.openMs === undefined ? undefined : readyPeriod(version, demands, services, times);
  const about = { version, level, isHotfix: false, reasons, ready };
  if (!reasons.some(isUnmet)) return { kind: "promote", ...about, earliest: undefined };
  const isBlocked = reasons.some(({ outcome }) => outcome === "blocking");
  return { kind: isBlocked ? "blocked" : "wait", ...about, earliest: earliestMove(about, calendar) };
}

/** The content that the followed channel served as `version`. */
function hashUpstream({ subject, facts: { history } }: AssessContext, version: ModuleVersion): string {
  const states = subjectStates(history, subject.followed.name);
  return String(states.findLast((state) => state.version === version)?.hash());
}

/**
 * Exact if every unmet reason has a time: then it is the first opening of the calendar at or after the last of them.
 */
function earliestMove(
  { reasons, ready }: Pick<Assessment, "reasons" | "ready">,
  { openMs }: Timetable,
): Earliest | undefined {
  if (openMs === undefined) return undefined;
  if (ready !== undefined && openMs < ready.endMs) return { kind: "at", atMs: openMs };
  const awaiting = reasons.filter((reason) => isUnmet(reason) && reason.metAtMs === undefined);
  const messages = awaiting.length === 0 ? [STALE_BY_THEN] : awaiting.map(({ message }) => message);
  return { kind: "not-before", notBeforeMs: openMs, awaiting: messages };
}

/** The effect of windows and freezes at one instant. */
interface Timetable {
  /** One for each entry that delays the instant; if none does, one for each set of windows. */
  readonly reasons: readonly Reason[];
  /** The first opening from that instant on, Unix milliseconds; `undefined`: never. */
  readonly openMs: number | undefined;
}

/** Judges windows and freezes at `readyMs`, when everything else is met, as seen from `nowMs`. Unix milliseconds. */
function judgeCalendar(subject: Subject, { calendar }: Policy, readyMs: number, nowMs: number): Timetable {
  const reversed = calendar.freezes.filter(({ fromMs, untilMs }) => untilMs <= fromMs);
  if (reversed.length > 0)
    return { openMs: undefined, reasons: reversed.map((freeze) => reversedReason(subject, freeze)) };
  const { openMs, closings } = openingFrom(calendar, readyMs);
  const [first] = closings;
  if (first === undefined) {
    const when = whenText(readyMs, nowMs);
    const open = calendar.windowSets.map(({ statedBy }): Reason => {
      const message = `${when === "" ? "A" : `${when}a`} window of the ${statedBy} is open.`;
      return { topic: "window", outcome: "met", message, source: reasonSource(subject, statedBy, ["windows"]) };
    });
    return { openMs, reasons: open };
  }
  const next = openMs === undefined ? "nothing opens again" : `the next opening is ${instantText(openMs)}`;
  const about =
    openMs === undefined
      ? { outcome: "blocking" as const, remedy: "Correct the windows and freezes: together they leave no time." }
      : { outcome: "waiting" as const, metAtMs: openMs };
  const reasons = closings.map((closing) => {
    const said = closingSaid(subject, closing);
    const text = `${whenText(closing.atMs, nowMs)}${said.message}: ${next}.`;
    return { ...about, ...said, message: text.charAt(0).toUpperCase() + text.slice(1) };
  });
  return { openMs, reasons };
}

/** Blocks while the dates of a freeze are wrong: it may be meant for now. */
function reversedReason(subject: Subject, { reason, fromMs, untilMs, statedBy, index }: Freeze): Reason {
  const source = reasonSource(subject, statedBy, ["freezes", index]);
  const [from, until] = [instantText(fromMs), instantText(untilMs)];
  const message = `A freeze (${reason}) begins at ${from} and ends at ${until}, which is not later: when it applies is unknown.`;
  const file = statedBy === "channel" ? policyPath(subject.channel.name) : modulePath(subject.module);
  return {
    topic: "freeze",
    outcome: "blocking",
    message,
    remedy: `Correct the dates of the freeze in ${file}.`,
    source,
  };
}

/** The start of a sentence about an instant; empty for now. */
function whenText(atMs: number, nowMs: number): string {
  return atMs === nowMs ? "" : `At ${instantText(atMs)} `;
}

/** The start of the message, without a capital and without its end. */
function closingSaid(subject: Subject, closing: ClosedBy): Pick<Reason, "topic" | "message" | "source"> {
  switch (closing.kind) {
    case "freeze": {
      const { reason, untilMs, statedBy, index } = closing.freeze;
      const message = `nothing moves until ${instantText(untilMs)} (${reason})`;
      return { topic: "freeze", message, source: reasonSource(subject, statedBy, ["freezes", index]) };
    }
    case "windows": {
      const { statedBy } = closing.windowSet;
      const message = `no window of the ${statedBy} is open`;
      return { topic: "window", message, source: reasonSource(subject, statedBy, ["windows"]) };
    }
  }
}

/** The place in the file of the channel or of the module. */
function reasonSource(
  { channel, said }: Subject,
  statedBy: StatedBy,
  path: readonly (string | number)[],
): ReasonSource | undefined {
  if (statedBy === "channel") return at(channel.file, ["promotion", ...path]);
  return said?.files.module && at(said.files.module, ["policy", channel.name, ...path]);
}

function at(file: YamlFile, path: readonly (string | number)[]): ReasonSource {
  return { kind: "file", file: file.path, line: locate(file, path).line };
}
