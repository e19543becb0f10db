import { describe, expect, it, test } from "vitest";
import { openingFrom, type Calendar, type Opening, type Freeze } from "../../../src/promote/verdict/calendar.ts";
import type { PromotionWindow } from "../../../src/promote/verdict/opening.ts";

const WORKDAYS: PromotionWindow = { opens: "0 8 * * 1-4", for: "8h", timeZone: "Europe/Berlin" };

const windowOf = (opens: string, openFor: string, timeZone = "Europe/Berlin"): PromotionWindow => ({
  opens,
  for: openFor,
  timeZone,
});

const freezeOf = (from: string, until: string, reason = "year-end"): Freeze => ({
  fromMs: Date.parse(from),
  untilMs: Date.parse(until),
  reason,
  statedBy: "channel",
  index: 0,
});

const calendarOf = (windows: readonly PromotionWindow[], freezes: readonly Freeze[] = []): Calendar => ({
  windowSets: windows.length === 0 ? [] : [{ statedBy: "channel", windows }],
  freezes,
});

const ofBoth = (channel: readonly PromotionWindow[], module: readonly PromotionWindow[]): Calendar => ({
  windowSets: [
    { statedBy: "channel", windows: channel },
    { statedBy: "module", windows: module },
  ],
  freezes: [],
});

const next = (calendar: Calendar, from: string): string | undefined => {
  const { openMs } = openingFrom(calendar, Date.parse(from));
  return openMs === undefined ? undefined : new Date(openMs).toISOString();
};

/** The causes that delay the next opening. */
const closings = (calendar: Calendar, from: string): Opening["closings"] =>
  openingFrom(calendar, Date.parse(from)).closings;

const isOpen = (calendar: Calendar, at: string): boolean => closings(calendar, at).length === 0;

describe("a calendar", () => {
  it("without windows is always open", () => {
    expect(openingFrom(calendarOf([]), 1_234_567_890_123)).toEqual({ openMs: 1_234_567_890_123, closings: [] });
  });

  test.each([
    ["2026-11-19T06:59:59.999Z", false], // Thursday
    ["2026-11-19T07:00:00.000Z", true],
    ["2026-11-19T07:00:00.001Z", true],
    ["2026-11-19T14:59:59.999Z", true],
    ["2026-11-19T15:00:00.000Z", false],
    ["2026-11-20T10:00:00.000Z", false], // Friday
  ])("is open from the opening to the end of its window: at %s %s", (at, isOpenThen) => {
    expect(isOpen(calendarOf([WORKDAYS]), at)).toBe(isOpenThen);
    expect(next(calendarOf([WORKDAYS]), at) === at).toBe(isOpenThen);
  });

  it("lists the closed sets of windows", () => {
    const calendar = ofBoth([WORKDAYS], [windowOf("0 0 * * *", "12h", "UTC")]);
    const [channel, module] = calendar.windowSets;
    const [noon, midnight] = ["2026-11-19T13:00:00Z", "2026-11-20T00:00:00Z"].map((text) => Date.parse(text));
    // At midnight the module would, and Friday is not a workday of the channel; on Monday both are open.
    expect(closings(calendar, "2026-11-19T13:00:00Z")).toEqual([
      { kind: "windows", windowSet: module, atMs: noon },
      { kind: "windows", windowSet: channel, atMs: midnight },
    ]);
  });

  it("lists the causes that delay the opening, each once, in order of time", () => {
    const [first, second] = [
      freezeOf("2026-11-23T00:00:00Z", "2026-11-24T12:00:00Z"),
      freezeOf("2026-11-24T00:00:00Z", "2026-11-24T20:00:00Z"),
    ];
    const calendar = calendarOf([WORKDAYS], [first, second]);
    expect(closings(calendar, "2026-11-23T10:00:00Z")).toEqual([
      { kind: "freeze", freeze: first, atMs: Date.parse("2026-11-23T10:00:00Z") },
      { kind: "freeze", freeze: second, atMs: first.untilMs },
      { kind: "windows", windowSet: calendar.windowSets[0], atMs: second.untilMs },
    ]);
    expect(next(calendar, "2026-11-23T10:00:00Z")).toBe("2026-11-25T07:00:00.000Z");
  });

  it("needs an open window in each set", () => {
    const [early, late] = [windowOf("0 6 * * *", "3h", "UTC"), windowOf("0 20 * * *", "3h", "UTC")];
    expect(next(calendarOf([late, early]), "2026-11-19T10:00:00Z")).toBe("2026-11-19T20:00:00.000Z");
    expect(next(ofBoth([early, late], [windowOf("30 8 * * *", "4h", "UTC")]), "2026-11-19T10:00:00Z")).toBe(
      "2026-11-20T08:30:00.000Z",
    );
  });

  it("is always open when a window is longer than its period", () => {
    for (const openFor of ["25h", "1440m", "999999d"]) {
      expect(next(calendarOf([windowOf("0 8 * * *", openFor, "UTC")]), "2026-11-19T07:59:59.999Z")).toBe(
        "2026-11-19T07:59:59.999Z",
      );
    }
  });

  it("keeps a leap day's window of thirty years open", () => {
    expect(isOpen(calendarOf([windowOf("0 0 29 2 *", "10957d")]), "2027-02-28T00:00:00Z")).toBe(true);
  });
});

describe("a freeze", () => {
  const yearEnd = freezeOf("2026-12-18T00:00:00Z", "2027-01-04T10:15:00.250Z");

  it("closes from its first moment to the one before its end, and tells why", () => {
    const calendar = calendarOf([], [yearEnd]);
    expect(isOpen(calendar, "2026-12-17T23:59:59.999Z")).toBe(true);
    expect(openingFrom(calendar, yearEnd.fromMs).closings).toEqual([
      { kind: "freeze", freeze: yearEnd, atMs: yearEnd.fromMs },
    ]);
    expect(isOpen(calendar, "2027-01-04T10:15:00.249Z")).toBe(false);
    expect(isOpen(calendar, "2027-01-04T10:15:00.250Z")).toBe(true);
  });

  it("opens to the millisecond if it ends within a window", () => {
    expect(next(calendarOf([WORKDAYS], [yearEnd]), "2026-12-20T00:00:00Z")).toBe("2027-01-04T10:15:00.250Z");
  });

  it("opens at once if it ends as a window opens, but not if it ends as one closes", () => {
    const until = (instant: string): Calendar => calendarOf([WORKDAYS], [freezeOf("2026-12-18T00:00:00Z", instant)]);
    expect(next(until("2027-01-04T07:00:00Z"), "2026-12-20T00:00:00Z")).toBe("2027-01-04T07:00:00.000Z");
    expect(next(until("2027-01-04T15:00:00Z"), "2026-12-20T00:00:00Z")).toBe("2027-01-05T07:00:00.000Z");
  });

  it("is merged with overlapping ones, and the one that ends last is named", () => {
    const first = freezeOf("2026-12-01T00:00:00Z", "2026-12-10T00:00:00Z", "first");
    const second = freezeOf("2026-12-05T00:00:00Z", "2026-12-20T00:00:00Z", "second");
    const inside = freezeOf("2026-12-06T00:00:00Z", "2026-12-07T00:00:00Z", "inside");
    const calendar = calendarOf([], [first, second, inside, freezeOf("2026-12-20T00:00:00Z", "2026-12-21T00:00:00Z")]);
    expect(next(calendar, "2026-12-02T00:00:00Z")).toBe("2026-12-21T00:00:00.000Z");
    expect(closings(calendar, "2026-12-06T12:00:00Z")[0]).toMatchObject({ freeze: { reason: "second" } });
  });

  it("closes nothing if it ends before or when it begins", () => {
    const backwards = freezeOf("2027-01-04T00:00:00Z", "2026-12-18T00:00:00Z");
    const empty = freezeOf("2026-12-20T00:00:00Z", "2026-12-20T00:00:00Z");
    expect(next(calendarOf([], [backwards, empty]), "2026-12-20T00:00:00Z")).toBe("2026-12-20T00:00:00.000Z");
  });

  it("works before 1970", () => {
    expect(isOpen(calendarOf([], [freezeOf("1960-01-01T00:00:00Z", "1961-01-01T00:00:00Z")]), "1960-06-01")).toBe(
      false,
    );
  });
});

describe("a window where the clocks change", () => {
  it("stays open for its length when the clocks go forward or back", () => {
    const night = windowOf("0 0 * * *", "4h");
    expect(isOpen(calendarOf([night]), "2027-03-28T02:59:59.999Z")).toBe(true); // five in the morning, all but
    expect(isOpen(calendarOf([night]), "2027-03-28T03:00:00.000Z")).toBe(false);
    expect(isOpen(calendarOf([night]), "2026-10-25T01:59:59.999Z")).toBe(true); // three in the morning, all but
    expect(isOpen(calendarOf([night]), "2026-10-25T02:00:00.000Z")).toBe(false);
  });

  it("opens at the first moment after an hour that is skipped", () => {
    const calendar = calendarOf([windowOf("30 2 * * *", "1h")]);
    expect(next(calendar, "2027-03-28T00:50:00.000Z")).toBe("2027-03-28T01:00:00.000Z"); // three in the morning
  });

  it("closes an hour after the first two o'clock, so the second stays closed", () => {
    const calendar = calendarOf([windowOf("0 2 * * *", "1h")]);
    expect(isOpen(calendar, "2026-10-25T00:59:59.999Z")).toBe(true);
    expect(isOpen(calendar, "2026-10-25T01:30:00.000Z")).toBe(false);
  });
});

describe("an opening", () => {
  const everyMinute = windowOf("* * * * *", "1m");

  it("is not found if the cron never opens", () => {
    const calendar = calendarOf([windowOf("0 0 30 2 *", "1h")]);
    expect(next(calendar, "2026-11-21T00:00:00Z")).toBeUndefined();
    expect(isOpen(calendar, "2026-11-21T00:00:00Z")).toBe(false);
  });

  it("is not found under a freeze of a hundred years", () => {
    const century = freezeOf("2026-01-01T00:00:00Z", "2126-01-01T00:00:00Z");
    expect(next(calendarOf([everyMinute], [century]), "2026-11-21T00:00:00Z")).toBeUndefined();
  });

  it("is found after a freeze of nine years", () => {
    const years = freezeOf("2026-01-01T00:00:00Z", "2035-01-01T00:00:00.007Z");
    expect(next(calendarOf([everyMinute], [years]), "2026-11-21T00:00:00Z")).toBe("2035-01-01T00:00:00.007Z");
  });

  it("is not found if the windows of channel and module never overlap", () => {
    const calendar = ofBoth([windowOf("*/2 * * * *", "1m")], [windowOf("1-59/2 * * * *", "1m")]);
    expect(next(calendar, "2026-11-21T00:00:00Z")).toBeUndefined();
  });

  it("is found among a thousand windows", () => {
    const windows = Array.from({ length: 1000 }, (_, index) =>
      windowOf(`${index % 60} ${index % 24} ${(index % 28) + 1} 3 *`, "1m", "UTC"),
    );
    const never = Array.from({ length: 1000 }, (_, index) => windowOf(`${index % 60} 0 30 2 *`, "1m"));
    expect(next(calendarOf([...never, ...windows]), "2026-11-21T00:00:00Z")).toBe("2027-03-01T00:00:00.000Z");
  });
});
