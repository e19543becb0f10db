import type { Run } from "../../ports.ts";
import { pause } from "../pause.ts";

/** The most requests to a server: a token bucket. */
export interface RequestRate {
  readonly perSecond: number;
  /** How many may be sent at once after a pause. */
  readonly burst: number;
}

/** Holds back all requests to a server: that asked for a pause, or that would get too many. */
export class Backpressure {
  #untilMs = 0;
  readonly #rate: RequestRate | undefined;
  /** Until when the requests so far have used up the rate. */
  #paidMs = -Infinity;

  constructor(rate?: RequestRate) {
    this.#rate = rate;
  }

  /** Holds requests back for at least `ms` milliseconds. Returns the remaining wait, in milliseconds. */
  holdFor(ms: number): number {
    this.#untilMs = Math.max(this.#untilMs, performance.now() + ms);
    return this.#untilMs - performance.now();
  }

  /** Waits until a request may be sent. */
  async wait(run: Run): Promise<void> {
    const dueMs = this.#take();
    while (Math.max(this.#untilMs, dueMs) > performance.now())
      await pause(Math.max(this.#untilMs, dueMs) - performance.now(), run);
  }

  /** Takes a token; returns when it is there. */
  #take(): number {
    if (this.#rate === undefined) return -Infinity;
    const { perSecond, burst } = this.#rate;
    const eachMs = 1000 / perSecond;
    this.#paidMs = Math.max(this.#paidMs, performance.now() - burst * eachMs) + eachMs;
    return this.#paidMs;
  }
}
