/** Timeouts and retry limits, in milliseconds. */
export const LIMITS: Readonly<Record<"readMs" | "writeMs" | "idleMs" | "patienceMs" | "retryAfterMs", number>> = {
  /** For the head of the answer to something that only reads; the API server encodes a large list before it sends any. */
  readMs: 15_000,
  /** Shorter than the margin of the Lease: a former leader's write cannot arrive late. */
  writeMs: 7_000,
  /** Between two parts of an answer. */
  idleMs: 10_000,
  /** How long failing requests are repeated; an API server restarts within that time. */
  patienceMs: 20_000,
  /** The longest `Retry-After` that is waited for. */
  retryAfterMs: 60_000,
};
