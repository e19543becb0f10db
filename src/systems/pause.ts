import { setTimeout as delay } from "node:timers/promises";
import type { Run } from "../ports.ts";

/** Waits. Throws the reason of `run.signal` as soon as it is aborted. */
export async function pause(ms: number, run: Run): Promise<void> {
  try {
    await delay(ms, undefined, { signal: run.signal });
  } catch (error) {
    run.signal.throwIfAborted();
    throw error;
  }
}
