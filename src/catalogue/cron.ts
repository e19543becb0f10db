/** What a field of cron counts: its least value, how many there are, and the last that may be written. */
interface CronRange {
  readonly least: number;
  readonly size: number;
  readonly last: number;
  /** Three-letter names, beginning at `least`, one after the other. */
  readonly names: string;
}

// 0 and 7 are both Sunday.
const WEEKDAY: CronRange = { least: 0, size: 7, last: 7, names: "SUNMONTUEWEDTHUFRISAT" };
const MONTH: CronRange = { least: 1, size: 12, last: 12, names: "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC" };
const FIELDS: readonly CronRange[] = [
  { least: 0, size: 60, last: 59, names: "" },
  { least: 0, size: 24, last: 23, names: "" },
  { least: 1, size: 31, last: 31, names: "" },
  MONTH,
  WEEKDAY,
];

/** The fields of a cron, with numbers for names, ranges and steps: each `*`, that with a step, or a list of numbers. */
export function cronFields(cron: string): readonly string[] {
  const parts = cron.split(" ");
  return FIELDS.map((field, index) => spelledOut(String(parts[index]), field));
}

/** Whether a cron ever comes: 30 February does not. A weekday comes in every month, also beside a day that does not. */
export function everComes(cron: string): boolean {
  const [, , days, months, weekdays] = cronFields(cron);
  if (weekdays !== "*") return true;
  const firstDay = Math.min(...leastValues(days));
  return leastValues(months).some((month) => new Date(Date.UTC(2024, month, 0)).getUTCDate() >= firstDay);
}

/** croner refuses `5/10`, `MON/2`, and a step above the field's size. */
function spelledOut(text: string, field: CronRange): string {
  const items = text.split(",").flatMap((item) => spelledOutItem(item, field));
  return items.includes("*") ? "*" : items.join(",");
}

function spelledOutItem(item: string, field: CronRange): readonly string[] {
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

function valueOf(text: string, { least, names }: CronRange): number {
  return /^\d/.test(text) ? Number(text) : least + names.indexOf(text.toUpperCase()) / 3;
}

/** Its values; of those that begin with `*` only the first, which is the first day, or January with its 31 days. */
function leastValues(field: string | undefined): readonly number[] {
  return String(field)
    .split(",")
    .map((item) => (item.startsWith("*") ? 1 : Number(item)));
}
