import { durationMs } from "../../catalogue/policy.ts";
import { lengthMs, opensAfter, type PromotionWindow } from "./opening.ts";

/** Who asks for something: the channel, or the module in its own policy for the channel. */
export type StatedBy = "channel" | "module";

/** A time in which nothing is promoted: `[fromMs, untilMs)`, Unix milliseconds. One that ends before it begins is none. */
export interface Freeze {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly reason: string;
  readonly statedBy: StatedBy;
  /** Its place in `freezes` of whoever states it. */
  readonly index: number;
}

/** Windows of which one has to be open; at least one. */
export interface WindowSet {
  readonly statedBy: StatedBy;
  readonly windows: readonly PromotionWindow[];
}

/** When promotions may happen: while each of the sets has an open window, and no freeze is on. Empty: always. */
export interface Calendar {
  readonly windowSets: readonly WindowSet[];
  readonly freezes: readonly Freeze[];
}

/** What keeps a calendar closed, and the instant at which it was met first. Unix milliseconds. */
export type ClosedBy = { readonly atMs: number } & (
  | { readonly kind: "freeze"; readonly freeze: Freeze }
  /** None of the windows is open. */
  | { readonly kind: "windows"; readonly windowSet: WindowSet }
);

/** The first opening of a calendar, and everything that it waits for. */
export interface Opening {
  /** Unix milliseconds. */
  readonly openMs: number | undefined;
  /** In the order in which they are met; empty where the calendar is open at once. */
  readonly closings: readonly ClosedBy[];
}

/** How far ahead an opening is looked for. */
export const HORIZON_MS: number = durationMs("3653d");

/** How often cron is asked in one search; it takes about 30 µs each time. */
const MOST_QUESTIONS = 4000;

/**
 * The first instant from `fromMs` on at which the calendar is open: Unix milliseconds, exact.
 *
 * `undefined` when there is none within `HORIZON_MS`, or when some thousand openings were tried in vain: the windows of
 * channel and module then miss one another, day after day.
 */
export function openingFrom({ windowSets, freezes }: Calendar, fromMs: number): Opening {
  const asked = { times: 0 };
  const searches = windowSets.map((windowSet) => ({
    windowSet,
    opens: windowSet.windows.map((one) => searchOf(one, asked)),
  }));
  const met = new Map<Freeze | WindowSet, ClosedBy>();
  let atMs = fromMs;
  while (atMs <= fromMs + HORIZON_MS && asked.times <= MOST_QUESTIONS) {
    const triedMs = atMs;
    // Neither a freeze nor a set of windows lets anything pass before its own instant, so all wait for the last.
    const freeze = freezeAt(freezes, triedMs);
    if (freeze !== undefined) {
      atMs = freeze.untilMs;
      met.set(freeze, { kind: "freeze", freeze, atMs: triedMs });
    }
    for (const { windowSet, opens } of searches) {
      const openMs = opens.reduce((least, search) => Math.min(least, search(triedMs)), Infinity);
      atMs = Math.max(atMs, openMs);
      if (openMs > triedMs && !met.has(windowSet)) met.set(windowSet, { kind: "windows", windowSet, atMs: triedMs });
    }
    if (atMs === triedMs) return { openMs: atMs, closings: [...met.values()] };
  }
  return { openMs: undefined, closings: [...met.values()] };
}

function freezeAt(freezes: readonly Freeze[], atMs: number): Freeze | undefined {
  return freezes
    .filter(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)
    .reduce<Freeze | undefined>(
      (last, freeze) => (freeze.untilMs > (last?.untilMs ?? -Infinity) ? freeze : last),
      undefined,
    );
}

/** The first instant from one on at which `window` is open. The instants that it is asked for must not fall. */
function searchOf(window: PromotionWindow, asked: { times: number }): (atMs: number) => number {
  const openForMs = lengthMs(window);
  let openingMs = -Infinity;
  return (atMs) => {
    if (openingMs + openForMs <= atMs) {
      openingMs = opensAfter(window, atMs - openForMs);
      asked.times += 1;
    }
    return Math.max(atMs, openingMs);
  };
}
