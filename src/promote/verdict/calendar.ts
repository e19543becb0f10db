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

/** Whether promotions may happen at an instant, and what keeps them. */
export type Stand =
  | { readonly kind: "open" }
  | {
      readonly kind: "closed";
      /** The freeze that is on; of several the one that ends last. */
      readonly freeze: Freeze | undefined;
      /** The sets of which no window is open. */
      readonly windowSets: readonly WindowSet[];
    };

/** How far ahead an opening is looked for. */
export const HORIZON_MS: number = durationMs("3653d");

/** How often cron is asked in one search; it takes about 30 µs each time. */
const MOST_QUESTIONS = 4000;

/** What the calendar says at `nowMs` (Unix milliseconds). */
export function standAt({ windowSets, freezes }: Calendar, nowMs: number): Stand {
  const freeze = freezeAt(freezes, nowMs);
  const closed = windowSets.filter(({ windows }) => !windows.some((window) => isOpen(window, nowMs)));
  if (freeze === undefined && closed.length === 0) return { kind: "open" };
  return { kind: "closed", freeze, windowSets: closed };
}

/**
 * The first instant from `fromMs` on at which the calendar is open: Unix milliseconds, exact.
 *
 * `undefined` when there is none within `HORIZON_MS`, or when some thousand openings were tried in vain: the windows of
 * channel and module then miss one another, day after day.
 */
export function nextOpening({ windowSets, freezes }: Calendar, fromMs: number): number | undefined {
  const asked = { times: 0 };
  const searches = windowSets.map(({ windows }) => windows.map((window) => searchOf(window, asked)));
  let atMs = fromMs;
  while (atMs <= fromMs + HORIZON_MS && asked.times <= MOST_QUESTIONS) {
    const triedMs = atMs;
    // Neither a freeze nor a set of windows lets anything pass before its own instant, so all wait for the last.
    const openMs = searches.map((set) => set.reduce((least, search) => Math.min(least, search(triedMs)), Infinity));
    atMs = Math.max(freezeAt(freezes, triedMs)?.untilMs ?? triedMs, ...openMs);
    if (atMs === triedMs) return atMs;
  }
  return undefined;
}

function freezeAt(freezes: readonly Freeze[], atMs: number): Freeze | undefined {
  return freezes
    .filter(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)
    .reduce<Freeze | undefined>(
      (last, freeze) => (freeze.untilMs > (last?.untilMs ?? -Infinity) ? freeze : last),
      undefined,
    );
}

function isOpen(window: PromotionWindow, atMs: number): boolean {
  // Open is what opened within its own length.
  return opensAfter(window, atMs - lengthMs(window)) <= atMs;
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
