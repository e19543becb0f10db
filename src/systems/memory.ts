import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock, Run } from "../ports.ts";

/** Between two looks at the heap. Milliseconds. */
const LOOK_MS = 20_000;
/** The growth of the heap that causes a collection. Bytes. */
const GROWTH_BYTES = 64 * 2 ** 20;
/** A collection may come while everything is in use: it is repeated after this time. Milliseconds. */
const AGAIN_MS = 40_000;
/** Between two collections of a heap that does not grow. Milliseconds. */
const REST_MS = 640_000;

/**
 * Returns memory that V8 keeps for later, until `run` is aborted: a process that reads a large catalogue once and then
 * waits would keep twice what it needs. A collection stops everything for some 0.2 s with a live heap of 100 MiB.
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
    againMs = isGrown ? AGAIN_MS : REST_MS;
    restMs = 0;
  }
}

/** Collects unused objects, and returns the pages that are free then. */
export function collectGarbage(): void {
  // Only contexts created after the flag is set have the function.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: object) => void;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
