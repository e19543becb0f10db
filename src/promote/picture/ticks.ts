import { instantText } from "../../document/times.ts";

/** A tick of the axis. */
export interface Tick {
  readonly atMs: number;
  readonly text: string;
}

/** The fewest months for an axis of months; shorter periods have days. */
const MONTHS_FROM = 3;
const DAY_MS = 86_400_000;

/** The ticks between two instants: months, or days if there are few months. */
export function ticks(fromMs: number, untilMs: number): readonly Tick[] {
  const months = monthTicks(fromMs, untilMs);
  return months.length >= MONTHS_FROM ? months : dayTicks(fromMs, untilMs);
}

/** The first of every month, or of every n-th month: at most twelve. */
function monthTicks(fromMs: number, untilMs: number): readonly Tick[] {
  const [from, until] = [new Date(fromMs), new Date(untilMs)];
  const first = from.getUTCFullYear() * 12 + from.getUTCMonth() + 1;
  const last = until.getUTCFullYear() * 12 + until.getUTCMonth();
  const step = Math.max(1, Math.ceil((last - first + 1) / 12));
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  return Array.from({ length: count }, (_, place) => {
    const months = first + place * step;
    const atMs = Date.UTC(Math.floor(months / 12), months % 12);
    return { atMs, text: instantText(atMs).slice(0, 7) };
  });
}

/** Midnight of every day, or of every n-th day: at most eight. A date at the very end would be cut off. */
function dayTicks(fromMs: number, untilMs: number): readonly Tick[] {
  const first = Math.floor(fromMs / DAY_MS) + 1;
  const last = Math.floor((untilMs - (untilMs - fromMs) / 40) / DAY_MS);
  const step = Math.max(1, Math.ceil((last - first + 1) / 8));
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  return Array.from({ length: count }, (_, place) => {
    const atMs = (first + place * step) * DAY_MS;
    return { atMs, text: instantText(atMs).slice(0, 10) };
  });
}
