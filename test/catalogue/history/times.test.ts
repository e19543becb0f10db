import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { believedTimes } from "../../../src/catalogue/history/dates.ts";

const NOW_MS = 1000;

function times(
  committed: readonly number[],
  merged: Readonly<Record<number, number>> = {},
  nowMs = NOW_MS,
): readonly number[] {
  return believedTimes(commitsAt(committed), mergesAt(merged), nowMs);
}

function commitsAt(committed: readonly number[]): Parameters<typeof believedTimes>[0] {
  return committed.map((committerMs, index) => ({ commit: String(index), committerMs }));
}

function mergesAt(merged: Readonly<Record<number, number>>): ReadonlyMap<string, { readonly atMs: number }> {
  return new Map(Object.entries(merged).map(([index, atMs]) => [index, { atMs }]));
}

const committed = fc.array(fc.integer({ min: 0, max: 1500 }), { maxLength: 12 });
const merged = fc.dictionary(fc.nat({ max: 11 }).map(String), fc.integer({ min: 0, max: 1500 }), { maxKeys: 5 });

describe("the time of a revision", () => {
  it("is the committer's, but not before the parent's", () => {
    expect(times([10, 30, 20, 40])).toEqual([10, 30, 30, 40]);
    expect(times([])).toEqual([]);
  });

  it("is the forge's if it merged the commit, even if that is earlier than the committer's or the parent's", () => {
    expect(times([10, 30, 20], { 0: 50, 2: 15 })).toEqual([50, 50, 15]);
    expect(times([30, 20], { 0: 5 })).toEqual([5, 20]);
  });

  it("is that of the next trusted revision when it is later than now, and does not limit later revisions", () => {
    expect(times([10, 5000, 20, 30])).toEqual([10, 20, 20, 30]);
    expect(times([10, 5000, 6000, 20])).toEqual([10, 20, 20, 20]);
    expect(times([10, 20], { 0: 9999 })).toEqual([20, 20]);
  });

  it("is now when no trusted revision follows, and now itself is trusted", () => {
    expect(times([10, 1001])).toEqual([10, 1000]);
    expect(times([1000, 5])).toEqual([1000, 1000]);
  });

  it("is never later than now", () => {
    fc.assert(
      fc.property(committed, merged, (commits, merges) => {
        expect(times(commits, merges).every((atMs) => atMs <= NOW_MS)).toBe(true);
      }),
    );
  });

  it("without a forge is never before that of the previous revision", () => {
    fc.assert(
      fc.property(committed, (commits) => {
        const found = times(commits);
        expect(found).toEqual([...found].sort((a, b) => a - b));
      }),
    );
  });

  it("does not change when commits follow, unless it was not trusted", () => {
    fc.assert(
      fc.property(committed, committed, merged, (first, more, merges) => {
        const before = times(first, merges);
        const last = before.findLastIndex((_, index) => (merges[index] ?? Number(first[index])) <= NOW_MS);
        expect(times([...first, ...more], merges).slice(0, last + 1)).toEqual(before.slice(0, last + 1));
      }),
    );
  });

  it("does not change as time passes, once it is trusted", () => {
    fc.assert(
      fc.property(committed, merged, fc.integer({ min: 1500, max: 9999 }), (commits, merges, laterMs) => {
        expect(times(commits, merges, laterMs)).toEqual(times(commits, merges, 1500));
      }),
    );
  });
});
