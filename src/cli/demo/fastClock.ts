import type { SteadyClock } from "../../ports.ts";

/**
 * A clock that goes `speed` times as fast from now on. Only instants do: a wait, and how long something takes, are those
 * of `clock`, so that Leases, deadlines and retries are as ever.
 */
export function fastClock(clock: SteadyClock, speed: number): SteadyClock {
  const [startMs, startedMs] = [clock.nowMs(), clock.elapsedMs()];
  return { ...clock, nowMs: () => Math.floor(startMs + (clock.elapsedMs() - startedMs) * speed) };
}
