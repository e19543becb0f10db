import { describe, expect, it } from "vitest";
import {
  advanceReady,
  NO_WATCH,
  READY_BOUNDS_MS,
  readyQuantiles,
  type ReadyWatch,
  type ServedEntry,
} from "../../src/fleet/readyTimes.ts";
import { NO_USERS, type ModuleUser, type Users } from "../../src/fleet/users.ts";
import { moduleUser } from "./moduleUser.ts";

const APPLIED = 1_000_000;
const FAST: ServedEntry = {
  ...{ key: "fast/certs", module: "certs", channel: "fast", mandatory: false, deadlineMs: 600_000 },
  ...{ version: "1.1.0", appliedMs: APPLIED },
};

function usersOf(...users: readonly ModuleUser[]): Users {
  return { ...NO_USERS, modules: new Map([["certs", users]]) };
}
const old = moduleUser({ version: "1.0.0" });
const ready = (sinceMs: number | undefined, state = "Ready"): ModuleUser =>
  moduleUser({ version: "1.1.0" }, { sinceMs, state });

type Look = readonly [atMs: number, users: Users];

/** The observed times, and the state to keep, after these observations. */
function after(looks: readonly Look[], entry = FAST, from = NO_WATCH): { took: readonly number[]; watch: ReadyWatch } {
  let watch = from;
  const took: number[] = [];
  for (const [atMs, users] of looks) {
    const next = advanceReady(watch, users, [entry], APPLIED + atMs);
    ({ watch } = next);
    took.push(...next.arrivals.map(({ tookMs }) => tookMs));
  }
  return { took, watch };
}
const counted = ({ times }: ReadyWatch): number =>
  (times.get("fast/certs")?.current.counts ?? []).reduce((a, b) => a + b, 0);

describe("the time to Ready", () => {
  it("is from the apply to a stable Ready, and counts once", () => {
    const [soon, held] = [usersOf(ready(APPLIED + 7_000)), usersOf(ready(APPLIED + 7_000))];
    const { took, watch } = after([
      [0, usersOf(old)],
      [8_000, usersOf(ready(APPLIED + 7_000, "Processing"))],
      [9_000, soon],
      [17_000, held],
      [30_000, held],
      [40_000, usersOf(ready(APPLIED + 39_000, "Error"))],
      [90_000, usersOf(ready(APPLIED + 60_000))],
    ]);

    expect([took, counted(watch)]).toEqual([[7_000], 1]);
  });

  it("is known for a cluster that upgrades before the next observation", () => {
    const before = after([[-5_000, usersOf(old)]], { ...FAST, version: "1.0.0", appliedMs: 0 });
    const fast = advanceReady(before.watch, usersOf(ready(APPLIED + 100)), [FAST], APPLIED + 11_000);

    expect(fast.arrivals).toEqual([{ entry: FAST, tookMs: 100 }]);
    expect(fast.watch.times.get("fast/certs")?.replaced).toEqual({ version: "1.0.0", appliedMs: 0, counts: [] });
  });

  it("is 0 if the clock of the apply is ahead", () => {
    const { took } = after([
      [-30_000, usersOf(old)],
      [10_000, usersOf(ready(APPLIED - 20_000))],
    ]);

    expect(took).toEqual([0]);
  });

  it.each<[string, ModuleUser, ModuleUser]>([
    ["is new", moduleUser({}), ready(APPLIED)],
    ["had it at the first observation", ready(APPLIED), ready(APPLIED)],
    ["ran a higher version", moduleUser({ version: "1.2.0" }), ready(APPLIED)],
    ["was not watched", old, ready(undefined)],
    ["is no longer reconciled", old, moduleUser({ version: "1.1.0" }, { sinceMs: APPLIED, leftOut: "unmanaged" })],
    ["went on to another version", old, moduleUser({ version: "1.2.0" }, { sinceMs: APPLIED })],
    ["uses another channel", moduleUser({ version: "1.0.0" }, { channels: ["slow"] }), ready(APPLIED)],
  ])("is unknown for a cluster that %s", (_, first, then) => {
    const looks: readonly Look[] = [
      [0, usersOf(first)],
      [60_000, usersOf(then)],
    ];

    expect(after(looks).took).toEqual([]);
  });

  it("comes from Manifests if the module is mandatory", () => {
    const entry = { ...FAST, mandatory: true, channel: "mandatory" };
    const manifest = (installed: string): ModuleUser =>
      moduleUser({ version: undefined, installed }, { channels: [], sinceMs: APPLIED + 1 });

    expect(
      after(
        [
          [0, usersOf(manifest("1.0.0"))],
          [60_000, usersOf(manifest("1.1.0"))],
        ],
        entry,
      ).took,
    ).toEqual([1]);
  });

  it("continues after a restart with the clusters that do not have the version yet", () => {
    const { watch } = after([[0, usersOf(old)]]);
    const restarted: ReadyWatch = { ...NO_WATCH, times: watch.times };

    expect(after([[60_000, usersOf(ready(APPLIED + 60_000))]], FAST, restarted).took).toEqual([]);
    expect(
      after(
        [
          [60_000, usersOf(old)],
          [90_000, usersOf(ready(APPLIED + 70_000))],
        ],
        FAST,
        restarted,
      ).took,
    ).toEqual([70_000]);
  });

  it("does not change while users are unknown", () => {
    const unknown: Users = { kind: "unknown", because: "x" };
    const { watch } = after([[0, usersOf(old)]]);

    expect(advanceReady(watch, unknown, [FAST], APPLIED)).toEqual({ watch, arrivals: [] });
    const looks: readonly Look[] = [
      [0, NO_USERS],
      [1, NO_USERS],
    ];
    expect(after(looks).took).toEqual([]);
  });
});

describe("the shares of clusters that were Ready", () => {
  it("are unknown without a cluster", () => {
    expect(readyQuantiles({ counts: [] })).toBeUndefined();
    expect(readyQuantiles({ counts: [0, 0] })).toBeUndefined();
  });

  it("are upper bounds, which double every second step", () => {
    expect(READY_BOUNDS_MS.slice(0, 5)).toEqual([5_000, 7_071, 10_000, 14_142, 20_000]);
    expect(readyQuantiles({ counts: [5, 4, 0, 1] })).toEqual({
      ...{ clusters: 10, p50Ms: 5_000, p90Ms: 7_071, p99Ms: 14_142 },
      curve: [
        { withinMs: 5_000, clusters: 5 },
        { withinMs: 7_071, clusters: 9 },
        { withinMs: 10_000, clusters: 9 },
        { withinMs: 14_142, clusters: 10 },
      ],
    });
  });

  it("are beyond the last bound after half a month", () => {
    const { watch } = after([
      [0, usersOf(old)],
      [2e9, usersOf(ready(APPLIED + 15e8))],
    ]);
    const { counts = [] } = watch.times.get("fast/certs")?.current ?? {};

    const known = readyQuantiles({ counts });
    expect(known).toMatchObject({ clusters: 1, p50Ms: Infinity, p90Ms: Infinity, p99Ms: Infinity });
    expect(known?.curve.at(-1)).toEqual({ withinMs: READY_BOUNDS_MS.at(-1), clusters: 0 });
  });
});
