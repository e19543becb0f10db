import type { Fault } from "../../ports.ts";
import { isOutageFault } from "../apply.ts";

/** The key of failures that concern all modules. */
export const EVERYTHING = "";

/** A failure, and the time of the next attempt. */
interface CountedFailure {
  readonly fault: Fault;
  /** In a row. */
  readonly count: number;
  /** By a steady clock. Milliseconds. */
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

/**
 * Exponential backoff with jitter. Failures that only a person can fix wait for the longest time at once. All times are
 * those of a steady clock, so that setting the wall clock holds nothing back. Milliseconds.
 */
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

  /** The current failures by key. */
  get faults(): ReadonlyMap<string, Fault> {
    return new Map([...this.#failures].map(([key, { fault }]) => [key, fault]));
  }

  /** Resets all keys but those of `modules` and `EVERYTHING`: a module that is gone cannot succeed any more. */
  keepOnly(modules: ReadonlySet<string>): void {
    for (const key of this.#failures.keys()) if (key !== EVERYTHING && !modules.has(key)) this.#failures.delete(key);
  }

  /** Resets the keys that failed because no server answered, since one answers again. Returns whether there were any. */
  answered(): boolean {
    const keys = [...this.#failures].filter(([, { fault }]) => isOutageFault(fault)).map(([key]) => key);
    return keys.map((key) => this.#failures.delete(key)).length > 0;
  }

  /** Resets all keys, because the causes of their failures may be gone. */
  clear(): void {
    this.#failures.clear();
  }

  /** How long `key` still has to wait; 0: not at all. */
  waitOf(key: string, nowMs: number): number {
    return Math.max(0, (this.#failures.get(key)?.dueMs ?? 0) - nowMs);
  }

  /**
   * The time until the next attempt of a waiting key; `Infinity`: none waits. Ignores keys that are already due: they
   * were tried, or their module is gone.
   */
  nextIn(nowMs: number): number {
    return Math.min(
      Infinity,
      ...[...this.#failures.keys()].map((key) => this.waitOf(key, nowMs)).filter((ms) => ms > 0),
    );
  }
}
