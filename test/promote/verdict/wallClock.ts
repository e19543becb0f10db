/** The meaning of a cron, minute by minute: slow, and without the package that the calendar uses. */
const MINUTE_MS = 60_000;

const walls = new Map<string, number>();

/** The clock on the wall of a zone as if it stood in UTC. Unix milliseconds; many windows ask for the same minutes. */
function wallMs(format: Intl.DateTimeFormat, zone: string, atMs: number): number {
  const key = `${zone} ${atMs}`;
  const known = walls.get(key) ?? readWallMs(format, atMs);
  walls.set(key, known);
  return known;
}

function readWallMs(format: Intl.DateTimeFormat, atMs: number): number {
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
}

/** The values of a field that `value` matches: numbers, ranges, `*`, and steps, which end with the field. */
function isMatch(text: string | undefined, value: number, least: number): boolean {
  return String(text)
    .split(",")
    .some((item) => {
      const [span, step] = item.split("/");
      const [from = least, to = step === undefined ? from : 99] = span === "*" ? [least, 99] : numbers(span);
      return value >= from && value <= to && (value - from) % Number(step ?? 1) === 0;
    });
}

function numbers(span: string | undefined): readonly number[] {
  return String(span).split("-").map(Number);
}

function isCronMatch(opens: string, wall: number): boolean {
  const [minute, hour, day, month, weekday] = opens.split(" ");
  const date = new Date(wall);
  const isTime = isMatch(minute, date.getUTCMinutes(), 0) && isMatch(hour, date.getUTCHours(), 0);
  const isDay = isMatch(day, date.getUTCDate(), 1);
  const isWeekday = [date.getUTCDay(), date.getUTCDay() || 7].some((number) => isMatch(weekday, number, 0));
  const isDate = day === "*" || weekday === "*" ? isDay && isWeekday : isDay || isWeekday;
  return isTime && isDate && isMatch(month, date.getUTCMonth() + 1, 1);
}

/** Every whole minute of `[fromMs, untilMs)` at which `opens` opens in `timeZone`. Only numbers for names. */
export function openingsOf(opens: string, timeZone: string, fromMs: number, untilMs: number): readonly number[] {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const isTimeOfDay = !opens.split(" ").slice(0, 2).join("").includes("*");
  const openings: number[] = [];
  let latest = wallMs(format, timeZone, fromMs - MINUTE_MS);
  for (let atMs = fromMs; atMs < untilMs; atMs += MINUTE_MS) {
    const wall = wallMs(format, timeZone, atMs);
    const seen = isTimeOfDay ? skippedAndNow(latest, wall) : [wall];
    if (seen.some((each) => isCronMatch(opens, each))) openings.push(atMs);
    latest = Math.max(latest, wall);
  }
  return openings;
}

/** The minutes on the wall since `latest` up to `wall`, of the day of `wall`; none when the clocks went back. */
function skippedAndNow(latest: number, wall: number): readonly number[] {
  const minutes: number[] = [];
  for (let each = latest + MINUTE_MS; each <= wall; each += MINUTE_MS) {
    if (new Date(each).getUTCDate() === new Date(wall).getUTCDate()) minutes.push(each);
  }
  return minutes;
}
