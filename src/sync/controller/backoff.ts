import type { Fault } from "../../ports.ts";

/** Something that failed, and when it is tried again. */
export interface CountedFailure {
  readonly fault: Fault;
  /** In a row. */
  readonly count: number;
  /** Unix milliseconds. */
  readonly dueMs: number;
}

const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;

/** The faults that another attempt does not heal: the API server understood what it was asked, and refused it. */
const TERMINAL: ReadonlySet<string> = new Set<Fault["code"]>([
  "CLUSTER_REFUSED",
  "CLUSTER_FORBIDDEN",
  "CLUSTER_UNAUTHORIZED",
  "CLUSTER_KIND_MISSING",
  "CONFIGURATION",
]);

/** When what failed is tried again: twice as late each time, with jitter, and what only a person can heal as late as ever. */
export class Backoff {
  readonly #failures = new Map<string, CountedFailure>();
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Counts a failure of `key`. Gives it. */
  failed(key: string, fault: Fault, nowMs: number): CountedFailure {
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    const ms = TERMINAL.has(fault.code) ? LONGEST_MS : Math.min(FIRST_MS * 2 ** (count - 1), LONGEST_MS);
    const failure = { fault, count, dueMs: nowMs + ms * (0.75 + this.#random() / 4) };
    this.#failures.set(key, failure);
    return failure;
  }

  /** What failed of `key` is over. */
  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  /** Everything is tried again at once: what it failed at may have changed. */
  clear(): void {
    this.#failures.clear();
  }

  /** Whether `key` is not to be tried yet. */
  isHeld(key: string, nowMs: number): boolean {
    return (this.#failures.get(key)?.dueMs ?? -Infinity) > nowMs;
  }

  /**
   * When the next of what is held is to be tried; `undefined` where nothing is. What is due already was tried, or is no
   * longer asked for: a module that is gone. Unix milliseconds.
   */
  nextAfter(nowMs: number): number | undefined {
    const due = [...this.#failures.values()].map(({ dueMs }) => dueMs).filter((dueMs) => dueMs > nowMs);
    return due.length === 0 ? undefined : Math.min(...due);
  }
}
