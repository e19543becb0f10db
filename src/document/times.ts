const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1000, "s"],
];

/** A duration for display, in its two largest units, rounded down: `6d 23h`, `45m`, `0s`. */
export function durationText(ms: number): string {
  const first = UNITS.findIndex(([unitMs]) => ms >= unitMs);
  return unitsText(ms, UNITS.slice(first, first + 2));
}

/** A duration as settings demand it, to the second: `1d 30m`. */
export function demandText(ms: number): string {
  return unitsText(ms, UNITS);
}

function unitsText(ms: number, units: typeof UNITS): string {
  let left = ms;
  const parts = units.flatMap(([unitMs, unit]) => {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    return count === 0 ? [] : [`${String(count)}${unit}`];
  });
  return parts.length === 0 ? "0s" : parts.join(" ");
}

/** An instant as `--at` accepts it: ISO 8601 in UTC, without a zero fraction. */
export function instantText(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
