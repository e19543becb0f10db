import { Cron } from "croner";
import { cronFields, everComes } from "../../catalogue/cron.ts";
import { durationMs, type PromotionFile } from "../../catalogue/policy.ts";
import { oncePer } from "../../document/once.ts";

/** A recurring time in which promotions may happen, as the file says it: open in `[opening, opening + for)`. */
export type PromotionWindow = NonNullable<PromotionFile["windows"]>[number];

/** Longer than any cron waits: 29 February comes after eight years at most. A longer window never closes. */
const LONGEST_MS = durationMs("3653d");

/** How long `window` stays open, in milliseconds; what never closes stays open for ten years. */
export function lengthMs(window: PromotionWindow): number {
  return Math.min(durationMs(window.for), LONGEST_MS);
}

/**
 * The first opening of `window` later than `afterMs`: Unix milliseconds, or `Infinity` for a cron that never opens.
 *
 * A time of day that the clocks skip opens when they have jumped (unless that is on the next day: then not), and one
 * that comes twice opens the first time. Where minute or hour has a `*`, what is skipped is left out and what comes
 * twice opens twice, as with the cron of Debian: `*` means "as time goes by", and not a time of day.
 */
export function opensAfter(window: PromotionWindow, afterMs: number): number {
  const cron = cronOf(window);
  if (cron === "never") return Infinity;
  return cron.nextRun(new Date(afterMs))?.getTime() ?? Infinity;
}

// A Cron takes 80 kB, and a window of a channel serves all its modules.
const cronOf = oncePer(({ opens, timeZone }: PromotionWindow): Cron | "never" => {
  // croner would look for it until the year 3000, which takes milliseconds.
  if (!everComes(opens)) return "never";
  return new Cron(cronFields(opens).join(" "), { timezone: timeZone, mode: "5-part", fixedTimeRule: "no-wildcard" });
});
