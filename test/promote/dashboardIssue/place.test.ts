import { describe, expect, it } from "vitest";
import type { BoardIssue } from "../../../src/ports.ts";
import { MARK, cacheLine, readCache } from "../../../src/promote/dashboardIssue/cache.ts";
import { duplicateText, dashboardPlace } from "../../../src/promote/dashboardIssue/place.ts";

function issue(number: number, more: Partial<BoardIssue> = {}): BoardIssue {
  const text = { title: "Promotion", body: `${MARK}\n…` };
  return { number, url: "", ...text, isOpen: true, isOwn: true, author: "release-train", ...more };
}

const theirs = { isOwn: false, author: "a-stranger" };

describe("the place of the dashboard", () => {
  it("is the oldest issue that is open and ours; others are duplicates", () => {
    const [closed, older, newer] = [issue(1, { isOpen: false }), issue(2), issue(3, { body: "" })];

    expect(dashboardPlace([closed, older, newer])).toEqual({ kind: "open", issue: older, others: [newer] });
    expect(dashboardPlace([issue(1, theirs), newer])).toEqual({ kind: "open", issue: newer, others: [] });
  });

  it("is closed if a person closed it, but not if this program closed a duplicate", () => {
    const closed = issue(2, { isOpen: false });
    const double = issue(3, { isOpen: false, ...duplicateText(issue(3), issue(2)) });

    expect(dashboardPlace([closed, double])).toEqual({ kind: "closed", issue: closed });
    expect(dashboardPlace([double])).toEqual({ kind: "missing" });
  });

  it("is foreign if another person's issue looks like it", () => {
    const foreign = issue(1, theirs);

    expect(dashboardPlace([foreign])).toEqual({ kind: "foreign", issue: foreign });
    expect(
      dashboardPlace([issue(1, { ...theirs, body: `See ${MARK}` }), issue(2, { ...theirs, isOpen: false })]),
    ).toEqual({
      kind: "missing",
    });
  });
});

describe("the hidden data of a dashboard", () => {
  it("is read as it was written, whatever line ends a forge makes", () => {
    const cache = { told: new Set(["0123456789abcdef", "fedcba9876543210"]), seen: new Map([["regular/istio", 12]]) };

    expect(readCache(`text\n${cacheLine(cache)}`)).toEqual(cache);
    expect(readCache(`text\r\n${cacheLine(cache)}\r\n`)).toEqual(cache);
  });

  it("is empty if a person removed it", () => {
    expect(readCache("text")).toEqual({ told: new Set(), seen: new Map() });
  });
});
