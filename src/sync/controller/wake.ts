import type { Clock, Run } from "../../ports.ts";

/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** Wakes one waiting loop. A call before the wait is not lost. */
export class Wake {
  readonly #clock: Pick<Clock, "pause">;
  #ring = new AbortController();

  constructor(clock: Pick<Clock, "pause">) {
    this.#clock = clock;
  }

  /** Wakes the loop. */
  raise(): void {
    this.#ring.abort();
  }

  /** Waits until `raise` is called, at most `ms` milliseconds. Throws the reason if `run` is aborted. */
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
