import type { Run } from "../../ports.ts";

/** Goes on with what only a person ends: its interruption is a good end. Throws what else ends it. */
export async function untilStopped(endless: Promise<unknown>, { signal }: Run): Promise<void> {
  try {
    await endless;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
