import { Fault, type Clock } from "../../ports.ts";

/** What is left of the rate limit, as the last answer said. */
export interface Quota {
  /** Takes note of what an answer says. */
  readonly note: (headers: Readonly<Record<string, string | number | undefined>>) => void;
  /** Throws FORGE_BUSY when the rest is kept for hot-fixes. `what` begins the sentence. */
  readonly keepReserve: (what: string) => void;
}

/** The part of the limit that only hot-fixes may use. */
const RESERVE = 0.1;

/** A quota of which nothing is known yet. */
export function openQuota(server: string, clock: Clock): Quota {
  let last = { left: Number.NaN, limit: Number.NaN, resetsAtMs: Number.NaN };
  return {
    note: (headers) => {
      const read = (name: string): number => Number(headers[`x-ratelimit-${name}`]);
      last = { left: read("remaining"), limit: read("limit"), resetsAtMs: read("reset") * 1_000 };
    },
    keepReserve: (what) => {
      const { left, limit, resetsAtMs } = last;
      const isScarce = left < limit * RESERVE && resetsAtMs > clock.nowMs();
      if (!isScarce) return;
      const message =
        `${what}: ${server} takes only ${left} more requests of ${limit}, which are left for hot-fixes; ` +
        `the limit resets at ${new Date(resetsAtMs).toISOString()}. Run it again then.`;
      throw new Fault("FORGE_BUSY", message, { retry: true });
    },
  };
}
