import { durationMs } from "../../catalogue/policy.ts";
import { lengthMs, opensAfter, type PromotionWindow } from "./opening.ts";

/** The origin of a demand: the channel, or the module in its own policy for the channel. */
export type StatedBy = "channel" | "module";

/**
 * A period without promotions: `[fromMs, untilMs)`, Unix milliseconds. One that ends before it begins does not close
 * the calendar; a verdict blocks on it.
 */
export interface Freeze {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly reason: string;
  readonly statedBy: StatedBy;
  /** Its index in `freezes` of the file that states it. */
  readonly index: number;
}

/** Windows, at least one, of which one must be open. */
export interface WindowSet {
  readonly statedBy: StatedBy;
  readonly windows: readonly PromotionWindow[];
}

/** The times for promotions: while each of the sets has an open window, and no freeze is active. Empty: always. */
export interface Calendar {
  readonly windowSets: readonly WindowSet[];
  readonly freezes: readonly Freeze[];
}

/** A cause that keeps a calendar closed, and the first instant at which it does. Unix milliseconds. */
export type ClosedBy = { readonly atMs: number } & (
  | { readonly kind: "freeze"; readonly freeze: Freeze }
  /** None of the windows is open. */
  | { readonly kind: "windows"; readonly windowSet: WindowSet }
);

/** The first opening of a calendar, and the causes that delay it. */
export interface Opening {
  /** Unix milliseconds. */
  readonly openMs: number | undefined;
  /** In the order of their instants; empty if the calendar is open at once. */
  readonly closings: readonly ClosedBy[];
}

/** How far ahead to search for an opening. */
const HORIZON_MS: number = durationMs("3653d");

/** The most evaluations of cron in one search; each takes about 30 µs. */
const MOST_QUESTIONS = 4000;

/**
 * The first instant from `fromMs` on at which the calendar is open: Unix milliseconds, exact.
 *
 * `undefined` if there is none within `HORIZON_MS`, or after some thousand attempts: then the windows of channel and
 * module miss each other, day after day.
 */
export function openingFrom({ windowSets, freezes }: Calendar, fromMs: number): Opening {
  const asked = { times: 0 };
  const searches = windowSets.map((windowSet) => ({
    windowSet,
    opens: windowSet.windows.map((one) => windowSearch(one, asked)),
  }));
  const met = new Map<Freeze | WindowSet, ClosedBy>();
  let atMs = fromMs;
  while (atMs <= fromMs + HORIZON_MS && asked.times <= MOST_QUESTIONS) {
    const triedMs = atMs;
    // No freeze and no set of windows opens before its own instant, so the latest of them decides.
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

/**
 * A search for the first instant at or after a given one at which `window` is open. The given instants must not
 * decrease.
 */
function windowSearch(window: PromotionWindow, asked: { times: number }): (atMs: number) => number {
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
