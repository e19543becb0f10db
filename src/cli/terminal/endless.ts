import type { Run } from "../../ports.ts";

/** Waits for work that only an interruption ends, which counts as success. Throws any other error of it. */
export async function untilStopped(endless: Promise<unknown>, { signal }: Run): Promise<void> {
  try {
    await endless;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
