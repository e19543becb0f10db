/** The range of a cron field: its smallest value, the number of values, and the largest accepted value. */
interface CronRange {
  readonly least: number;
  readonly size: number;
  readonly last: number;
  /** Three-letter names from `least` on, concatenated. */
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

/** The fields of a cron expression without names and ranges: each is `*`, `*` with a step, or a list of numbers. */
export function cronFields(cron: string): readonly string[] {
  const parts = cron.split(" ");
  // croner refuses `5/10`, `MON/2`, and a step above the field's size.
  return FIELDS.map((field, index) => {
    const items = String(parts[index])
      .split(",")
      .flatMap((item) => spelledOutItem(item, field));
    return items.includes("*") ? "*" : items.join(",");
  });
}

/** Whether a cron expression ever matches: 30 February does not. With a weekday, it matches in every month. */
export function everComes(cron: string): boolean {
  const [, , days, months, weekdays] = cronFields(cron);
  if (weekdays !== "*") return true;
  const firstDay = Math.min(...leastValues(days));
  return leastValues(months).some((month) => new Date(Date.UTC(2024, month, 0)).getUTCDate() >= firstDay);
}

function spelledOutItem(item: string, field: CronRange): readonly string[] {
  const slash = `${item}/`.indexOf("/");
  const span = item.slice(0, slash);
  const step = Number(item.slice(slash + 1)) || 1;
  // `*` stays: it decides how a time that occurs twice is treated, and whether day and weekday are one condition or two.
  if (span === "*") return [step === 1 ? "*" : `*/${Math.min(step, field.size)}`];
  const ends = span.split("-").map((end) => {
    return /^\d/.test(end) ? Number(end) : field.least + field.names.indexOf(end.toUpperCase()) / 3;
  });
  const first = Math.min(...ends);
  const last = span === item || ends.length > 1 ? Math.max(...ends) : field.last;
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => String(first + index * step));
}

/** The values of a field. For `*` only the first, since the first day and January, with its 31 days, are enough. */
function leastValues(field: string | undefined): readonly number[] {
  return String(field)
    .split(",")
    .map((item) => (item.startsWith("*") ? 1 : Number(item)));
}
