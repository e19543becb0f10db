import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import { day, DAY_MS, hashOfVersion, instant, ISTIO, SOAK, version, type Merge } from "../verdict/timeline.ts";
import { happened, moved, only, policySpans, replayUntil } from "./replays.ts";
import { ranOn } from "../smokePaths.ts";
import { mentions } from "../../support/mentions.ts";

const BEGIN: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };
const none = { allowed: 0, early: 0, closed: 0, never: 0, undated: 0 };
const daysMs = (...days: readonly number[]): readonly number[] => days.map((one) => one * DAY_MS);

describe("a real promotion", () => {
  it("was early if the policy would have waited, with time and reasons", async () => {
    const simulation = await replayUntil(20, [BEGIN, { at: 1, fast: "1.1.0" }, { at: 3, regular: "1.1.0" }]);

    expect(happened(simulation)).toEqual(["0: none → 1.0.0 first", "3: 1.0.0 → 1.1.0 promotion early @8"]);
    expect(only(simulation).changes[1]?.judgement?.reasons).toEqual([
      "fast served the line 1.1 for 2d of 7d (soak of minor), until 2026-01-09T00:00:00Z.",
    ]);
  });

  it("was allowed from the end of its soak", async () => {
    const simulation = await replayUntil(20, [BEGIN, { at: 1, fast: "1.1.0" }, { at: 12, regular: "1.1.0" }]);

    expect(happened(simulation)[1]).toBe("12: 1.0.0 → 1.1.0 promotion allowed @8");
    expect(only(simulation).changes[1]?.judgement?.reasons).toEqual([]);
  });

  it("is predicted beyond the known history if only time is missing", async () => {
    expect(happened(await replayUntil(4, [BEGIN, { at: 1, fast: "1.1.0" }, { at: 3, regular: "1.1.0" }]))[1]).toBe(
      "3: 1.0.0 → 1.1.0 promotion early @8",
    );
  });

  it("came at a closed moment if the policy would have allowed it before", async () => {
    const windows = [{ opens: "0 0 10 * *", for: "2d", timeZone: "UTC" }];
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 15, regular: "1.1.0" }];
    const simulation = await replayUntil(40, merges, { promotion: { soak: SOAK, windows } });

    expect(happened(simulation)[1]).toBe("15: 1.0.0 → 1.1.0 promotion closed @9");
    expect(moved(simulation)).toEqual(["9: 1.0.0 → 1.1.0 minor, really 15"]);
  });

  it("was never allowed if its clock stopped for ever", async () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 1.5, fast: "1.1.1", regular: "1.1.0" }];
    const simulation = await replayUntil(40, merges);

    expect(happened(simulation)[1]).toBe("1.5: 1.0.0 → 1.1.0 promotion never @–");
    expect(moved(simulation)).toEqual(["8: 1.0.0 → 1.1.1 minor, really –"]);
  });

  it("names what overtook it if it was never allowed", async () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 3, regular: "1.1.0" }, { at: 4, regular: "1.1.1" }];
    const [, promotion] = only(await replayUntil(40, merges)).changes;

    expect(promotion?.judgement).toEqual({
      kind: "never",
      allowedAtMs: undefined,
      reasons: [
        "fast served the line 1.1 for 2d of 7d (soak of minor), until 2026-01-09T00:00:00Z.",
        expect.stringContaining("fast got 1.1.0 before the hot-fix 1.1.1 of regular"),
      ],
    });
  });

  it("is not searched further once the channel went on and a person would have to decide", async () => {
    const merges: readonly Merge[] = [
      BEGIN,
      { at: 1, fast: "1.1.0", hold: { version: "1.1.0" } },
      { at: 2, regular: "1.1.0" },
      { at: 3, fast: "1.2.0" },
      { at: 12, regular: "1.2.0" },
      { at: 20, unhold: "1.1.0" },
    ];

    expect(happened(await replayUntil(60, merges)).slice(1)).toEqual([
      "2: 1.0.0 → 1.1.0 promotion never @–",
      "12: 1.1.0 → 1.2.0 promotion allowed @10",
    ]);
  });

  it("was never allowed if the channel does not accept such versions", async () => {
    const simulation = await replayUntil(40, [BEGIN, { at: 1, fast: "1.1.0-rc" }, { at: 9, regular: "1.1.0-rc" }]);

    expect(happened(simulation)[1]).toBe("9: 1.0.0 → 1.1.0-rc promotion never @–");
    expect(only(simulation).changes[1]?.judgement?.reasons).toEqual([mentions("candidate")]);
  });
});

describe("a simulation", () => {
  it("waits for the evidence that is named", async () => {
    const smoke: Evidence = {
      kind: "smoke",
      ...ranOn(true, { version: "1.0.0", specHash: hashOfVersion("1.0.0") }),
      module: ISTIO,
      version: version("1.1.0"),
      specHash: hashOfVersion("1.1.0"),
      observedAt: instant(11),
      source: "run 7",
    };
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }];
    const promotion = { soak: SOAK, needs: ["smoke"] as const };

    expect(moved(await replayUntil(40, merges, { promotion }, { evidence: [smoke] }))).toEqual([
      "11: 1.0.0 → 1.1.0 minor, really –",
    ]);
    expect(moved(await replayUntil(40, merges, { promotion }, { evidence: [] }))).toEqual([]);
  });

  it("begins with the served version if it begins later", async () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 2, regular: "1.1.0" }, { at: 20, fast: "1.1.1" }];
    const simulation = await replayUntil(40, merges, {}, { sinceMs: day(10) });

    expect(happened(simulation)).toEqual([]);
    expect(moved(simulation)).toEqual(["21: 1.1.0 → 1.1.1 patch, really –"]);
    expect(policySpans(simulation)).toEqual(["10 1.1.0", "21 1.1.1"]);
  });

  it("adds up its results by level", async () => {
    const merges: readonly Merge[] = [
      BEGIN,
      { at: 1, fast: "1.1.0" },
      { at: 3, regular: "1.1.0" },
      { at: 10, fast: "1.1.1" },
      { at: 10.5, fast: "1.1.2" },
      { at: 30, regular: "1.1.2" },
      { at: 50, fast: "1.2.0-rc" },
      { at: 50.5, fast: "1.2.0" },
    ];

    expect((await replayUntil(51, merges)).totals).toEqual([
      {
        level: "patch",
        real: { ...none, promoted: 1, leadMs: daysMs(19.5, 19.5, 19.5), allowed: 1, notPromoted: 1 },
        policy: { promoted: 1, leadMs: daysMs(1, 1, 1), notPromoted: 1, blocked: 0 },
      },
      {
        level: "minor",
        real: { ...none, promoted: 1, leadMs: daysMs(2, 2, 2), early: 1, notPromoted: 1 },
        policy: { promoted: 1, leadMs: daysMs(7, 7, 7), notPromoted: 1, blocked: 0 },
      },
    ]);
  });

  it("is empty without input", async () => {
    expect(await replayUntil(3, [])).toEqual({
      replays: [],
      totals: [],
      assumptions: [],
      fromMs: day(3),
      untilMs: day(3),
    });
  });
});
