import { describe, expect, it } from "vitest";
import type { KnownUsers, Users } from "../../src/fleet/users.ts";
import { NO_CONTROLS } from "../../src/sync/plan/controls.ts";
import type { EntryRecord, WaveRecord } from "../../src/sync/plan/records.ts";
import {
  advanceWaves,
  demandOn,
  isAnyUncounted,
  isAnyUnderway,
  withLook,
  type WaveContext,
} from "../../src/sync/plan/waves.ts";
import { catalogueOf } from "./catalogueFiles.ts";
import { NOW, recorded } from "./planning.ts";
import { usersOf } from "./usage.ts";

const HOUR = 3_600_000;
const settings = {
  landscapes: [
    { name: "dev", controlPlane: { context: "dev" } },
    {
      ...{ name: "elsewhere", controlPlane: { context: "e" } },
      after: { landscape: "dev", soak: "1h", hotfixSoak: "10m", notWorseBy: "10%", deadline: "5m" },
    },
    { name: "prod", controlPlane: { context: "p" }, after: { landscape: "elsewhere", soak: "2h", notWorseBy: "5%" } },
  ],
};
const CATALOGUE = catalogueOf({
  settings,
  everywhere: ["fast"],
  channels: { fast: { istio: "1.3.0" }, own: { istio: "1.3.0" } },
});
const IN_ORDER = usersOf({ module: "istio", channel: "fast", version: "1.3.0" });
const FAILING = usersOf({ module: "istio", channel: "fast", version: "1.3.0", state: "Error" });

const context = (given: Partial<WaveContext> = {}): WaveContext => ({
  ...{ catalogue: CATALOGUE, landscape: "dev", users: IN_ORDER, resumes: NO_CONTROLS.resumes, absent: new Set() },
  nowMs: NOW,
  ...given,
});
const wave = (given: Partial<WaveRecord> = {}): WaveRecord => ({
  ...{ failing: 0, inOrder: 1, pending: 0, countedMs: NOW - 1, baseline: 0 },
  ...{ soakedMs: 0, isInOrder: true, isResumed: false, halt: undefined },
  ...given,
});
function served(sinceMs: number, one?: WaveRecord, more: Partial<EntryRecord> = {}): EntryRecord {
  const { current, ...rest } = recorded("1.3.0", "h", sinceMs);
  const soakedMs = one && (one.soakedMs || one.countedMs - sinceMs);
  return {
    ...rest,
    current: current && { ...current, ...(one && { wave: { ...one, soakedMs } }) },
    ...more,
  } as EntryRecord;
}
const records = (record: EntryRecord, key = "fast/istio"): ReadonlyMap<string, EntryRecord> => new Map([[key, record]]);

/** The wave of an entry after a count, and whether it is written. */
function advanced(record: EntryRecord, given: Partial<WaveContext> = {}, key?: string): readonly [unknown, boolean] {
  const [[, next] = []] = [...advanceWaves(records(record, key), context(given))];
  return [next?.current?.wave, next !== record];
}

describe("the demand of later landscapes on an earlier one", () => {
  const { landscapes } = CATALOGUE.settings;
  const names = landscapes.map(({ name }) => name);
  const demand = (landscape: string, serving = names): unknown => demandOn(landscape, serving, CATALOGUE.settings);

  it("consists of their soak times and their lowest tolerance", () => {
    expect(demand("dev")).toEqual({ soaksMs: [HOUR, HOUR / 6], notWorseBy: 0.1 });
    expect(demand("elsewhere")).toEqual({ soaksMs: [2 * HOUR], notWorseBy: 0.05 });
  });

  it("is that of the next one that serves the channel", () => {
    const serving = names.filter((name) => name !== "elsewhere");

    expect(demand("dev", serving)).toMatchObject({ soaksMs: [3 * HOUR, 7_800_000], notWorseBy: 0.05 });
  });

  it("does not exist for the last one", () => {
    expect(demand("prod")).toBeUndefined();
  });
});

describe("the wave of an entry", () => {
  it("is recorded with the first count of its clusters", () => {
    expect(advanced(served(NOW - HOUR / 2))).toMatchObject([{ inOrder: 1, countedMs: NOW }, true]);
  });

  it("is not written again without a change, nor for a very recent one", () => {
    expect(advanced(served(NOW - HOUR / 2, wave()))[1]).toBe(false);
    expect(advanced(served(NOW - HOUR / 2, wave({ inOrder: 2 })))[1]).toBe(false);
    expect(advanced(served(NOW - HOUR / 2, wave({ inOrder: 2, countedMs: NOW - 30_000 })))[1]).toBe(true);
  });

  it("is written while the soak runs, so that a kill loses seconds of it", () => {
    const ran = wave({ countedMs: NOW - 30_000, soakedMs: 1 });

    expect(advanced(served(NOW - HOUR / 2, ran))).toMatchObject([{ soakedMs: 30_001 }, true]);
    expect(advanced(served(NOW - HOUR / 2, { ...ran, countedMs: NOW - 29_999 }))[1]).toBe(false);
  });

  it("is not counted while its objects are gone", () => {
    expect(advanced(served(NOW - HOUR / 2), { absent: new Set(["fast/istio"]) })).toEqual([undefined, false]);
  });

  it("is confirmed without a change, so that later landscapes know that its clusters are still counted", () => {
    const since = (ms: number): EntryRecord => served(NOW - 4 * HOUR, wave({ countedMs: NOW - ms }));

    expect(advanced(since(HOUR / 2 - 1))[1]).toBe(false);
    expect(advanced(since(HOUR / 2))).toMatchObject([{ countedMs: NOW }, true]);
    // Its writes fail.
    const { current: next } = served(NOW);
    expect(advanced({ ...since(HOUR / 2 - 1), next })[1]).toBe(false);
    expect(advanced({ ...since(HOUR / 2), next })).toMatchObject([{ countedMs: NOW }, true]);
  });

  it("is written again if the clock was ahead at the last count", () => {
    expect(advanced(served(NOW - HOUR / 2, wave({ countedMs: NOW + 1 })))).toMatchObject([{ countedMs: NOW }, true]);
  });

  it("is written when a soak ends, when most clusters are in order, and when it halts or continues", () => {
    const half = NOW - HOUR / 2;
    const halt = { sinceMs: NOW - 5, reason: "it fails" };
    const told = { by: "octocat", reason: "seen", atMs: NOW, haltMs: halt.sinceMs };
    const before = { ...told, atMs: NOW + HOUR, haltMs: halt.sinceMs - 1 };

    expect(advanced(served(NOW - HOUR, wave()))[1]).toBe(true);
    expect(advanced(served(half, wave({ inOrder: 0, pending: 1, isInOrder: false })))[1]).toBe(true);
    expect(advanced(served(half, wave()), { users: FAILING })).toMatchObject([{ halt: { sinceMs: NOW } }, true]);
    expect(advanced(served(half, wave({ halt, isInOrder: false })))).toMatchObject([{ halt }, false]);
    expect(
      advanced(served(half, wave({ halt, isInOrder: false })), { resumes: new Map([["istio", told]]) }),
    ).toMatchObject([{ halt: undefined, isResumed: true }, true]);
    // With a fast clock, the resume is before the halt.
    expect(advanced(served(half, wave({ halt, isInOrder: false })), { resumes: new Map([["istio", before]]) })[1]).toBe(
      false,
    );
  });

  it.each<[string, EntryRecord, Partial<WaveContext>, string | undefined]>([
    ["whose users are unknown", served(NOW), { users: { kind: "unknown", because: "" } satisfies Users }, undefined],
    ["that is about to move", served(NOW, undefined, { next: served(NOW).current }), {}, undefined],
    ["that serves nothing yet", { ...served(NOW), current: undefined }, {}, undefined],
    ["without a later landscape", served(NOW), { landscape: "prod" }, undefined],
    ["of a channel that is gone", served(NOW), {}, "gone/istio"],
    ["of a mandatory channel that is gone", served(NOW), {}, "mandatory/istio"],
  ])("is not counted for an entry %s", (_, record, given, key) => {
    expect(advanced(record, given, key)[1]).toBe(false);
  });

  it("counts no users for a module that the fleet does not know", () => {
    expect(advanced(served(NOW - 1), { users: usersOf() })).toMatchObject([{ inOrder: 0, pending: 0 }, true]);
  });

  it("is counted for each entry of a channel", () => {
    const both = new Map(["fast/istio", "fast/keda"].map((key) => [key, served(NOW - HOUR / 2)]));
    const waves = [...advanceWaves(both, context()).values()].map(({ current }) => current?.wave?.inOrder);

    expect(waves).toEqual([1, 0]);
  });

  it("counts Kymas without a Manifest of a mandatory module as pending, if the module is for them", () => {
    const channels = { must: { istio: "1.3.0" } };
    const fleet = usersOf({ module: "istio", kyma: "a", installed: "1.3.0" });
    const pending = (says: object, leftOut: readonly string[] = []): unknown => {
      const modules = { istio: says };
      const catalogue = catalogueOf({ settings, everywhere: ["must"], mandatory: ["must"], channels, modules });
      const users = { ...(fleet as KnownUsers), kymas: new Set(["a", "b", "c", "d"]), leftOut: new Set(leftOut) };
      return advanced(served(NOW - HOUR), { catalogue, users }, "mandatory/istio")[0];
    };

    expect(pending({})).toMatchObject({ inOrder: 1, pending: 3 });
    expect(pending({ beta: true })).toMatchObject({ inOrder: 1, pending: 0 });
    expect(pending({}, ["a", "b", "c"])).toMatchObject({ inOrder: 1, pending: 1 });
  });

  it("follows the landscapes of the mandatory channel that serves the module", () => {
    const channels = { all: { keda: "1.3.0" }, core: { istio: "1.3.0" }, zone: { nats: "1.3.0" } };
    const mandatory = Object.keys(channels);
    const catalogue = catalogueOf({ settings, everywhere: ["core"], mandatory, channels });
    const waves = ["keda", "istio", "nats"].map((module) => {
      return advanced(served(NOW - HOUR / 2), { catalogue }, `mandatory/${module}`)[1];
    });

    expect(waves).toEqual([false, true, false]);
  });

  it("is counted by a look if no controller counted it, and its halt is not recorded", () => {
    const old = NOW - HOUR;
    const looked = (record: EntryRecord, users: Users): unknown => {
      const [[, next] = []] = [...withLook(records(record), { ...context(), users })];
      return next?.current?.wave;
    };
    const unfailing = { ...served(old), current: { ...served(old).current, baseline: 0 } } as EntryRecord;

    expect(looked(served(old), IN_ORDER)).toMatchObject({ inOrder: 1, halt: undefined });
    expect(looked(unfailing, FAILING)).toMatchObject({ halt: { isRecorded: false } });
    expect(looked({ ...unfailing, next: served(NOW).current }, FAILING)).toMatchObject({ halt: { isRecorded: false } });
    expect(looked(served(old, wave()), FAILING)).toMatchObject({ inOrder: 1, halt: undefined });
    expect(looked(served(old), { kind: "unknown", because: "" })).toBeUndefined();
    expect(looked({ ...served(old), current: undefined }, IN_ORDER)).toBeUndefined();
    expect(
      [records(served(old)), records(served(old, wave())), records(served(old), "gone/istio")].map((all) =>
        isAnyUncounted(all, context()),
      ),
    ).toEqual([true, false, false]);
  });

  it("is counted by a look if its controller counts no more, and keeps a halt", () => {
    const old = wave({ countedMs: NOW - 3 * HOUR });
    const halt = { sinceMs: NOW - 4 * HOUR, reason: "it fails" };
    const looked = (one: WaveRecord): unknown => {
      const [[, next] = []] = [...withLook(records(served(NOW - 5 * HOUR, one)), { ...context(), users: FAILING })];
      return next?.current?.wave;
    };
    const isUncounted = (one: WaveRecord): boolean => isAnyUncounted(records(served(NOW - 5 * HOUR, one)), context());

    expect(looked(old)).toMatchObject({ countedMs: NOW, halt: { sinceMs: NOW, isRecorded: false } });
    expect(looked({ ...old, halt })).toMatchObject({ countedMs: old.countedMs, halt });
    expect([old, { ...old, halt }].map(isUncounted)).toEqual([true, false]);
  });

  it("is counted again while it soaks, and while clusters are pending", () => {
    const isUnderway = (record: EntryRecord, given: Partial<WaveContext> = {}, key?: string): boolean =>
      isAnyUnderway(records(record, key), context(given));

    expect(isUnderway(served(NOW - HOUR / 2))).toBe(true);
    expect(isUnderway(served(NOW - HOUR))).toBe(false);
    expect(isUnderway(served(NOW - HOUR, wave({ soakedMs: HOUR - 10 })))).toBe(true);
    expect(isUnderway(served(NOW - HOUR, wave({ soakedMs: 1, isInOrder: false })))).toBe(false);
    expect(isUnderway(served(NOW - HOUR, wave({ pending: 1 })))).toBe(true);
    expect(isUnderway(served(NOW - HOUR, wave()))).toBe(false);
    expect([
      isUnderway({ ...served(NOW), current: undefined }),
      isUnderway(served(NOW), { landscape: "prod" }),
    ]).toEqual([false, false]);
  });
});
