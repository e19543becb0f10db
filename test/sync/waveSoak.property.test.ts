import fc from "fast-check";
import { expect, it } from "vitest";
import { NO_USERS, type KnownUsers, type ModuleUser } from "../../src/fleet/users.ts";
import { NO_CONTROLS } from "../../src/sync/plan/controls.ts";
import type { EntryRecord } from "../../src/sync/plan/records.ts";
import { parseRecords, printRecords } from "../../src/sync/plan/recordsJson.ts";
import { advanceWaves } from "../../src/sync/plan/waves.ts";
import { moduleUser } from "../fleet/moduleUser.ts";
import { catalogueOf } from "./catalogueFiles.ts";
import { NOW, recorded } from "./planning.ts";

const HELD_MS = 10_000;
const CATALOGUE = catalogueOf({
  settings: {
    landscapes: [
      { name: "dev", controlPlane: { context: "dev" } },
      {
        name: "elsewhere",
        controlPlane: { context: "p" },
        after: { landscape: "dev", soak: "1h", notWorseBy: "100%" },
      },
    ],
  },
  everywhere: ["fast"],
  channels: { fast: { istio: "1.3.0" } },
});

/** What a cluster is from a time on. Seconds. */
interface Turn {
  readonly at: number;
  readonly isReady: boolean;
}

/** Three clusters, and when a controller counts them; a long time between two counts: it was killed. Seconds. */
const fleet = fc.record({
  clusters: fc.array(
    fc.array(fc.record({ at: fc.nat({ max: 2_000 }), isReady: fc.boolean() }), { minLength: 1, maxLength: 4 }),
    { minLength: 3, maxLength: 3 },
  ),
  steps: fc.array(
    fc.oneof({ weight: 8, arbitrary: fc.constant(5) }, { weight: 1, arbitrary: fc.integer({ min: 6, max: 400 }) }),
    { minLength: 1, maxLength: 200 },
  ),
});

/** The last turn of a cluster by then. */
function turnAt(turns: readonly Turn[], seconds: number): Turn | undefined {
  const past = turns.toSorted((a, b) => a.at - b.at).filter(({ at }) => at <= seconds);
  // A turn to the same state is none.
  return past.filter(({ isReady }, place) => past[place - 1]?.isReady !== isReady).at(-1);
}

function usersAt(clusters: readonly (readonly Turn[])[], seconds: number): KnownUsers {
  const users = clusters.map((turns, place): ModuleUser => {
    const turn = turnAt(turns, seconds);
    const sinceMs = NOW + (turn?.at ?? -1) * 1_000;
    const version = turn === undefined ? "1.2.0" : "1.3.0";
    const name = String(place);
    return moduleUser(
      { name, kyma: name, version },
      { state: turn?.isReady === false ? "Processing" : "Ready", sinceMs },
    );
  });
  return { ...NO_USERS, modules: new Map([["istio", users]]), kymas: new Set(users.map(({ name }) => name)) };
}

/** For how many of these seconds at least two clusters were Ready for ten seconds. */
function inOrderMs(clusters: readonly (readonly Turn[])[], until: number): number {
  const isHeld = (turns: readonly Turn[], seconds: number): boolean => {
    const turn = turnAt(turns, seconds);
    return turn?.isReady === true && seconds - turn.at >= HELD_MS / 1_000;
  };
  const seconds = Array.from({ length: until }, (_, second) => second);
  return seconds.filter((second) => clusters.filter((turns) => isHeld(turns, second)).length >= 2).length * 1_000;
}

it("the soak of a wave never exceeds the time in which most clusters were in order, however often it is killed", () => {
  fc.assert(
    fc.property(fleet, ({ clusters, steps }) => {
      let records: ReadonlyMap<string, EntryRecord> = new Map([["fast/istio", recorded("1.3.0", "h", NOW)]]);
      let seconds = 0;
      for (const step of steps) {
        seconds += step;
        const context = {
          catalogue: CATALOGUE,
          landscape: "dev",
          resumes: NO_CONTROLS.resumes,
          absent: new Set<string>(),
        };
        const users = usersAt(clusters, seconds);
        records = advanceWaves(records, { ...context, users, nowMs: NOW + seconds * 1_000 });
        records = parseRecords(printRecords(records)) ?? new Map<string, EntryRecord>();
        const soakedMs = records.get("fast/istio")?.current?.wave?.soakedMs ?? 0;

        expect(soakedMs).toBeLessThanOrEqual(inOrderMs(clusters, seconds));
      }
    }),
    { numRuns: 40 },
  );
});

it("the soak of a wave runs since most clusters have the version, not since it was applied", () => {
  const clusters = [[{ at: 23, isReady: true }], [{ at: 23, isReady: true }], [{ at: 900, isReady: true }]];
  const soakedAt = (...times: readonly number[]): readonly number[] => {
    let records: ReadonlyMap<string, EntryRecord> = new Map([["fast/istio", recorded("1.3.0", "h", NOW)]]);
    return times.map((seconds) => {
      const context = {
        catalogue: CATALOGUE,
        landscape: "dev",
        resumes: NO_CONTROLS.resumes,
        absent: new Set<string>(),
      };
      const nowMs = NOW + seconds * 1_000;
      records = advanceWaves(records, { ...context, users: usersAt(clusters, seconds), nowMs });
      return records.get("fast/istio")?.current?.wave?.soakedMs ?? 0;
    });
  };

  expect(soakedAt(1, 20, 40, 100)).toEqual([0, 0, 7_000, 67_000]);
  // Killed in between.
  expect(soakedAt(40, 600)).toEqual([7_000, 567_000]);
});
