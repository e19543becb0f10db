import { describe, expect, it } from "vitest";
import { Fleet } from "../../src/fleet/fleet.ts";
import { listAt, textAt } from "../../src/document/fields.ts";
import { FAILS_ANNOTATION } from "../../src/rehearsal/manifest.ts";
import { rehearsedKymas, type FleetPlan } from "../../src/rehearsal/fleet.ts";
import { clusterDraw, maintenanceWindow } from "../../src/rehearsal/speed.ts";

const PLAN: FleetPlan = {
  landscape: "dev",
  namespace: "kcp-system",
  clusters: 200,
  offers: new Map([
    ["fast", ["certificates", "object-store"]],
    ["regular", ["certificates", "object-store"]],
    ["experimental", ["data-pipeline"]],
  ]),
  failing: [
    { module: "certificates", version: "1.5.1" },
    { module: "object-store", version: "1.0.0" },
  ],
};

describe("the clusters of a rehearsal", () => {
  it("are the same each time, with different channels, modules and regions", () => {
    const kymas = rehearsedKymas(PLAN);
    const fleet = new Fleet();
    for (const kyma of kymas) fleet.setKyma(kyma);
    const users = fleet.users();
    if (users.kind !== "known") throw new Error(users.because);

    expect(rehearsedKymas(PLAN)).toEqual(kymas);
    expect([users.kymas.size, [...users.modules.keys()].sort()]).toEqual([
      200,
      ["certificates", "data-pipeline", "object-store"],
    ]);
    const channels = Map.groupBy(users.modules.get("certificates") ?? [], ({ condition }) => condition.channels.join());
    expect([...channels.keys()].sort()).toEqual(["fast", "regular"]);
    for (const [, clusters] of channels) expect(clusters.length).toBeGreaterThan(20);
    expect(new Set(kymas.map(({ metadata }) => metadata.labels?.["kyma-project.io/region"])).size).toBe(5);
    const leftOut = (users.modules.get("certificates") ?? []).map(({ condition }) => condition.leftOut);
    expect(new Set(leftOut)).toEqual(new Set([undefined, "unmanaged", "skipped"]));
  });

  it("fail on 3 % of each channel, and on at least one", () => {
    const failing = (clusters: number): Readonly<Record<string, number>> => {
      const kymas = rehearsedKymas({ ...PLAN, clusters });
      const channels = kymas.flatMap(({ metadata, spec }) =>
        metadata.annotations?.[FAILS_ANNOTATION]?.split(",").includes("certificates@1.5.1") === true
          ? listAt(spec, ["modules"]).flatMap((one) =>
              textAt(one, ["name"]) === "certificates" ? [textAt(one, ["channel"]) ?? ""] : [],
            )
          : [],
      );
      const groups = Map.groupBy(channels, (channel) => channel);
      return Object.fromEntries([...groups].map(([channel, all]) => [channel, all.length]));
    };
    expect(failing(20)).toEqual({ fast: 1, regular: 1 });
    const { fast = 0, regular = 0 } = failing(1000);
    expect(fast).toBeGreaterThan(5);
    expect(fast + regular).toBeLessThan(40);
  });

  it("have no modules if nothing is served", () => {
    const [kyma] = rehearsedKymas({ ...PLAN, clusters: 8, offers: new Map(), failing: [] }).slice(-1);
    expect(kyma?.["spec"]).toEqual({ channel: "regular", modules: [] });
  });

  it("each have a maintenance window of four hours a day", () => {
    for (const name of ["dev-0001", "dev-0002", "dev-0003"]) {
      const hours = Array.from({ length: 48 }, (_, hour) => maintenanceWindow(name, hour * 3_600_000 + 60_000));
      expect(hours.filter(({ isOpen }) => isOpen)).toHaveLength(8);
      for (const [hour, { isOpen, untilMs }] of hours.entries()) {
        expect(untilMs).toBeGreaterThan(hour * 3_600_000);
        expect(maintenanceWindow(name, untilMs).isOpen).toBe(!isOpen);
        expect(maintenanceWindow(name, untilMs - 1).isOpen).toBe(isOpen);
      }
    }
    expect(clusterDraw("a")).toBe(clusterDraw("a"));
  });
});
