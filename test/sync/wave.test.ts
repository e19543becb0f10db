import { describe, expect, it } from "vitest";
import type { WaveCounts } from "../../src/fleet/wave.ts";
import { advanceWave, judgeSoak, percent, soakedMs, type WaveRecord } from "../../src/sync/plan/wave.ts";

const NOW = 1_000_000;
const HOUR = 3_600_000;
const counts = (failing: number, inOrder: number, pending = 0): WaveCounts => {
  return { failing: { count: failing, examples: failing > 0 ? ["Kyma a"] : [] }, inOrder, pending };
};
const RULE = { notWorseBy: 0.1, resumedMs: undefined };
const wave = (given: Partial<WaveRecord> = {}): WaveRecord => ({
  ...{ failing: 0, inOrder: 0, pending: 0, countedMs: NOW, baseline: 0, stoodMs: 0, halt: undefined },
  ...given,
});
const halt = { sinceMs: NOW - 50, reason: "it fails" };

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
    const next = advanceWave(undefined, 0.2, counts(3, 7, 5), RULE, NOW);

    expect(next).toEqual(wave({ failing: 3, inOrder: 7, pending: 5, baseline: 0.2 }));
  });

  it("halts if more fail, and says how many and which", () => {
    const { halt: found } = advanceWave(undefined, 0.2, counts(4, 6), RULE, NOW);

    expect(found).toEqual({
      sinceMs: NOW,
      reason: "4 users (Kyma a, …) of 10 fail; 20% failed before, and 10% more may",
    });
  });

  it("counts clusters that fail in the first count as failed before, without an earlier count", () => {
    const first = advanceWave(undefined, undefined, counts(5, 5), RULE, NOW);
    const second = advanceWave(first, undefined, counts(7, 3), RULE, NOW + 1);

    expect([first.baseline, first.halt, second.halt?.sinceMs]).toEqual([0.5, undefined, NOW + 1]);
  });

  it("stays halted when the clusters recover, and when it was resumed before the halt", () => {
    const halted = wave({ halt, baseline: 0.1 });
    const rule = { ...RULE, resumedMs: halt.sinceMs - 1 };

    expect(advanceWave(halted, undefined, counts(0, 9), rule, NOW)).toEqual({ ...halted, inOrder: 9 });
    expect(advanceWave(halted, undefined, counts(0, 9), RULE, NOW)).toEqual({ ...halted, inOrder: 9 });
  });

  it("continues when a person resumes it: recorded failures are accepted, and the soak stopped meanwhile", () => {
    const rule = { ...RULE, resumedMs: halt.sinceMs };
    const halted = wave({ halt, stoodMs: 7, failing: 5, inOrder: 5 });
    const resumed = advanceWave(halted, undefined, counts(5, 5), rule, NOW);
    const worse = advanceWave(resumed, undefined, counts(7, 3), rule, NOW + 1);

    expect(resumed).toEqual(wave({ failing: 5, inOrder: 5, baseline: 0.5, stoodMs: 57 }));
    expect(worse.halt?.sinceMs).toBe(NOW + 1);
  });

  it("does not soak for less time because its halt was dated by a clock that was ahead", () => {
    const ahead = { ...halt, sinceMs: NOW + 1_000 };
    const resumed = advanceWave(
      wave({ halt: ahead }),
      undefined,
      counts(0, 1),
      { ...RULE, resumedMs: NOW + 1_000 },
      NOW,
    );

    expect(resumed).toMatchObject({ halt: undefined, stoodMs: 0 });
  });

  it("halts anew if more fail than the person who resumed it was able to see", () => {
    const rule = { ...RULE, resumedMs: halt.sinceMs };
    const { halt: found } = advanceWave(wave({ halt, failing: 1, inOrder: 9 }), undefined, counts(4, 6), rule, NOW);

    expect(found?.reason).toContain("10% failed before");
  });
});

describe("a version", () => {
  const served = (one?: WaveRecord): { sinceMs: number; wave: WaveRecord | undefined } => ({
    sinceMs: NOW - 100,
    wave: one,
  });

  it.each<[string, WaveRecord | undefined, number, object]>([
    ["without a controller soaks by its age", undefined, 100, { kind: "soaked", users: "unknown" }],
    ["soaks until its time is over", undefined, 101, { kind: "soaking", untilMs: NOW + 1 }],
    ["soaks longer by the time of its halts", wave({ stoodMs: 5 }), 100, { kind: "soaking", untilMs: NOW + 5 }],
    ["does not soak while it is halted", wave({ halt }), 0, { kind: "halted", halt }],
    ["without clusters passes", wave(), 100, { kind: "soaked", users: "none" }],
    [
      "passes with most clusters in order",
      wave({ inOrder: 2, pending: 1 }),
      100,
      { kind: "soaked", users: "in order" },
    ],
    [
      "does not pass before its clusters were counted",
      wave({ countedMs: NOW - 1 }),
      100,
      { kind: "uncounted", why: "early" },
    ],
    [
      "passes with a count by a clock that is a little ahead",
      wave({ countedMs: NOW + 60_000 }),
      100,
      { kind: "soaked" },
    ],
    [
      "does not pass with a count from the future",
      wave({ countedMs: NOW + 60_001 }),
      100,
      { kind: "uncounted", why: "ahead" },
    ],
    ["stalls with half of its clusters in order", wave({ inOrder: 1, pending: 1 }), 100, { kind: "stalled" }],
  ])("%s", (_, one, soakMs, expected) => {
    expect(judgeSoak(served(one), soakMs, NOW)).toMatchObject(expected);
  });

  it("does not pass once its controller has counted nothing for two hours", () => {
    const pass = { kind: "soaked", users: "none" };

    expect(judgeSoak(served(wave()), 100, NOW + 2 * HOUR)).toEqual(pass);
    expect(judgeSoak(served(wave()), 100, NOW + 2 * HOUR + 1)).toEqual({ kind: "uncounted", sinceMs: NOW, why: "old" });
  });

  it.each<[string, WaveRecord, number]>([
    ["except for the time of its halts", wave({ stoodMs: 30, inOrder: 1 }), 70],
    ["up to its last count", wave({ countedMs: NOW - 40 }), 60],
    ["not at all if it was counted only before it was served", wave({ countedMs: NOW - 200 }), 0],
    ["not at all if it was halted", wave({ halt }), 0],
    ["not at all if most clusters were not in order", wave({ pending: 1 }), 0],
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
