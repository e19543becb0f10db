import { Cron } from "croner";
import { durationMs, type PromotionFile } from "../../catalogue/policy.ts";

/** A recurring time in which promotions may happen, as the file says it: open in `[opening, opening + for)`. */
export type PromotionWindow = NonNullable<PromotionFile["windows"]>[number];

/** What a field of cron counts: its least value, how many there are, and the last that may be written. */
interface CronField {
  readonly least: number;
  readonly size: number;
  readonly last: number;
  /** Three-letter names, beginning at `least`, one after the other. */
  readonly names: string;
}

// 0 and 7 are both Sunday.
const WEEKDAY: CronField = { least: 0, size: 7, last: 7, names: "SUNMONTUEWEDTHUFRISAT" };
const MONTH: CronField = { least: 1, size: 12, last: 12, names: "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC" };
const FIELDS: readonly CronField[] = [
  { least: 0, size: 60, last: 59, names: "" },
  { least: 0, size: 24, last: 23, names: "" },
  { least: 1, size: 31, last: 31, names: "" },
  MONTH,
  WEEKDAY,
];

/** Longer than any cron waits: 29 February comes after eight years at most. A longer window never closes. */
const LONGEST_MS = durationMs("3653d");

// A Cron takes 80 kB, and a window of a channel serves all its modules.
const crons = new WeakMap<PromotionWindow, Cron | "never">();

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
  const cron = crons.get(window) ?? cronOf(window);
  crons.set(window, cron);
  if (cron === "never") return Infinity;
  return cron.nextRun(new Date(afterMs))?.getTime() ?? Infinity;
}

function cronOf({ opens, timeZone }: PromotionWindow): Cron | "never" {
  const parts = opens.split(" ");
  const fields = FIELDS.map((field, index) => spelledOut(String(parts[index]), field));
  // croner would look for it until the year 3000, which takes milliseconds.
  if (!everComes(fields.slice(2))) return "never";
  return new Cron(fields.join(" "), { timezone: timeZone, mode: "5-part", fixedTimeRule: "no-wildcard" });
}

/** A field with numbers for names, ranges and steps: croner refuses `5/10`, `MON/2`, and a step above the field's size. */
function spelledOut(text: string, field: CronField): string {
  const items = text.split(",").flatMap((item) => spelledOutItem(item, field));
  return items.includes("*") ? "*" : items.join(",");
}

function spelledOutItem(item: string, field: CronField): readonly string[] {
  const slash = `${item}/`.indexOf("/");
  const span = item.slice(0, slash);
  const step = Number(item.slice(slash + 1)) || 1;
  // `*` stays: it decides what becomes of a time that comes twice, and whether day and weekday are one condition or two.
  if (span === "*") return [step === 1 ? "*" : `*/${Math.min(step, field.size)}`];
  const ends = span.split("-").map((end) => valueOf(end, field));
  const first = Math.min(...ends);
  const last = span === item || ends.length > 1 ? Math.max(...ends) : field.last;
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => String(first + index * step));
}

function valueOf(text: string, { least, names }: CronField): number {
  return /^\d/.test(text) ? Number(text) : least + names.indexOf(text.toUpperCase()) / 3;
}

/** Whether any year has such a day. A weekday comes in every month, also beside a day that does not. */
function everComes([days, months, weekdays]: readonly string[]): boolean {
  if (weekdays !== "*") return true;
  const firstDay = Math.min(...leastValues(days));
  return leastValues(months).some((month) => new Date(Date.UTC(2024, month, 0)).getUTCDate() >= firstDay);
}

/** Its values; of those that begin with `*` only the first, which is the first day, or January with its 31 days. */
function leastValues(field: string | undefined): readonly number[] {
  return String(field)
    .split(",")
    .map((item) => (item.startsWith("*") ? 1 : Number(item)));
}
