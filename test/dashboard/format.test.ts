import { describe, expect, it } from "vitest";
import {
  age,
  countdown,
  instant,
  instantBeside,
  instantText,
  lengthText,
  numberText,
  percentText,
} from "../../src/dashboard/format.ts";

const NOW = Date.parse("2026-11-24T12:12:00Z");
const HOUR = 3_600_000;

/** With ordinary spaces. */
function plain(text: { toString(): string }): string {
  return text.toString().replace(/[\u00a0\u202f]/g, " ");
}

describe("numbers of a page", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [9874, "9 874"],
    [1_234_567, "1 234 567"],
  ])("writes %d as %s", (count, text) => {
    expect(plain(numberText(count))).toBe(text);
  });

  it.each([
    [0, "0 %"],
    [1, "100 %"],
    [0.923, "92.3 %"],
    [0.99999, "> 99.9 %"],
    [0.0001, "< 0.1 %"],
  ])("writes the share %d as %s, and some never as none or all", (share, text) => {
    expect(plain(percentText(share))).toBe(text);
  });

  it.each([
    [0, "0 s"],
    [59_999, "59 s"],
    [61_000, "1 min 1 s"],
    [121_000, "2 min"],
    [88 * 60_000, "1 h 28 min"],
    [24 * HOUR, "1 d"],
    [45.5 * HOUR, "1 d 21 h"],
  ])("writes %d ms as %s", (ms, text) => {
    expect(plain(lengthText(ms))).toBe(text);
  });
});

describe("times of a page", () => {
  it.each([
    ["2026-11-24T13:40:00Z", "13:40Z"],
    ["2026-12-07T07:00:00Z", "Mon 7 Dec, 07:00Z"],
    ["2025-12-07T07:00:00Z", "Sun 7 Dec 2025, 07:00Z"],
  ])("writes %s as %s, in UTC", (at, text) => {
    expect(plain(instantText(Date.parse(at), NOW))).toBe(text);
    expect(instant(Date.parse(at), NOW).toString()).toContain(`datetime="${at.replace("Z", ".000Z")}"`);
  });

  it("show the distance of an instant beside the instant", () => {
    expect(plain(instantBeside(NOW + 88 * 60_000, NOW))).toMatch(/^in 1 h 28 min, <time .*>13:40Z<\/time>$/);
    expect(plain(instantBeside(NOW - 14 * 60_000, NOW))).toMatch(/^14 min ago, <time .*>11:58Z<\/time>$/);
  });

  it("count down to an instant, until it is due", () => {
    expect(plain(countdown(NOW + HOUR, NOW))).toMatch(/ data-countdown>in 1 h</);
    expect(plain(countdown(NOW, NOW))).toMatch(/ data-countdown>due</);
  });

  it("show an age, even if clocks disagree", () => {
    expect(plain(age(NOW - HOUR, NOW))).toMatch(/ data-age>1 h</);
    expect(plain(age(NOW + HOUR, NOW))).toMatch(/ data-age>0 s</);
  });
});
