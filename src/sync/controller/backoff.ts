import type { Fault } from "../../ports.ts";

/** A failure, and the time of the next attempt. */
export interface CountedFailure {
  readonly fault: Fault;
  /** In a row. */
  readonly count: number;
  /** Unix milliseconds. */
  readonly dueMs: number;
}

const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;

/** Faults that a retry does not fix: the API server understood the request and refused it. */
const TERMINAL: ReadonlySet<string> = new Set<Fault["code"]>([
  "CLUSTER_REFUSED",
  "CLUSTER_FORBIDDEN",
  "CLUSTER_UNAUTHORIZED",
  "CLUSTER_KIND_MISSING",
  "CONFIGURATION",
]);

/** Exponential backoff with jitter. Failures that only a person can fix wait for the longest time at once. */
export class Backoff {
  readonly #failures = new Map<string, CountedFailure>();
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Counts and returns a failure of `key`. */
  failed(key: string, fault: Fault, nowMs: number): CountedFailure {
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    const ms = TERMINAL.has(fault.code) ? LONGEST_MS : Math.min(FIRST_MS * 2 ** (count - 1), LONGEST_MS);
    const failure = { fault, count, dueMs: nowMs + ms * (0.75 + this.#random() / 4) };
    this.#failures.set(key, failure);
    return failure;
  }

  /** Resets `key` after a success. */
  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  /** Resets all keys, because the causes of their failures may be gone. */
  clear(): void {
    this.#failures.clear();
  }

  /** Whether `key` still has to wait. */
  isHeld(key: string, nowMs: number): boolean {
    return (this.#failures.get(key)?.dueMs ?? -Infinity) > nowMs;
  }

  /**
   * The time of the next attempt of a held key; `undefined`: none is held. Ignores keys that are already due: they were
   * tried, or their module is gone. Unix milliseconds.
   */
  nextAfter(nowMs: number): number | undefined {
    const due = [...this.#failures.values()].map(({ dueMs }) => dueMs).filter((dueMs) => dueMs > nowMs);
    return due.length === 0 ? undefined : Math.min(...due);
  }
}
