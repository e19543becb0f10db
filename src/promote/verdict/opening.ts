import { Cron } from "croner";
import { cronFields, everComes } from "../../catalogue/cron.ts";
import { durationMs, type PromotionFile } from "../../catalogue/policy.ts";
import { oncePer } from "../../document/once.ts";

/** A recurring period for promotions, as in the file: open in `[opening, opening + for)`. */
export type PromotionWindow = NonNullable<PromotionFile["windows"]>[number];

/** Longer than any cron waits: 29 February comes after eight years at most. A longer window never closes. */
const LONGEST_MS = durationMs("3653d");

/** How long `window` stays open, in milliseconds: ten years if it never closes. */
export function lengthMs(window: PromotionWindow): number {
  return Math.min(durationMs(window.for), LONGEST_MS);
}

/**
 * The first opening of `window` later than `afterMs`: Unix milliseconds, or `Infinity` for a cron that never opens.
 *
 * A time of day that a clock change skips opens right after the change, unless that is the next day: then not at all. A
 * time of day that occurs twice opens the first time. If minute or hour has a `*`, skipped times are left out and
 * repeated times open twice, as in Debian's cron: `*` stands for passing time, not for a time of day.
 */
export function opensAfter(window: PromotionWindow, afterMs: number): number {
  const cron = cronOf(window);
  if (cron === "never") return Infinity;
  return cron.nextRun(new Date(afterMs))?.getTime() ?? Infinity;
}

// A Cron takes 80 kB, and a window of a channel serves all its modules.
const cronOf = oncePer(({ opens, timeZone }: PromotionWindow): Cron | "never" => {
  // croner would search until the year 3000, which takes milliseconds.
  if (!everComes(opens)) return "never";
  return new Cron(cronFields(opens).join(" "), { timezone: timeZone, mode: "5-part", fixedTimeRule: "no-wildcard" });
});
