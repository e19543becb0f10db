import { describe, expect, it, test } from "vitest";
import { opensAfter, type PromotionWindow } from "../../../src/promote/verdict/opening.ts";

const windowOf = (opens: string, openFor: string, timeZone = "Europe/Berlin"): PromotionWindow => ({
  opens,
  for: openFor,
  timeZone,
});

/** The first openings of a window after an instant, to the minute. */
const nextTimes = (window: PromotionWindow, from: string, count: number): readonly string[] => {
  const openings: string[] = [];
  let afterMs = Date.parse(from);
  while (openings.length < count) {
    afterMs = opensAfter(window, afterMs);
    openings.push(new Date(afterMs).toISOString().slice(0, 16));
  }
  return openings;
};

describe("a window where the clocks change", () => {
  test.each<[string, PromotionWindow, string, readonly string[]]>([
    [
      "opens when the clocks have jumped over its time, for its whole length",
      windowOf("30 2 * * *", "1h"),
      "2027-03-27T00:00:00Z",
      ["2027-03-27T01:30", "2027-03-28T01:00", "2027-03-29T00:30"],
    ],
    [
      "opens at two in the night, or at three where two is skipped",
      windowOf("0 2 * * *", "1h"),
      "2027-03-27T00:00:00Z",
      ["2027-03-27T01:00", "2027-03-28T01:00", "2027-03-29T00:00"],
    ],
    [
      "opens once, at the first two o'clock, where two comes twice",
      windowOf("0 2 * * *", "1h"),
      "2026-10-24T00:00:00Z",
      ["2026-10-25T00:00", "2026-10-26T01:00"],
    ],
    [
      "opens at each time of a list",
      windowOf("30 2,14 * * *", "1h"),
      "2027-03-28T00:00:00Z",
      ["2027-03-28T01:00", "2027-03-28T12:30", "2027-03-29T00:30"],
    ],
    [
      "opens in both repeated hours if its hour is a star",
      windowOf("30 * * * *", "10m"),
      "2026-10-24T23:40:00Z",
      ["2026-10-25T00:30", "2026-10-25T01:30", "2026-10-25T02:30"],
    ],
    [
      "supports summer time of half an hour",
      windowOf("0 2 * * *", "1h", "Australia/Lord_Howe"),
      "2026-10-02T20:00:00Z",
      ["2026-10-03T15:30", "2026-10-04T15:00"],
    ],
    [
      "does not open on the next day if the clocks skip its time and midnight",
      windowOf("30 23 * * *", "1h", "America/Nuuk"),
      "2027-03-26T12:00:00Z",
      ["2027-03-27T01:30", "2027-03-29T00:30"],
    ],
    [
      "supports zones with half and quarter hours",
      windowOf("0 8 * * *", "1h", "Asia/Kathmandu"),
      "2026-11-21T00:00:00Z",
      ["2026-11-21T02:15", "2026-11-22T02:15"],
    ],
  ])("%s", (_, window, from, openings) => {
    expect(nextTimes(window, from, openings.length)).toEqual(openings);
  });
});

describe("a cron", () => {
  test.each<[string, readonly string[]]>([
    ["0 8 * JAN MON", ["2027-01-04T08:00", "2027-01-11T08:00"]],
    ["0 8 * * mon-wed", ["2026-11-23T08:00", "2026-11-24T08:00"]],
    ["0 8 * * MON/4", ["2026-11-23T08:00", "2026-11-27T08:00"]],
    ["0 8 * * 7", ["2026-11-22T08:00", "2026-11-29T08:00"]],
    ["5/40 8 * * *", ["2026-11-21T08:05", "2026-11-21T08:45"]],
    ["0-30/20 8 * * *", ["2026-11-21T08:00", "2026-11-21T08:20"]],
    ["*/99 8 * * *", ["2026-11-21T08:00", "2026-11-22T08:00"]],
    ["0 8 */1 * 1", ["2026-11-23T08:00", "2026-11-30T08:00"]],
    ["0 8 24 * 1", ["2026-11-23T08:00", "2026-11-24T08:00"]], // day or weekday, as cron has it
    ["0 8 30 2 1", ["2027-02-01T08:00", "2027-02-08T08:00"]],
    ["0 0 29 2 *", ["2028-02-29T00:00", "2032-02-29T00:00"]],
    ["0 0 31 4,5 *", ["2027-05-31T00:00", "2028-05-31T00:00"]],
  ])("%s opens at %j", (opens, openings) => {
    expect(nextTimes(windowOf(opens, "1h", "UTC"), "2026-11-21T00:00:00Z", 2)).toEqual(openings);
  });

  test.each(["0 0 30 2 *", "0 0 31 4,6,9,11 *", "* * 31 SEP *"])("%s never opens", (opens) => {
    expect(opensAfter(windowOf(opens, "1h"), Date.parse("2026-11-21T00:00:00Z"))).toBe(Infinity);
  });

  it("does not open beyond the supported years", () => {
    expect(opensAfter(windowOf("0 8 * * *", "1h"), Date.parse("9999-12-31T23:00:00Z"))).toBe(Infinity);
  });
});
