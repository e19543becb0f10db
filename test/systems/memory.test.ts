import { getHeapStatistics } from "node:v8";
import { expect, it } from "vitest";
import { collectGarbage, keepMemoryLow } from "../../src/systems/memory.ts";
import { quietRun } from "../support/quietRun.ts";

const MIB = 2 ** 20;
const heldMiB = (): number => getHeapStatistics().total_heap_size / MIB;

/** Fills the heap with some 200 MiB of garbage. */
function waste(): void {
  const rows = Array.from({ length: 1_000_000 }, (_, place) => ({ place, text: `row ${String(place)} of a million` }));
  expect(rows).toHaveLength(1_000_000);
}

it("releases unused memory, and checks regularly", async () => {
  collectGarbage();
  const beforeMiB = heldMiB();
  const stop = new AbortController();
  const grown: number[] = [];
  let looks = 0;
  const clock = {
    pause: (): Promise<void> => {
      looks += 1;
      if (looks === 4) stop.abort(new Error("it ended"));
      stop.signal.throwIfAborted();
      if (looks === 2) {
        waste();
        grown.push(heldMiB());
      }
      return Promise.resolve();
    },
  };

  await expect(keepMemoryLow(clock, quietRun(stop.signal))).rejects.toThrow("it ended");
  expect(grown[0]).toBeGreaterThan(beforeMiB + 64);
  expect(heldMiB()).toBeLessThan(beforeMiB + 32);
});
