import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { Level } from "../../catalogue/policy.ts";
import { isDecrease, versionLine } from "../../catalogue/steps.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { servedSince } from "./evidence/evidence.ts";
import type { ModuleHistory, ServedState } from "../../catalogue/history/history.ts";
import type { HeldPeriod } from "./holding.ts";
import { without, type Interval, type AsOf, type Service, type ServiceRecord } from "./interval.ts";
import { subjectStates, type Subject } from "./subject.ts";
import { channelShift, type Shift } from "../../catalogue/wave.ts";

/**
 * When the followed channel served each version, as seen from its last landscape. The periods do not overlap. A version
 * that was replaced before it reached the last landscape has a period of length 0.
 *
 * Built once from a whole history, and queried for any moment of it. Building it again for each moment would make a
 * replay quadratic.
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
    this.#shift = channelShift(subject.followed, subject.landscapes);
    this.#arrivals = stateArrivals(subject, history, evidence);
    this.#find = byLine(
      this.#arrivals.flatMap((one) => (one.version === undefined ? [] : [{ ...one, version: one.version }])),
    );
  }

  of(version: ModuleVersion, level: Level, { history, nowMs }: AsOf): readonly Service[] {
    const { name } = this.#subject.followed;
    const count = subjectStates(history, name).length;
    const declared = history.hotfixes.filter(({ entry }) => entry.channel === name);
    const hotfixes = new Set<ModuleVersion>(declared.map(({ entry }) => entry.version));
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

  /** Any later state ends it, however late it was to arrive itself. */
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
  /** Its index among the states. */
  readonly place: number;
  /** When it was merged; Unix milliseconds. */
  readonly atMs: number;
  /** Whether the channel went down with it. */
  readonly isFall: boolean;
  /** When every landscape of the channel was seen to serve it; `Infinity` if never. Computed on demand. */
  readonly seenMs: () => number;
  /** The earliest merge time among this state and all later ones. */
  readonly noneBeforeMs: number;
}

function stateArrivals(
  subject: Subject,
  history: ModuleHistory,
  evidence: readonly Evidence[],
): readonly StateArrival[] {
  const states = subjectStates(history, subject.followed.name);
  const served = evidence.filter(({ kind, module }) => kind === "served" && module === subject.module);
  const seen = Map.groupBy(served, ({ version }) => version);
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

/** When every landscape of the channel was seen to serve the content; never before its merge. */
function seenOn(
  { module, followed }: Subject,
  { version, revision, hash }: ServedState,
  seen: ReadonlyMap<string, readonly Evidence[]>,
): number {
  if (version === undefined) return Number.POSITIVE_INFINITY;
  // Observations of an earlier period in the channel do not count for this one.
  const own = (seen.get(version) ?? []).filter(({ observedAt }) => Date.parse(observedAt) >= revision.atMs);
  if (own.length === 0) return Number.POSITIVE_INFINITY;
  return servedSince(own, { module, version, specHash: hash() }, followed.landscapes);
}

/**
 * The delay until the last landscape. A withdrawal reaches all at once, and a declared hot-fix sooner than other
 * versions.
 */
function shiftFor({ version, isFall }: StateArrival, hotfixes: ReadonlySet<ModuleVersion>, shift: Shift): number {
  if (version === undefined || isFall) return 0;
  return hotfixes.has(version) ? shift.hotfixMs : shift.ms;
}

/** The intervals in which the clock of the versions that `counts` accepts runs. It stops while a version is held. */
export function running(
  services: readonly Service[],
  held: readonly HeldPeriod[],
  counts: (version: ModuleVersion) => boolean,
): readonly Interval[] {
  const holes = Map.groupBy(held, ({ version }) => version);
  return services
    .filter(({ version }) => counts(version))
    .flatMap((service) => {
      const { version, startMs, endMs } = service;
      // If a version came and went a thousand times, each of its holes meets only one service.
      const own = (holes.get(version) ?? []).filter((hole) => hole.startMs < endMs && hole.endMs > startMs);
      return without(service, own);
    });
}

/**
 * Indexes `values` by version, or by the line that a level names: the values that the clocks of a step are about. It is
 * queried once per candidate, and a scan each time would be quadratic.
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
  return level === "minor" || level === "major" ? versionLine(version, level) : version;
}
