import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../ports.ts";

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  pause: (ms, { signal }) => sleep(ms, undefined, { signal }),
};
