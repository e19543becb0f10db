import { Fault, type Clock } from "../../ports.ts";

/** What is left of the rate limit, as the last answer said. */
export interface Quota {
  /** Takes note of what an answer says. */
  readonly note: (headers: Readonly<Record<string, string | number | undefined>>) => void;
  /** Throws FORGE_BUSY when the rest is kept for hot-fixes. `what` begins the sentence. */
  readonly keepReserve: (what: string) => void;
}

/** The part of a limit that only hot-fixes may use. */
export const RESERVE = 0.1;

/** A quota of which nothing is known yet. */
export function openQuota(server: string, clock: Clock): Quota {
  // REST and GraphQL have a limit each.
  const last = new Map<unknown, { readonly left: number; readonly limit: number; readonly resetsAtMs: number }>();
  return {
    note: (headers) => {
      const read = (name: string): number => Number(headers[`x-ratelimit-${name}`]);
      const now = { left: read("remaining"), limit: read("limit"), resetsAtMs: read("reset") * 1_000 };
      last.set(headers["x-ratelimit-resource"], now);
    },
    keepReserve: (what) => {
      const scarce = [...last.values()].find(
        ({ left, limit, resetsAtMs }) => left < limit * RESERVE && resetsAtMs > clock.nowMs(),
      );
      if (scarce === undefined) return;
      const { left, limit, resetsAtMs } = scarce;
      const message =
        `${what}: ${server} takes only ${left} more requests of ${limit}, which are left for hot-fixes; ` +
        `the limit resets at ${new Date(resetsAtMs).toISOString()}. Run it again then.`;
      throw new Fault("FORGE_BUSY", message, { retry: true });
    },
  };
}
