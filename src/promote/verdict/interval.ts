import type { ModuleHistory } from "../../catalogue/history/history.ts";
import type { Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";

/** A time from `startMs` on and before `endMs`, which may be `Infinity`. Unix milliseconds. */
export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

/** What is left of `interval` outside of `holes`, of which none ends before it begins, in order of time. */
export function without(interval: Interval, holes: readonly Interval[]): readonly Interval[] {
  return holes.reduce<readonly Interval[]>((left, hole) => left.flatMap((part) => cut(part, hole)), [interval]);
}

function cut({ startMs, endMs }: Interval, hole: Interval): readonly Interval[] {
  return [
    { startMs, endMs: Math.min(endMs, hole.startMs) },
    { startMs: Math.max(startMs, hole.endMs), endMs },
  ].filter((part) => part.startMs < part.endMs);
}

/** How much of `intervals`, which do not overlap, lies before `nowMs`. Milliseconds. */
export function lengthBefore(intervals: readonly Interval[], nowMs: number): number {
  return intervals.reduce((sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, nowMs) - startMs), 0);
}

/**
 * When `intervals` have added up to `lengthMs`; `undefined` when they never do.
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

/** A time in which the followed channel served one version on all of its landscapes; the last one has no end. */
export interface Service extends Interval {
  readonly version: ModuleVersion;
}

/** What was known at a moment: the history up to it, and the time. Unix milliseconds. */
export interface AsOf {
  readonly history: ModuleHistory;
  readonly nowMs: number;
}

/** What the followed channel served when. */
export interface ServiceRecord {
  /** Those of the version of a step, or of the line that its level names, oldest first, as they looked at a moment. */
  of(version: ModuleVersion, level: Level, asOf: AsOf): readonly Service[];
}
