import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock, Run } from "../ports.ts";

/** How often it is looked at. Milliseconds. */
const LOOK_MS = 20_000;
/** How much the heap grows before it is worth a collection. Bytes. */
const GROWTH_BYTES = 64 * 2 ** 20;
/**
 * One that came while everything was in use says little: there is another one after this time, and the next ones after
 * twice the time before, up to the longest. Milliseconds.
 */
const AGAIN_MS = 40_000;
const LONGEST_MS = 640_000;

/**
 * Gives memory back that V8 holds for later, until `run` is aborted: a process that read a large catalogue once and waits
 * from then on would keep twice what it needs. A collection stops everything for some 0.2 s with a live heap of 100 MiB.
 */
export async function keepMemoryLow(clock: Pick<Clock, "pause">, run: Run): Promise<never> {
  let heldBytes = 0;
  let againMs = AGAIN_MS;
  for (let restMs = LOOK_MS; ; restMs += LOOK_MS) {
    await clock.pause(LOOK_MS, run);
    const isGrown = getHeapStatistics().total_heap_size >= heldBytes + GROWTH_BYTES;
    if (!isGrown && restMs < againMs) continue;
    collectGarbage();
    heldBytes = getHeapStatistics().total_heap_size;
    againMs = isGrown ? AGAIN_MS : Math.min(2 * againMs, LONGEST_MS);
    restMs = 0;
  }
}

/** Collects what is not used any more, and returns the pages that are free then. */
export function collectGarbage(): void {
  // Only contexts that are made after the flag was set have the function.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: object) => void;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
