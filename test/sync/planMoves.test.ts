import { describe, expect, it } from "vitest";
import { planMoves } from "../../src/sync/plan/plan.ts";
import type { LiveState } from "../../src/sync/plan/input.ts";
import type { Records } from "../../src/sync/plan/records.ts";
import { desiredOf, inputOf, liveOf, recorded } from "./planning.ts";

const old = desiredOf({ channels: { fast: { istio: "1.2.0" } } });
const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
const live = liveOf(old);
const none: Records = { kind: "none" };

describe("the entries that are to move", () => {
  it("are those whose version is not the wanted one, with those that go down", () => {
    const both = desiredOf({ channels: { fast: { istio: "1.2.0" }, slow: { istio: "1.3.0" } } });
    const [low, high] = [liveOf(old), liveOf(desired)].map((state) => planMoves(inputOf(both, state)));

    expect(low).toMatchObject([{ channel: "slow", from: undefined, isLower: false }]);
    expect(high).toMatchObject([{ channel: "fast", from: "1.3.0", isLower: true }, { channel: "slow" }]);
    expect(planMoves(inputOf(both, liveOf(desiredOf({ channels: { own: { keda: "1.0.0" } } }))))).toHaveLength(2);
  });

  it("had the version before if it is or was recorded in any channel of the module; without records, if it is live", () => {
    const past = { version: "1.1.0", specHash: "", fromMs: 0, untilMs: 1, soakedMs: 1 };
    const records: Records = {
      kind: "known",
      entries: new Map([["slow/istio", { ...recorded("1.2.0"), current: undefined, previous: [past] }]]),
    };
    const has = (module: string, version: string, state: Partial<LiveState>): boolean | undefined => {
      const wanted = desiredOf({ channels: { own: { [module]: version } } });
      return planMoves(inputOf(wanted, { ...live, ...state })).find((move) => move.module === module)?.hadBefore;
    };

    expect(has("istio", "1.1.0", { records })).toBe(true);
    expect([has("istio", "1.2.0", { records }), has("keda", "1.1.0", { records })]).toEqual([false, false]);
    expect([has("istio", "1.2.0", {}), has("istio", "1.3.0", {})]).toEqual([true, false]);
    expect([has("istio", "1.2.0", { records: none }), has("istio", "1.3.0", { records: none })]).toEqual([true, false]);
    const elsewhere = live.releaseMetas.map((meta) => ({
      ...meta,
      metadata: { ...meta.metadata, name: "istio-team" },
    }));
    expect(has("istio", "1.2.0", { records: none, releaseMetas: elsewhere })).toBe(true);
  });
});
