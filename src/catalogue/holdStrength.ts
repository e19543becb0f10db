import type { Hold } from "./policy.ts";

/** When a hold ends by itself, Unix milliseconds; infinity when it does not. */
export function holdEndMs({ until }: Hold): number {
  return until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
}

/** Whether `other` keeps out whatever `hold` keeps out, and as long. */
export function isAsStrong(other: Hold, hold: Hold): boolean {
  if (other.version !== hold.version) return false;
  if (other.channel !== undefined && other.channel !== hold.channel) return false;
  return holdEndMs(other) >= holdEndMs(hold);
}

/**
 * Whether an entry holds nothing, since it ends when it begins: so `unhold` says that a decrease by hand is lifted, of
 * which no file has an entry that could go.
 */
export function isLift({ since, until }: Hold): boolean {
  return until !== undefined && Date.parse(until) <= Date.parse(since);
}
