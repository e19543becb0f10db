import { describe, expect, it } from "vitest";
import { simulate } from "../../../src/promote/simulate/simulate.ts";
import { quietRun } from "../../support/quietRun.ts";
import { day, DAY_MS, historyOf, SOAK, subjectOf, type Merge } from "../verdict/timeline.ts";
import { mentions } from "../../support/mentions.ts";
import { happened, moved, only, replayUntil, timelineWith, tirelessClock } from "./replays.ts";

const BEGIN: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("the assumptions of a simulation", () => {
  it("assume evidence if there is none, stated once", async () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }];
    const needs = ["smoke"] as const;
    const simulation = await replayUntil(20, merges, {
      promotion: { soak: SOAK, needs, health: { notWorseBy: "1%" } },
      override: { exposure: { clusters: 3 }, needs: ["approval"] },
    });

    expect(moved(simulation)).toEqual(["8: 1.0.0 → 1.1.0 minor, really –"]);
    expect(simulation.assumptions).toEqual([
      mentions("No evidence", "approval, exposure, health, smoke", "--evidence FILE"),
    ]);
  });

  it("are empty if the policy demands no evidence, and module policies stay effective", async () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }];
    const simulation = await replayUntil(40, merges, { override: { soak: { minor: "14d" } } });

    expect(simulation.assumptions).toEqual([]);
    expect(moved(simulation)).toEqual(["15: 1.0.0 → 1.1.0 minor, really –"]);
  });

  it("state that limits are not replayed", async () => {
    const promotion = { soak: SOAK, limits: { perWindow: 1 } };
    const simulation = await replayUntil(20, [BEGIN, { at: 1, fast: "1.0.1" }], { promotion });

    expect(simulation.assumptions).toEqual([mentions("channels/regular.yaml", "limits", "not replayed")]);
  });

  it("state that soak counts from the last landscape of the followed channel", async () => {
    const simulation = await replayUntil(20, [BEGIN, { at: 1, fast: "1.0.1" }], {
      wave: { soak: "24h", hotfixSoak: "90m" },
    });

    expect(moved(simulation)).toEqual(["3: 1.0.0 → 1.0.1 patch, really –"]);
    expect(simulation.assumptions).toEqual([mentions("fast", "1d", "1h 30m", "kyma-modules.yaml")]);
  });

  it("give the sum of the waves to the minute", async () => {
    const { assumptions } = await replayUntil(20, [BEGIN], { wave: { soak: "1470m", hotfixSoak: "1h" } });

    expect(assumptions).toEqual([expect.stringContaining("counts from 1d 30m after the merge (1h for a hot-fix)")]);
  });

  it("state unknown landscapes, and a policy without a soak", async () => {
    const simulation = await replayUntil(
      20,
      [BEGIN, { at: 1, fast: "1.1.0" }],
      { promotion: { soak: { first: "1d" } } },
      { landscapes: [] },
    );

    expect(moved(simulation)).toEqual(["1: 1.0.0 → 1.1.0 minor, really –"]);
    expect(simulation.assumptions).toEqual([
      mentions("channels/regular.yaml", "soak of patch, minor, major", "regular"),
      mentions("landscapes", "fast", "--repo DIR"),
    ]);
  });

  it("do not prevent a stop before the next module", async () => {
    const abort = new AbortController();
    abort.abort(new Error("interrupted"));
    const { channel, followed, upstream } = subjectOf();
    const question = {
      channels: [{ channel, followed, upstream }],
      modules: new Map<never, never>(),
      landscapes: [],
      assumptions: [],
    };
    const about = {
      input: timelineWith(historyOf(BEGIN)),
      evidence: undefined,
      sinceMs: undefined,
      untilMs: day(3),
    };

    await expect(simulate({ ...question, ...about }, tirelessClock, quietRun(abort.signal))).rejects.toThrow(
      "interrupted",
    );
  });
});

describe("a gap in which nothing was observed", () => {
  it("counts promotions separately, without lead time and judgement", async () => {
    const merges: readonly Merge[] = [
      BEGIN,
      { at: 20, fast: "1.0.1", regular: "1.0.1" },
      { at: 21, fast: "1.0.2" },
      { at: 21.5, regular: "1.0.2" },
      { at: 40, fast: "1.0.3" },
      { at: 40.5, regular: "1.0.3" },
    ];
    const gaps = [
      { startMs: day(0), endMs: day(20), commit: "c1" },
      { startMs: day(22), endMs: day(40), commit: "c4" },
    ];
    const input = { ...timelineWith(historyOf(...merges)), gaps };
    const simulation = await replayUntil(60, merges, {}, { input });

    expect(simulation.totals[0]?.real).toEqual({
      allowed: 0,
      closed: 0,
      never: 0,
      promoted: 3,
      leadMs: [0.5, 0.5, 0.5].map((days) => days * DAY_MS),
      early: 1,
      undated: 2,
      notPromoted: 0,
    });
    expect(happened(simulation)).toEqual([
      "0: none → 1.0.0 first",
      "20: 1.0.0 → 1.0.1 promotion",
      "21.5: 1.0.1 → 1.0.2 promotion early @22",
      "40.5: 1.0.2 → 1.0.3 promotion",
    ]);
    expect(only(simulation).changes.map(({ undated }) => undated?.channel)).toEqual([
      undefined,
      "regular",
      undefined,
      "fast",
    ]);
  });
});
