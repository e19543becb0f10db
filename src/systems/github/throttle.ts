import { Fault, type Clock, type Run } from "../../ports.ts";
import { HOUR_MS, type WriteAccount } from "./account.ts";
import { RESERVE } from "./quota.ts";

/** GitHub takes 80 writes a minute, and asks for a second between them: 20 at once, then one a second, keep to both. */
const BURST_MS = 20_000;
const GAP_MS = 1_000;

/** When requests that create content are made. GitHub does not say how many it still takes: they are counted here. */
export interface Throttle {
  /** Waits until the next one is due, and counts it. Throws FORGE_BUSY when it is one too many for an hour. */
  readonly waitForTurn: (what: string, run: Run) => Promise<void>;
  /** Throws FORGE_BUSY when the rest of the hour is kept for hot-fixes. `what` begins the sentence. */
  readonly keepReserve: (what: string) => Promise<void>;
}

/**
 * Counts in `account`. (The throttling plugin of octokit waits three seconds for every pull request, in timers that an
 * abort does not end, and knows of no hour.)
 */
export function openThrottle(
  account: WriteAccount,
  { server, clock, writesPerHour }: { readonly server: string; readonly clock: Clock; readonly writesPerHour: number },
): Throttle {
  let paidUntilMs = 0;
  const refuseBeyond = async (most: number, what: string, why: string): Promise<void> => {
    const recent = await account.lastHour(clock.nowMs());
    const oldest = recent.at(-most);
    if (oldest === undefined) return;
    const until = new Date(oldest + HOUR_MS).toISOString();
    const message =
      `${what}: ${server} takes ${writesPerHour} requests that create content in an hour, ` +
      `and ${recent.length} were made; ${why}. Run it again after ${until}.`;
    throw new Fault("FORGE_BUSY", message, { retry: true });
  };
  return {
    keepReserve: (what) =>
      refuseBeyond(Math.floor(writesPerHour * (1 - RESERVE)), what, "the others are left for hot-fixes"),
    waitForTurn: async (what, run) => {
      await refuseBeyond(writesPerHour, what, "this one would be too many");
      const nowMs = clock.nowMs();
      paidUntilMs = Math.max(paidUntilMs, nowMs) + GAP_MS;
      const waitMs = paidUntilMs - nowMs - BURST_MS;
      if (waitMs > 0) await clock.pause(waitMs, run);
      await account.add(clock.nowMs(), run);
    },
  };
}
