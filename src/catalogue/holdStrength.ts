import type { Hold } from "./policy.ts";

/** The end of a hold in Unix milliseconds; infinity when it has none. */
export function holdEndMs({ until }: Hold): number {
  return until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
}

/** Whether `other` blocks everything that `hold` blocks, for at least as long. */
export function isAsStrong(other: Hold, hold: Hold): boolean {
  if (other.version !== hold.version) return false;
  if (other.channel !== undefined && other.channel !== hold.channel) return false;
  return holdEndMs(other) >= holdEndMs(hold);
}

/**
 * Whether an entry ends when it begins, and so holds nothing. `unhold` writes such an entry to lift a decrease by hand,
 * for which no file has an entry to remove.
 */
export function isLift({ since, until }: Hold): boolean {
  return until !== undefined && Date.parse(until) <= Date.parse(since);
}
