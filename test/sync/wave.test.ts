import { describe, expect, it } from "vitest";
import type { WaveCounts } from "../../src/fleet/wave.ts";
import { soakedMs, type WaveRecord } from "../../src/sync/plan/records.ts";
import { advanceWave, judgeSoak, percent } from "../../src/sync/plan/soak.ts";

const NOW = 1_000_000;
const HOUR = 3_600_000;
const counts = (failing: number, inOrder: number, more: Partial<WaveCounts> = {}): WaveCounts => {
  const examples = failing > 0 ? ["Kyma a"] : [];
  return { failing: { count: failing, examples }, inOrder, pending: 0, mayFail: 0, mostlySinceMs: undefined, ...more };
};
const RULE = { notWorseBy: 0.1, resumedMs: undefined };
/** A version that was applied a second ago. */
const applied = (baseline?: number): { readonly sinceMs: number; readonly baseline: number | undefined } => {
  return { sinceMs: NOW - 1_000, baseline };
};
const wave = (given: Partial<WaveRecord> = {}): WaveRecord => ({
  ...{ failing: 0, inOrder: 0, pending: 0, countedMs: NOW, baseline: 0 },
  ...{ soakedMs: 0, isInOrder: true, isResumed: false, halt: undefined },
  ...given,
});
const halt = { sinceMs: NOW - 50, reason: "it fails" };
const halted = (given: Partial<WaveRecord> = {}): WaveRecord => wave({ halt, isInOrder: false, ...given });

it.each([
  [0, "0%"],
  [1 / 30_000, "<0.01%"],
  [0.1234, "12.34%"],
  [29_999 / 30_000, ">99.99%"],
  [1, "100%"],
])("the share %d is printed as %s, which is nothing or all only if that is meant", (share, text) => {
  expect(percent(share)).toBe(text);
});

describe("a wave", () => {
  it("continues while the failing share does not grow beyond the tolerance", () => {
    const next = advanceWave(undefined, applied(0.2), counts(3, 7, { pending: 3 }), RULE, NOW);

    expect(next).toEqual(wave({ failing: 3, inOrder: 7, pending: 3, baseline: 0.2 }));
  });

  it("halts if more fail, and says how many and which", () => {
    const { halt: found, isInOrder } = advanceWave(undefined, applied(0.2), counts(4, 6), RULE, NOW);

    expect(isInOrder).toBe(false);
    expect(found).toEqual({
      sinceMs: NOW,
      reason: "4 users (Kyma a, …) of 10 fail; 20% failed before, and 10% more may",
    });
  });

  it("counts clusters that fail in the first count as failed before, without an earlier count", () => {
    const first = advanceWave(undefined, applied(), counts(5, 5), RULE, NOW);
    const second = advanceWave(first, applied(), counts(7, 3), RULE, NOW + 1);

    expect([first.baseline, first.halt, second.halt?.sinceMs]).toEqual([0.5, undefined, NOW + 1]);
  });

  it("stays halted when the clusters recover, and when it was resumed before the halt", () => {
    const before = halted({ baseline: 0.1 });
    const rule = { ...RULE, resumedMs: halt.sinceMs - 1 };

    for (const one of [rule, RULE])
      expect(advanceWave(before, applied(), counts(0, 9), one, NOW)).toEqual({ ...before, inOrder: 9 });
  });

  it("continues when a person resumes it: recorded failures are accepted, and the soak stood meanwhile", () => {
    const rule = { ...RULE, resumedMs: halt.sinceMs };
    const before = halted({ soakedMs: 7, failing: 4, inOrder: 6, countedMs: NOW - 9 });
    const resumed = advanceWave(before, applied(), counts(4, 6, { mostlySinceMs: NOW - 20 }), rule, NOW);
    const worse = advanceWave(resumed, applied(), counts(7, 3), rule, NOW + 1);

    expect(resumed).toEqual(wave({ failing: 4, inOrder: 6, baseline: 0.4, soakedMs: 7, isResumed: true }));
    expect(worse.halt?.sinceMs).toBe(NOW + 1);
  });

  it("halts anew if more fail than the person who resumed it was able to see", () => {
    const rule = { ...RULE, resumedMs: halt.sinceMs };
    const before = halted({ failing: 1, inOrder: 9 });
    const { halt: found } = advanceWave(before, applied(), counts(4, 6), rule, NOW);

    expect(found?.reason).toContain("10% failed before");
  });
});

describe("the soak of a wave", () => {
  const LATER = NOW + 10 * HOUR;
  const soakedAfter = (before: WaveRecord | undefined, one: WaveCounts, nowMs: number, baseline?: number): number =>
    advanceWave(before, { sinceMs: NOW, baseline: baseline ?? 0 }, one, RULE, nowMs).soakedMs;

  it.each<[string, WaveRecord | undefined, WaveCounts, number, number]>([
    ["runs between two counts in order", wave({ soakedMs: 5 }), counts(0, 3), NOW + 100, 105],
    ["runs without clusters", undefined, counts(0, 0, { mostlySinceMs: -Infinity }), NOW + 100, 100],
    ["stands with half of the clusters in order", wave(), counts(0, 1, { pending: 1 }), NOW + 100, 0],
    ["stands while too many clusters may fail", wave(), counts(0, 8, { pending: 2, mayFail: 2 }), NOW + 100, 0],
    ["runs while few may", wave(), counts(0, 9, { pending: 1, mayFail: 1 }), NOW + 100, 100],
    ["stands in the first count, whose clusters have no known time", undefined, counts(0, 3), NOW + 100, 0],
    ["runs since most clusters have it", undefined, counts(0, 3, { mostlySinceMs: NOW + 60 }), NOW + 100, 40],
    ["stands between counts far from each other, without times", wave(), counts(0, 3), LATER, 0],
    [
      "runs between counts far from each other if most clusters had it all along",
      wave({ soakedMs: 5 }),
      counts(0, 3, { mostlySinceMs: NOW - 60 }),
      LATER,
      LATER - NOW + 5,
    ],
    ["runs since they have it again", wave(), counts(0, 3, { mostlySinceMs: LATER - 60 }), LATER, 60],
    [
      "runs since it is in order again, although most clusters had it",
      wave({ isInOrder: false }),
      counts(0, 3, { mostlySinceMs: NOW - 60 }),
      NOW + 100,
      0,
    ],
    ["loses nothing to a clock that goes back", wave({ soakedMs: 5 }), counts(0, 3), NOW - 100, 5],
  ])("%s", (_, before, one, nowMs, soaked) => {
    expect(soakedAfter(before, one, nowMs)).toBe(soaked);
  });

  it("stands if some fail, and it is unknown how many failed before", () => {
    const after = (one: WaveCounts): boolean => advanceWave(wave({ baseline: 1 }), applied(), one, RULE, NOW).isInOrder;

    expect([after(counts(1, 9)), after(counts(2, 8))]).toEqual([true, false]);
  });
});

describe("a version", () => {
  const served = (one?: WaveRecord): { sinceMs: number; wave: WaveRecord | undefined } => ({
    sinceMs: NOW - 100,
    wave: one,
  });

  it.each<[string, WaveRecord | undefined, number, object]>([
    ["without a controller soaks by its age", undefined, 100, { kind: "soaked", users: "unknown" }],
    ["without a controller soaks until its time is over", undefined, 101, { kind: "soaking", untilMs: NOW + 1 }],
    ["soaks until it was in order for long enough", wave({ soakedMs: 95 }), 100, { kind: "soaking", untilMs: NOW + 5 }],
    ["does not soak while it is halted", halted(), 0, { kind: "halted", halt }],
    ["without clusters passes", wave({ soakedMs: 100 }), 100, { kind: "soaked", users: "none" }],
    [
      "passes with most clusters in order",
      wave({ inOrder: 2, pending: 1, soakedMs: 100 }),
      100,
      { kind: "soaked", users: "in order" },
    ],
    [
      "does not pass before its clusters were counted",
      wave({ countedMs: NOW - 1, soakedMs: 99 }),
      100,
      { kind: "uncounted", why: "early" },
    ],
    [
      "passes with a count by a clock that is a little ahead",
      wave({ countedMs: NOW + 60_000, soakedMs: 100 }),
      100,
      { kind: "soaked" },
    ],
    [
      "does not pass with a count from the future",
      wave({ countedMs: NOW + 60_001, soakedMs: 100 }),
      100,
      { kind: "uncounted", why: "ahead" },
    ],
    ["stalls while it is not in order", wave({ inOrder: 1, pending: 1, isInOrder: false }), 100, { kind: "stalled" }],
    [
      "stalls while it is not in order, also after its time",
      wave({ inOrder: 1, pending: 1, soakedMs: 100, isInOrder: false }),
      100,
      { kind: "stalled" },
    ],
    [
      "is not compared if it is unknown how many clusters failed before",
      wave({ failing: 1, inOrder: 3, isInOrder: false }),
      100,
      { kind: "uncompared" },
    ],
  ])("%s", (_, one, soakMs, expected) => {
    expect(judgeSoak(served(one), soakMs, NOW)).toMatchObject(expected);
  });

  it("does not pass once its controller has counted nothing for two hours", () => {
    const pass = { kind: "soaked", users: "none" };
    const one = served(wave({ soakedMs: 100 }));

    expect(judgeSoak(one, 100, NOW + 2 * HOUR)).toEqual(pass);
    expect(judgeSoak(one, 100, NOW + 2 * HOUR + 1)).toEqual({ kind: "uncounted", sinceMs: NOW, why: "old" });
  });

  it.each<[string, WaveRecord, number]>([
    ["for as long as it was in order", wave({ soakedMs: 70, inOrder: 1 }), 70],
    ["not at all if it was halted", halted({ soakedMs: 70 }), 0],
    ["not at all if it was not in order at last", wave({ soakedMs: 70, isInOrder: false }), 0],
  ])("of the past had soaked %s", (_, one, expected) => {
    expect(soakedMs(served(one), NOW, 0)).toBe(expected);
  });

  it("without a controller had soaked all the time, unless more clusters failed at its end than before it", () => {
    const soaked = (baseline: number | undefined, failedAtEnd: number | undefined): number =>
      soakedMs({ ...served(undefined), baseline }, NOW, failedAtEnd);

    expect([soaked(undefined, 0), soaked(0.2, 0.2)]).toEqual([100, 100]);
    expect([soaked(undefined, 0.1), soaked(0.2, 0.3), soaked(0.2, undefined)]).toEqual([0, 0, 0]);
  });
});
