/** Timeouts and retry limits, in milliseconds. */
export interface Limits {
  /** For the head of the answer to something that only reads; the API server encodes a large list before it sends any. */
  readonly readMs: number;
  /** Shorter than the margin of the Lease: a former leader's write cannot arrive late. */
  readonly writeMs: number;
  /** Between two parts of an answer. */
  readonly idleMs: number;
  /** How long failing requests are repeated; an API server restarts within that time. */
  readonly patienceMs: number;
  /** The longest `Retry-After` that is waited for. */
  readonly retryAfterMs: number;
}

/** Those of the program; tests take shorter ones. */
export const LIMITS: Limits = {
  readMs: 15_000,
  writeMs: 7_000,
  idleMs: 10_000,
  patienceMs: 20_000,
  retryAfterMs: 60_000,
};
