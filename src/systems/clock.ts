import { setTimeout as sleep } from "node:timers/promises";
import type { SteadyClock } from "../ports.ts";

/** The machine's own clock. */
export const systemClock: SteadyClock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  pause: async (ms, { signal }) => {
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      // Node throws an error of its own.
      signal.throwIfAborted();
      throw error;
    }
  },
};
