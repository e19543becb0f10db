import type { Clock, Run } from "../../ports.ts";

/** Timers count no further. */
const LONGEST_MS = 2 ** 31 - 1;

/** Wakes one loop that waits for something to happen. What happens before it waits is not lost. */
export class Wake {
  readonly #clock: Pick<Clock, "pause">;
  #ring = new AbortController();

  constructor(clock: Pick<Clock, "pause">) {
    this.#clock = clock;
  }

  /** Something happened. */
  raise(): void {
    this.#ring.abort();
  }

  /** Waits for something to happen, but no longer than `ms` milliseconds. An abort of `run` throws its reason. */
  async wait(ms: number, run: Run): Promise<void> {
    const signal = AbortSignal.any([run.signal, this.#ring.signal]);
    try {
      await this.#clock.pause(Math.min(Math.max(0, ms), LONGEST_MS), { ...run, signal });
    } catch (error) {
      run.signal.throwIfAborted();
      if (!this.#ring.signal.aborted) throw error;
    }
    this.#ring = new AbortController();
  }
}
