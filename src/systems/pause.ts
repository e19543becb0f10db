import { setTimeout as delay } from "node:timers/promises";
import type { Run } from "../ports.ts";

/** Waits for `ms` milliseconds. Throws the reason of `run.signal` as soon as that is aborted. */
export async function pause(ms: number, run: Run): Promise<void> {
  try {
    await delay(ms, undefined, { signal: run.signal });
  } catch (error) {
    run.signal.throwIfAborted();
    throw error;
  }
}

/** The result of `work`. Throws the reason of `signal` as soon as it is aborted, even if `work` notices it later. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => {
    reject(signal.reason as Error);
  };
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
