import { isInstant } from "./schema/formats.ts";

const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1000, "s"],
];

/** By how much the clocks of two machines may differ, such as of two controllers, or of a forge and ours. Milliseconds. */
export const CLOCKS_APART_MS = 60_000;

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

/** The same to the second, for people: clocks of machines count milliseconds. */
export function secondText(ms: number): string {
  return instantText(startOfSecondMs(ms));
}

/** The start of the second of an instant: Git and forges count seconds, and so do decisions. Unix milliseconds. */
export function startOfSecondMs(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

/** The start of the next second, unless one starts at that instant. Unix milliseconds. */
export function endOfSecondMs(ms: number): number {
  return Math.ceil(ms / 1000) * 1000;
}

/** Also as Git writes it, or without seconds. */
const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)? ?(Z|[+-]\d\d)(?::?(\d\d))?$/;

/**
 * Unix milliseconds; `undefined` for anything but an instant on a day that exists. Also accepts the format of Git:
 * `2024-03-07 15:12:58 +0100`. An instant without a zone could be any of 26 hours.
 */
export function readInstant(text: string): number | undefined {
  const [, day = "", time = "", seconds = ":00", zone = "", minutes] = INSTANT.exec(text) ?? [];
  const instant = `${day}T${time}${seconds}${zone}${minutes === undefined ? "" : `:${minutes}`}`;
  return isInstant(instant) ? Date.parse(instant) : undefined;
}
