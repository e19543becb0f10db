import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../ports.ts";

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
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
