import type { ModuleHistory } from "../../catalogue/history/history.ts";
import type { Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";

/** A period `[startMs, endMs)`; `endMs` may be `Infinity`. Unix milliseconds. */
export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

/** A period in which a version may move, but for windows, freezes and limits. Unix milliseconds. */
export interface ReadyPeriod extends Interval {
  /** When its last clock was met: versions that earned a promotion earlier go first. */
  readonly earnedMs: number;
}

/** The parts of `interval` outside of `holes`, in order of time. No hole may end before it begins. */
export function without(interval: Interval, holes: readonly Interval[]): readonly Interval[] {
  return holes.reduce<readonly Interval[]>(
    (left, hole) =>
      left.flatMap(({ startMs, endMs }) =>
        [
          { startMs, endMs: Math.min(endMs, hole.startMs) },
          { startMs: Math.max(startMs, hole.endMs), endMs },
        ].filter((part) => part.startMs < part.endMs),
      ),
    [interval],
  );
}

/** The length of `intervals`, which do not overlap, before `nowMs`. Milliseconds. */
export function lengthBefore(intervals: readonly Interval[], nowMs: number): number {
  return intervals.reduce((sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, nowMs) - startMs), 0);
}

/**
 * The instant at which `intervals` add up to `lengthMs`; `undefined` if they never do.
 *
 * Takes:  intervals that do not overlap, in order of time; a length above 0.
 */
export function reachedAt(intervals: readonly Interval[], lengthMs: number): number | undefined {
  let left = lengthMs;
  for (const { startMs, endMs } of intervals) {
    if (endMs - startMs >= left) return startMs + left;
    left -= endMs - startMs;
  }
  return undefined;
}

/** A period in which the followed channel served one version on all of its landscapes; the last one has no end. */
export interface Service extends Interval {
  readonly version: ModuleVersion;
}

/** The state of knowledge at a moment: the history up to it, and the time. Unix milliseconds. */
export interface AsOf {
  readonly history: ModuleHistory;
  readonly nowMs: number;
}

/** When the followed channel served each version. */
export interface ServiceRecord {
  /** The services of a step's version, or of the line that its level names, oldest first, as known at a moment. */
  of(version: ModuleVersion, level: Level, asOf: AsOf): readonly Service[];
}
