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
