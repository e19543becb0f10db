import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../src/catalogue/evidence.ts";
import { day, DAY_MS, hashOfVersion, instant, ISTIO, SOAK, version, type Merge } from "../verdict/timeline.ts";
import { happened, moved, only, policySpans, replayUntil } from "./replays.ts";

const BEGIN: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("a promotion that happened", () => {
  it("was early when the policy would have waited, and is told when and why", () => {
    const simulation = replayUntil(20, [BEGIN, { at: 1, fast: "1.1.0" }, { at: 3, regular: "1.1.0" }]);

    expect(happened(simulation)).toEqual(["0: none → 1.0.0 first", "3: 1.0.0 → 1.1.0 promotion early @8"]);
    expect(only(simulation).changes[1]?.judgement?.reasons).toEqual([
      "fast served the line 1.1 for 2d of 7d (soak of minor), until 2026-01-09T00:00:00Z.",
    ]);
  });

  it("was allowed from the moment on at which its soak was over", () => {
    const simulation = replayUntil(20, [BEGIN, { at: 1, fast: "1.1.0" }, { at: 12, regular: "1.1.0" }]);

    expect(happened(simulation)[1]).toBe("12: 1.0.0 → 1.1.0 promotion allowed @8");
    expect(only(simulation).changes[1]?.judgement?.reasons).toEqual([]);
  });

  it("is looked for beyond the end of what is known, as long as only clocks stand between", () => {
    expect(happened(replayUntil(4, [BEGIN, { at: 1, fast: "1.1.0" }, { at: 3, regular: "1.1.0" }]))[1]).toBe(
      "3: 1.0.0 → 1.1.0 promotion early @8",
    );
  });

  it("came at a closed moment when the policy would have let it through before", () => {
    const windows = [{ opens: "0 0 10 * *", for: "2d", timeZone: "UTC" }];
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 15, regular: "1.1.0" }];
    const simulation = replayUntil(40, merges, { promotion: { soak: SOAK, windows } });

    expect(happened(simulation)[1]).toBe("15: 1.0.0 → 1.1.0 promotion closed @9");
    expect(moved(simulation)).toEqual(["9: 1.0.0 → 1.1.0 minor, really 15"]);
  });

  it("would never have been when its clock stands for ever", () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 1.5, fast: "1.1.1", regular: "1.1.0" }];
    const simulation = replayUntil(40, merges);

    expect(happened(simulation)[1]).toBe("1.5: 1.0.0 → 1.1.0 promotion never @–");
    expect(moved(simulation)).toEqual(["8: 1.0.0 → 1.1.1 minor, really –"]);
  });

  it("is told what overtook it when it would never have been", () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 3, regular: "1.1.0" }, { at: 4, regular: "1.1.1" }];
    const [, promotion] = only(replayUntil(40, merges)).changes;

    expect(promotion?.judgement).toEqual({
      kind: "never",
      allowedAtMs: undefined,
      reasons: [
        "fast served the line 1.1 for 2d of 7d (soak of minor), until 2026-01-09T00:00:00Z.",
        expect.stringContaining("fast got 1.1.0 before the hot-fix 1.1.1 of regular"),
      ],
    });
  });

  it("is no longer looked for once the channel went on and somebody would have to decide", () => {
    const merges: readonly Merge[] = [
      BEGIN,
      { at: 1, fast: "1.1.0", hold: { version: "1.1.0" } },
      { at: 2, regular: "1.1.0" },
      { at: 3, fast: "1.2.0" },
      { at: 12, regular: "1.2.0" },
      { at: 20, unhold: "1.1.0" },
    ];

    expect(happened(replayUntil(60, merges)).slice(1)).toEqual([
      "2: 1.0.0 → 1.1.0 promotion never @–",
      "12: 1.1.0 → 1.2.0 promotion allowed @10",
    ]);
  });

  it("was none of the policy's when the channel does not take such versions", () => {
    const simulation = replayUntil(40, [BEGIN, { at: 1, fast: "1.1.0-rc" }, { at: 9, regular: "1.1.0-rc" }]);

    expect(happened(simulation)[1]).toBe("9: 1.0.0 → 1.1.0-rc promotion never @–");
    expect(only(simulation).changes[1]?.judgement?.reasons).toEqual([
      "It was no candidate: the followed channel served less then, or the channel does not take such versions.",
    ]);
  });
});

describe("a simulation", () => {
  it("takes evidence for granted where there is none, and says so once", () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }];
    const needs = ["smoke"] as const;
    const simulation = replayUntil(20, merges, {
      promotion: { soak: SOAK, needs, health: { notWorseBy: "1%" } },
      override: { exposure: { clusters: 3 }, needs: ["approval"] },
    });

    expect(moved(simulation)).toEqual(["8: 1.0.0 → 1.1.0 minor, really –"]);
    expect(simulation.assumptions).toEqual([
      "No evidence is at hand: what the policy asks for (approval, exposure, health, smoke) is taken to have been there at every moment. Name what there is with --evidence FILE.",
    ]);
  });

  it("assumes nothing where the policy asks for no evidence, and keeps what modules tighten", () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }];
    const simulation = replayUntil(40, merges, { override: { soak: { minor: "14d" } } });

    expect(simulation.assumptions).toEqual([]);
    expect(moved(simulation)).toEqual(["15: 1.0.0 → 1.1.0 minor, really –"]);
  });

  it("waits for the evidence that is named", () => {
    const smoke: Evidence = {
      kind: "smoke",
      passed: true,
      module: ISTIO,
      version: version("1.1.0"),
      specHash: hashOfVersion("1.1.0"),
      observedAt: instant(11),
      source: "run 7",
    };
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }];
    const promotion = { soak: SOAK, needs: ["smoke"] as const };

    expect(moved(replayUntil(40, merges, { promotion }, { evidence: [smoke] }))).toEqual([
      "11: 1.0.0 → 1.1.0 minor, really –",
    ]);
    expect(moved(replayUntil(40, merges, { promotion }, { evidence: [] }))).toEqual([]);
  });

  it("begins with what was served when it begins later", () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 2, regular: "1.1.0" }, { at: 20, fast: "1.1.1" }];
    const simulation = replayUntil(40, merges, {}, { sinceMs: day(10) });

    expect(happened(simulation)).toEqual([]);
    expect(moved(simulation)).toEqual(["21: 1.1.0 → 1.1.1 patch, really –"]);
    expect(policySpans(simulation)).toEqual(["10 1.1.0", "21 1.1.1"]);
  });

  it("adds up what it found, level by level", () => {
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

    expect(replayUntil(51, merges).totals).toEqual([
      {
        level: "patch",
        real: { count: 1, quartilesMs: [19.5, 19.5, 19.5].map((days) => days * DAY_MS) },
        policy: { count: 1, quartilesMs: [1, 1, 1].map((days) => days * DAY_MS) },
        early: 0,
        never: 0,
        blocked: 0,
        neverPromoted: { real: 1, policy: 1 },
      },
      {
        level: "minor",
        real: { count: 1, quartilesMs: [2, 2, 2].map((days) => days * DAY_MS) },
        policy: { count: 1, quartilesMs: [7, 7, 7].map((days) => days * DAY_MS) },
        early: 1,
        never: 0,
        blocked: 0,
        neverPromoted: { real: 1, policy: 1 },
      },
    ]);
  });

  it("of nothing is empty", () => {
    expect(replayUntil(3, [])).toEqual({
      replays: [],
      totals: [],
      assumptions: [],
      fromMs: day(3),
      untilMs: day(3),
    });
  });
});
