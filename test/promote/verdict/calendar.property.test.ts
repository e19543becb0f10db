import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { durationMs } from "../../../src/catalogue/policy.ts";
import { openingFrom, type Calendar, type Freeze } from "../../../src/promote/verdict/calendar.ts";
import type { PromotionWindow } from "../../../src/promote/verdict/opening.ts";
import { openingsOf } from "./wallClock.ts";
import { tries } from "../../support/tries.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const inField = (least: number, last: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.integer({ min: least, max: last }).map(String),
    fc
      .tuple(fc.integer({ min: least, max: last }), fc.integer({ min: least, max: last }))
      .map((ends) => `${Math.min(...ends)}-${Math.max(...ends)}`),
    fc.uniqueArray(fc.integer({ min: least, max: last }), { minLength: 1, maxLength: 3 }).map((all) => all.join(",")),
    fc.integer({ min: 2, max: 99 }).map((step) => `*/${step}`),
    fc.tuple(fc.integer({ min: least, max: last }), fc.integer({ min: 1, max: 9 })).map((all) => all.join("/")),
  );

const star = fc.constant("*");
const opens = fc
  .tuple(
    fc.oneof(inField(0, 59), fc.constantFrom("0", "30", "*")),
    // most clocks change between midnight and four
    fc.oneof(inField(0, 23), inField(0, 4), fc.constantFrom("1", "2", "0-3", "2,3", "*")),
    fc.oneof({ weight: 4, arbitrary: star }, { weight: 1, arbitrary: inField(1, 31) }),
    fc.oneof({ weight: 6, arbitrary: star }, { weight: 1, arbitrary: inField(1, 12) }),
    fc.oneof({ weight: 2, arbitrary: star }, { weight: 1, arbitrary: inField(0, 7) }),
  )
  .map((fields) => fields.join(" "));

// a day near a change of the clocks in the zone, and some where they never change
const placesAndTimes = fc.constantFrom(
  ["Europe/Berlin", "2027-03-28"],
  ["Europe/Berlin", "2026-10-25"],
  ["America/New_York", "2027-03-14"],
  ["America/New_York", "2026-11-01"],
  ["America/St_Johns", "2026-11-01"],
  ["America/Santiago", "2026-09-06"],
  ["Africa/Cairo", "2027-04-30"],
  ["Australia/Lord_Howe", "2026-10-04"],
  ["Australia/Lord_Howe", "2027-04-04"],
  ["Antarctica/Troll", "2027-03-28"],
  ["Asia/Kathmandu", "2026-12-31"],
  ["Asia/Kolkata", "2028-02-29"],
  ["UTC", "2026-11-21"],
);

const windowIn = (timeZone: string): fc.Arbitrary<PromotionWindow> =>
  fc.record({
    opens,
    for: fc.oneof(
      fc.integer({ min: 1, max: 90 }).map((minutes) => `${minutes}m`),
      fc.integer({ min: 1, max: 30 }).map((hours) => `${hours}h`),
    ),
    timeZone: fc.constant(timeZone),
  });

const freezeNear = (middleMs: number): fc.Arbitrary<Freeze> =>
  fc.record({
    fromMs: fc.integer({ min: -5 * DAY_MS, max: 5 * DAY_MS }).map((ms) => middleMs + ms),
    untilMs: fc.integer({ min: -5 * DAY_MS, max: 5 * DAY_MS }).map((ms) => middleMs + ms),
    reason: fc.constant("a fair"),
    statedBy: fc.constant("channel" as const),
    index: fc.constant(0),
  });

interface Case {
  readonly calendar: Calendar;
  readonly middleMs: number;
  readonly atMs: number;
}

const cases: fc.Arbitrary<Case> = placesAndTimes.chain(([timeZone = "", day = ""]) => {
  const middleMs = Date.parse(day);
  const set = fc.array(windowIn(timeZone), { minLength: 1, maxLength: 3 });
  return fc.record({
    calendar: fc.record({
      windowSets: fc
        .array(set, { maxLength: 2 })
        .map((sets) => sets.map((windows) => ({ statedBy: "channel" as const, windows }))),
      freezes: fc.array(freezeNear(middleMs), { maxLength: 2 }),
    }),
    middleMs: fc.constant(middleMs),
    atMs: fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS }).map((ms) => middleMs + ms),
  });
});

const nextOpening = (calendar: Calendar, atMs: number): number | undefined => openingFrom(calendar, atMs).openMs;
const isOpenAt = (calendar: Calendar, atMs: number): boolean => openingFrom(calendar, atMs).closings.length === 0;

/** The whole minutes of `[fromMs, untilMs)`, and for each whether some window of every set is open. */
function openMinutes({ windowSets }: Calendar, fromMs: number, untilMs: number): readonly boolean[] {
  const sets = windowSets.map(({ windows }) => {
    const isOpen = new Set<number>();
    for (const window of windows) {
      const openForMs = durationMs(window.for);
      for (const openingMs of openingsOf(window.opens, window.timeZone, fromMs - openForMs, untilMs)) {
        for (let atMs = openingMs; atMs < openingMs + openForMs; atMs += MINUTE_MS) isOpen.add(atMs);
      }
    }
    return isOpen;
  });
  const minutes = Array.from({ length: (untilMs - fromMs) / MINUTE_MS }, (_, index) => fromMs + index * MINUTE_MS);
  return minutes.map((atMs) => sets.every((set) => set.has(atMs)));
}

describe("any calendar", () => {
  it("is open at its next opening but not a millisecond before, and consistent at every instant", () => {
    fc.assert(
      fc.property(cases, ({ calendar, atMs }) => {
        const openingMs = nextOpening(calendar, atMs);
        expect(isOpenAt(calendar, atMs)).toBe(openingMs === atMs);
        if (openingMs === undefined) return;
        expect(openingMs).toBeGreaterThanOrEqual(atMs);
        expect(isOpenAt(calendar, openingMs)).toBe(true);
        if (openingMs > atMs) expect(isOpenAt(calendar, openingMs - 1)).toBe(false);
        expect(nextOpening(calendar, openingMs)).toBe(openingMs);
        expect(nextOpening(calendar, Math.floor((atMs + openingMs) / 2))).toBe(openingMs);
      }),
      tries(40),
    );
  });

  it("opens no earlier with one more freeze or one more set of windows", () => {
    fc.assert(
      fc.property(cases, cases, ({ calendar, atMs }, { calendar: other }) => {
        const both = {
          windowSets: [...calendar.windowSets, ...other.windowSets],
          freezes: [...calendar.freezes, ...other.freezes],
        };
        expect(nextOpening(both, atMs) ?? Infinity).toBeGreaterThanOrEqual(nextOpening(calendar, atMs) ?? Infinity);
      }),
      tries(25),
    );
  });

  it("is open in the minutes of the local clock, around clock changes", () => {
    fc.assert(
      fc.property(cases, ({ calendar: { windowSets }, middleMs }) => {
        const [fromMs, untilMs] = [middleMs - 2 * DAY_MS, middleMs + 3 * DAY_MS];
        const calendar = { windowSets, freezes: [] };
        const minutes = openMinutes(calendar, fromMs, untilMs);
        minutes.forEach((isOpen, index) => {
          const atMs = fromMs + index * MINUTE_MS;
          const isEdge = isOpen !== minutes[index - 1];
          if (isEdge || index % 37 === 0) expect([isOpenAt(calendar, atMs), atMs]).toEqual([isOpen, atMs]);
          const nextIndex = minutes.indexOf(true, index);
          if (!isEdge || isOpen || nextIndex < 0) return;
          expect(nextOpening(calendar, atMs)).toBe(fromMs + nextIndex * MINUTE_MS);
        });
      }),
      tries(10),
    );
  });
});
