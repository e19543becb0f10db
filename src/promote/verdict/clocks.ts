import type { Channel } from "../../catalogue/catalogue.ts";
import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { Level } from "../../catalogue/policy.ts";
import { isDecrease, lineOf } from "../../catalogue/steps.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { servedSince } from "./evidence/evidence.ts";
import type { ModuleHistory, ServedState } from "../../catalogue/history/history.ts";
import type { HeldPeriod } from "./holding.ts";
import { without, type Interval, type AsOf, type Service, type ServiceRecord } from "./interval.ts";
import { statesOf, type Subject } from "./subject.ts";
import { shiftOf, type Shift } from "../../catalogue/wave.ts";

/**
 * What the followed channel served when, as seen from its last landscape. Times do not overlap, and what was replaced
 * before it reached the last landscape has no length.
 *
 * Made once of a whole history, and asked at any moment of it: a replay that worked it out at each would take as long as
 * the history is, squared.
 */
export class Services implements ServiceRecord {
  readonly #subject: Subject;
  readonly #shift: Shift;
  readonly #arrivals: readonly StateArrival[];
  readonly #find: (
    version: ModuleVersion,
    level: Level,
  ) => readonly (StateArrival & { readonly version: ModuleVersion })[];

  constructor(subject: Subject, history: ModuleHistory, evidence: readonly Evidence[]) {
    this.#subject = subject;
    this.#shift = shiftOf(subject.followed, subject.landscapes);
    this.#arrivals = arrivalsOf(subject, history, evidence);
    this.#find = byLine(
      this.#arrivals.flatMap((one) => (one.version === undefined ? [] : [{ ...one, version: one.version }])),
    );
  }

  of(version: ModuleVersion, level: Level, { history, nowMs }: AsOf): readonly Service[] {
    const count = statesOf(history, this.#subject.followed.name).length;
    const hotfixes = hotfixesOf(this.#subject.followed, history);
    const arrivalMs = (one: StateArrival): number => {
      const seenMs = one.seenMs();
      return seenMs <= nowMs ? seenMs : one.atMs + shiftFor(one, hotfixes, this.#shift);
    };
    return this.#find(version, level)
      .filter(({ place }) => place < count)
      .map((one) => {
        const startMs = arrivalMs(one);
        return { version: one.version, startMs, endMs: Math.max(startMs, this.#endMs(one, count, arrivalMs)) };
      });
  }

  /** Whatever comes after it ends it, however late it was to come itself. */
  #endMs({ place }: StateArrival, count: number, arrivalMs: (one: StateArrival) => number): number {
    let endMs = Number.POSITIVE_INFINITY;
    let next = this.#arrivals[place + 1];
    while (next !== undefined && next.place < count && next.noneBeforeMs < endMs) {
      endMs = Math.min(endMs, arrivalMs(next));
      next = this.#arrivals[next.place + 1];
    }
    return endMs;
  }
}

/** One state of the followed channel, on its way to the last landscape. */
interface StateArrival {
  readonly version: ModuleVersion | undefined;
  /** Its place among the states. */
  readonly place: number;
  /** When it was merged; Unix milliseconds. */
  readonly atMs: number;
  /** Whether the channel went down by it. */
  readonly isFall: boolean;
  /** When every landscape of the channel was seen to serve it; never: `Infinity`. Worked out when it is asked for. */
  readonly seenMs: () => number;
  /** Neither it nor what comes after it was merged before. */
  readonly noneBeforeMs: number;
}

function arrivalsOf(subject: Subject, history: ModuleHistory, evidence: readonly Evidence[]): readonly StateArrival[] {
  const states = statesOf(history, subject.followed.name);
  const seen = Map.groupBy(evidence.filter(isServed(subject)), ({ version }) => version);
  let noneBeforeMs = Number.POSITIVE_INFINITY;
  const bounds = states.toReversed().map(({ revision }) => (noneBeforeMs = Math.min(noneBeforeMs, revision.atMs)));
  let before: ModuleVersion | undefined;
  return states.map((state, place): StateArrival => {
    const { version, revision } = state;
    const isFall = isDecrease(before, version);
    before = version ?? before;
    let seenMs: number | undefined;
    return {
      version,
      place,
      atMs: revision.atMs,
      isFall,
      seenMs: () => (seenMs ??= seenOn(subject, state, seen)),
      noneBeforeMs: Number(bounds[states.length - 1 - place]),
    };
  });
}

function isServed({ module }: Subject): (one: Evidence) => boolean {
  return (one) => one.kind === "served" && one.module === module;
}

function hotfixesOf({ name }: Channel, { hotfixes }: ModuleHistory): ReadonlySet<ModuleVersion> {
  return new Set(hotfixes.filter(({ entry }) => entry.channel === name).map(({ entry }) => entry.version));
}

/** When every landscape of the channel was seen to serve the content; never before its merge. */
function seenOn(
  { module, followed }: Subject,
  { version, revision, hash }: ServedState,
  seen: ReadonlyMap<string, readonly Evidence[]>,
): number {
  if (version === undefined) return Number.POSITIVE_INFINITY;
  // What was seen of an earlier time in the channel says nothing of this one.
  const own = (seen.get(version) ?? []).filter(({ observedAt }) => Date.parse(observedAt) >= revision.atMs);
  if (own.length === 0) return Number.POSITIVE_INFINITY;
  return servedSince(own, { module, version, specHash: hash() }, followed.landscapes);
}

/** A withdrawal goes everywhere at once, and a declared hot-fix sooner than the rest. */
function shiftFor({ version, isFall }: StateArrival, hotfixes: ReadonlySet<ModuleVersion>, shift: Shift): number {
  if (version === undefined || isFall) return 0;
  return hotfixes.has(version) ? shift.hotfixMs : shift.ms;
}

/** When the clock of the versions that `counts` accepts runs: it stands while a version is held. */
export function running(
  services: readonly Service[],
  held: readonly HeldPeriod[],
  counts: (version: ModuleVersion) => boolean,
): readonly Interval[] {
  const holes = Map.groupBy(held, ({ version }) => version);
  return services
    .filter(({ version }) => counts(version))
    .flatMap((service) => without(service, meeting(holes.get(service.version) ?? [], service)));
}

/** Those that cut something off: of a version that came and went a thousand times each hole meets one service. */
function meeting(holes: readonly HeldPeriod[], { startMs, endMs }: Service): readonly HeldPeriod[] {
  return holes.filter((hole) => hole.startMs < endMs && hole.endMs > startMs);
}

/**
 * Finds those of `values` that the clocks of a step are about: of its version, or of the line that its level names.
 * Asked once a candidate; to look at all of them each time would take as long as the number of candidates is, squared.
 */
export function byLine<Value extends { readonly version: ModuleVersion }>(
  values: readonly Value[],
): (version: ModuleVersion, level: Level) => readonly Value[] {
  const known = new Map<Level, ReadonlyMap<string, readonly Value[]>>();
  return (version, level) => {
    const lines = known.get(level) ?? Map.groupBy(values, (value) => lineAt(value.version, level));
    known.set(level, lines);
    return lines.get(lineAt(version, level)) ?? [];
  };
}

function lineAt(version: ModuleVersion, level: Level): string {
  return level === "minor" || level === "major" ? lineOf(version, level) : version;
}
