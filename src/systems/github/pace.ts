import type { Clock, Run } from "../../ports.ts";

/** GitHub takes 80 writes a minute, and asks for a second between them: 20 at once, then one a second, keep to both. */
const BURST_MS = 20_000;
const GAP_MS = 1_000;

/**
 * Waits until the next write is due. (The throttling plugin of octokit waits as well, but three seconds for every pull
 * request, and in timers that an abort does not end.)
 */
export function openPace(clock: Clock): (run: Run) => Promise<void> {
  let paidUntilMs = 0;
  return async (run) => {
    const nowMs = clock.nowMs();
    paidUntilMs = Math.max(paidUntilMs, nowMs) + GAP_MS;
    const waitMs = paidUntilMs - nowMs - BURST_MS;
    if (waitMs > 0) await clock.pause(waitMs, run);
  };
}
