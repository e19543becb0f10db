import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLUSTER_STATES, type ClusterRow } from "../../../src/dashboard/fleet/clusters.ts";
import { clusterRegions } from "../../../src/dashboard/fleet/regions.ts";

type Mark = Pick<ClusterRow, "region" | "state"> & { readonly has?: boolean };

function rows(count: number, { region, state, has = true }: Mark): readonly ClusterRow[] {
  const lacking = has
    ? undefined
    : ({ why: "behind", version: "1.16.2", cause: undefined, isFailing: false, mayFail: false } as const);
  const row: ClusterRow = {
    ...{ name: "a", region, state, lacking, sinceMs: undefined },
    ...{ channel: "regular", runs: "1.17.1", wanted: "1.17.1" },
  };
  return Array.from({ length: count }, () => row);
}

describe("the squares of regions", () => {
  it("are one per cluster in a small fleet, those in order first", () => {
    const drawn = clusterRegions([
      ...rows(3, { region: "eu10", state: "Error", has: false }),
      ...rows(5, { region: "eu10", state: "Ready" }),
      ...rows(1, { region: undefined, state: "Ready", has: false }),
    ]);
    const eu10 = [
      { kind: "ok", count: 5 },
      { kind: "error", count: 3 },
    ];

    expect(drawn).toMatchObject({ unit: 1, rest: { regions: 0, clusters: 0 } });
    expect(drawn.regions).toEqual([
      { region: "eu10", clusters: 8, have: 5, squares: eu10 },
      { region: undefined, clusters: 1, have: 0, squares: [{ kind: "old", count: 1 }] },
    ]);
  });

  it("are one per 25 clusters in a large fleet, and at least one per state", () => {
    const { unit, regions } = clusterRegions([
      ...rows(9_990, { region: "eu10", state: "Ready" }),
      ...rows(3, { region: "eu10", state: "Warning", has: false }),
      ...rows(7, { region: "eu10", state: "Unmanaged", has: false }),
    ]);

    expect(unit).toBe(25);
    expect(regions[0]?.squares).toEqual([
      { kind: "ok", count: 398 },
      { kind: "off", count: 1 },
      { kind: "warning", count: 1 },
    ]);
  });

  it("omit regions beyond the limit, and count them", () => {
    const many = Array.from({ length: 40 }, (_, index) => rows(2, { region: `r${String(index)}`, state: "Ready" }));

    expect(clusterRegions(many.flat())).toMatchObject({ unit: 1, rest: { regions: 10, clusters: 20 } });
    expect(clusterRegions([])).toEqual({ unit: 1, regions: [], rest: { regions: 0, clusters: 0 } });
  });

  it("are sorted by name in equally large regions, without a name first", () => {
    const three = ["us10", undefined, "eu10"].flatMap((region) => rows(2, { region, state: "Ready" }));

    expect(clusterRegions(three).regions.map(({ region }) => region)).toEqual([undefined, "eu10", "us10"]);
  });

  it("are never more than 400", () => {
    const group = fc.record({
      count: fc.integer({ min: 1, max: 4_000 }),
      region: fc.constantFrom(undefined, ...Array.from({ length: 35 }, (_, index) => `r${String(index)}`)),
      state: fc.constantFrom(...CLUSTER_STATES),
      has: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(group, { maxLength: 12 }), (groups) => {
        const { regions } = clusterRegions(groups.flatMap(({ count, ...mark }) => [...rows(count, mark)]));
        const counts = regions.flatMap(({ squares }) => squares.map(({ count }) => count));

        expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(400);
        expect(counts.every((count) => count > 0)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
