import { describe, expect, it } from "vitest";
import { clusterView } from "../../../src/dashboard/fleet/clusters.ts";
import { fleetRows, type FleetInput } from "../../../src/dashboard/fleet/clusters.ts";
import type { ModuleCondition, ModuleUser } from "../../../src/fleet/users.ts";
import { moduleUser } from "../../fleet/moduleUser.ts";
import { cluster, fleetOf, NOW, served } from "./fleetOf.ts";

const SKEW =
  "ignore channel skew (from fast to regular), as a higher version (…) of the module was previously installed";

/** The row of a single cluster. */
function shown(user: ModuleUser, input: Partial<FleetInput> = {}): unknown {
  const [row, ...others] = fleetRows("telemetry", { ...fleetOf([user]), ...input });
  expect(others).toEqual([]);
  return row && [row.channel, row.runs, row.wanted, row.state, row.lacking?.why];
}

describe("a cluster of a module", () => {
  it.each<[string, string | undefined, Partial<ModuleCondition>, readonly unknown[]]>([
    ["has what it should", "1.17.1", {}, ["1.17.1", "1.17.1", "Ready", undefined]],
    ["was not upgraded yet", "1.16.2", {}, ["1.16.2", "1.17.1", "Ready", "behind"]],
    ["waits for its window", "1.16.2", { isWaiting: true }, ["1.16.2", "1.17.1", "Ready", "maintenance"]],
    ["has it for 9 s", "1.17.1", { sinceMs: NOW - 9_999 }, ["1.17.1", "1.17.1", "Changing", "changing"]],
    ["has another one for 1 ms", "1.16.2", { sinceMs: NOW - 1 }, ["1.16.2", "1.17.1", "Changing", "behind"]],
    [
      "is on its way",
      "1.17.1",
      { state: "Processing", sinceMs: NOW },
      ["1.17.1", "1.17.1", "Processing", "processing"],
    ],
    ["is unmanaged, and lies", "1.17.1", { leftOut: "unmanaged" }, [undefined, "1.17.1", "Unmanaged", "unmanaged"]],
    ["is being deleted", "1.16.2", { leftOut: "deleting" }, ["1.16.2", "1.17.1", "Deleting", "deleting"]],
    ["is left out by its label", "1.16.2", { leftOut: "skipped" }, ["1.16.2", "1.17.1", "Skipped", "skipped"]],
    ["has no state", undefined, { state: undefined }, [undefined, "1.17.1", "Unknown", "unsaid"]],
    ["has a version that is none", "<b>", {}, ["<b>", "1.17.1", "Ready", "behind"]],
    [
      "asks for regular, and keeps what fast had",
      "1.18.0",
      { channels: ["fast"], state: "Warning", cause: SKEW },
      ["1.18.0", "1.17.1", "Warning", "downgrade"],
    ],
  ])("%s", (_, version, condition, expected) => {
    expect(shown(cluster("a", version, condition))).toEqual(["regular", ...expected]);
  });

  it("may ask for a channel that serves nothing", () => {
    const rapid = cluster("a", "1.16.2", { channels: ["rapid"], state: "Error" });
    const entries = [{ ...served("regular", ""), counted: undefined }];

    expect(shown(rapid)).toEqual([undefined, "1.16.2", undefined, "Error", "unserved"]);
    expect(shown(cluster("a", "1.1.0"), { entries })).toEqual([undefined, "1.1.0", undefined, "Ready", "unserved"]);
  });

  it("may name no channel, or have a Manifest that no Kyma lists", () => {
    const unclear = cluster("a", "1.16.2", { channels: [], state: "Error", cause: "no space" });
    const stray = moduleUser({ name: "Manifest m", kyma: "a", installed: "1.16.2" }, { channels: [] });

    expect(shown(unclear)).toEqual([undefined, "1.16.2", undefined, "Error", "unchosen"]);
    expect(shown(stray)).toEqual([undefined, "1.16.2", undefined, "Ready", "unlisted"]);
  });

  it("does not have a version that was applied a moment ago", () => {
    const entries = [served("regular", "1.17.1", { appliedMs: NOW - 1 })];

    expect(shown(cluster("a", "1.17.1"), { entries })).toEqual(["regular", "1.17.1", "1.17.1", "Changing", "changing"]);
  });

  it("has the version of a mandatory module that its Manifest installs", () => {
    const entries = [served("base", "1.17.1", { mandatory: true })];
    const stray = moduleUser({ name: "Manifest m", version: undefined, installed: "1.17.1" }, { channels: [] });

    expect(shown(stray, { entries })).toEqual(["base", "1.17.1", "1.17.1", "Ready", undefined]);
  });

  it("belongs to each channel that it names, and is counted in the first", () => {
    const both = cluster("a", "1.17.1", { channels: ["fast", "regular"] });
    const rows = (channel?: string): unknown =>
      fleetRows("telemetry", fleetOf([both]), channel).map((row) => [row.channel, row.lacking?.why]);

    expect([rows(), rows("fast")]).toEqual([[["fast", "behind"]], [["fast", "behind"]]]);
    expect([rows("regular"), rows("rapid")]).toEqual([[["regular", undefined]], []]);
  });

  it("is in the region of its Kyma's label", () => {
    const nameless = moduleUser({ name: "Manifest m", kyma: undefined });
    const users = [cluster("a", "1.17.1"), cluster("b", "1.17.1"), nameless];
    const rows = fleetRows("telemetry", fleetOf(users, { a: "eu10" }));

    expect(rows.map(({ name, region = "none" }) => `${name} ${region}`)).toEqual(["a eu10", "b none"]);
  });
});

describe("one cluster", () => {
  const fleet = fleetOf([cluster("a", "1.16.2", { isWaiting: true }), cluster("b", "1.17.1")], { a: "eu10" });
  const istio = moduleUser({ name: "Manifest a-istio", kyma: "a", version: undefined, installed: "1.21.4" });
  const input: FleetInput = {
    ...fleet,
    users: { ...fleet.users, modules: new Map([...fleet.users.modules, ["istio", [istio]]]) },
    entries: [...fleet.entries, { ...served("base", "1.21.4", { mandatory: true }), module: "istio" }],
  };

  it("has its modules with their ages, and what each of them waits for", () => {
    expect(clusterView("a", input)).toMatchObject({
      ...{ name: "a", region: "eu10" },
      modules: [
        { module: "istio", mandatory: true, runs: "1.21.4", state: "Ready", lacking: undefined },
        { module: "telemetry", mandatory: false, runs: "1.16.2", sinceMs: 1, lacking: { why: "maintenance" } },
      ],
    });
  });

  it("is no Manifest without a Kyma", () => {
    const alone = moduleUser({ name: "Manifest m", kyma: undefined, version: "1.17.1" }, { channels: ["regular"] });

    expect(clusterView("Manifest m", fleetOf([alone]))).toBeUndefined();
  });

  it("is unknown if there is no Kyma of its name", () => {
    expect(clusterView("c", input)).toBeUndefined();
  });
});
