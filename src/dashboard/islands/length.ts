const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];

/** Shorter times are shown with seconds. Milliseconds. */
const SECONDS_BELOW_MS = 120_000;

/** A duration in its two largest units, rounded down: `1 d 21 h`, `12 min`, `1 min 40 s`. */
export function lengthText(ms: number): string {
  const first = UNITS.findIndex(([unitMs]) => ms >= unitMs);
  if (first < 0) return "0\u00a0s";
  let left = ms;
  const parts = UNITS.slice(first, Math.max(first + 1, Math.min(first + 2, ms < SECONDS_BELOW_MS ? 4 : 3))).flatMap(
    ([unitMs, unit]) => {
      const count = Math.floor(left / unitMs);
      left -= count * unitMs;
      return count === 0 ? [] : [`${String(count)}\u00a0${unit}`];
    },
  );
  return parts.join("\u00a0");
}
