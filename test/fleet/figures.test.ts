import { describe, expect, it } from "vitest";
import { clusterFigures, rolloutFigures, versionUses, type RatedEntry } from "../../src/fleet/figures.ts";
import type { ExposureSum } from "../../src/fleet/exposure.ts";
import { NO_USERS, type KnownUsers, type ModuleUser } from "../../src/fleet/users.ts";
import { moduleUser } from "./moduleUser.ts";

const NOW = 1_000_000;
const FAST: RatedEntry = {
  ...{ key: "fast/certs", module: "certs", channel: "fast", mandatory: false, deadlineMs: 600_000 },
  ...{ version: "1.1.0", appliedMs: 0, baseline: 0.1 },
};
const BASE: RatedEntry = { ...FAST, key: "mandatory/base", module: "base", channel: "mandatory", mandatory: true };
const SUM: ExposureSum = {
  ...{ module: "certs", version: "1.0.0", specHash: "h", uid: "u", generation: 1, clusters: 0, healthy: 0 },
  ...{ healthyMs: 60_000, sinceMs: 0, observedMs: 1 },
};
const SUMS = new Map([
  ["a", SUM],
  ["b", { ...SUM, uid: "v" }],
  ["c", { ...SUM, version: "1.1.0" }],
]);

function usersOf(...users: readonly ModuleUser[]): KnownUsers {
  return { ...NO_USERS, modules: new Map([["certs", users]]) };
}
const user = (version: string | undefined, condition: Partial<ModuleUser["condition"]> = {}): ModuleUser =>
  moduleUser({ version }, condition);

describe("the figures of a fleet", () => {
  it("count the clusters of an entry that are in order, pending or failing", () => {
    const users = usersOf(user("1.1.0"), user("1.1.0", { state: "Error" }), user("1.0.0"));

    expect(rolloutFigures(users, [FAST, BASE], NOW)).toEqual([
      {
        ...{ module: "certs", channel: "fast", version: "1.1.0" },
        ...{ inOrder: 1, pending: 1, failing: 1, failingRatio: 0.5, failedBefore: 0.1 },
      },
      {
        ...{ module: "base", channel: "mandatory", version: "1.1.0" },
        ...{ inOrder: 0, pending: 0, failing: 0, failingRatio: 0, failedBefore: 0.1 },
      },
    ]);
  });

  it("count clusters by a limited number of versions and states", () => {
    const users = usersOf(
      ...[user("1.1.0"), user("1.1.0"), user("1.0.0", { state: "Warning" })],
      ...[
        user("9.9.9", { state: "Odd" }),
        user(undefined, { state: undefined }),
        user("1.1.0", { leftOut: "unmanaged" }),
      ],
      user("1.1.0", { channels: ["slow"] }),
    );

    expect(
      clusterFigures(users, [FAST, BASE], SUMS, NOW).map(({ version, state, clusters }) => [version, state, clusters]),
    ).toEqual([
      ["1.1.0", "Ready", 2],
      ["1.1.0", "unmanaged", 1],
      ["1.0.0", "Warning", 1],
      ["other", "other", 1],
      ["none", "other", 1],
    ]);
  });

  it("count the clusters of a mandatory module by their Manifests", () => {
    const users = usersOf(moduleUser({ installed: "1.1.0", version: undefined }, { channels: [] }));
    const entry = { ...BASE, module: "certs" };

    expect(clusterFigures(users, [entry], new Map(), NOW)).toEqual([
      { module: "certs", channel: "mandatory", version: "1.1.0", state: "Ready", clusters: 1 },
    ]);
  });

  it("add up the use of a version over all objects", () => {
    expect(versionUses(SUMS)).toEqual([
      { module: "certs", version: "1.0.0", healthyMs: 120_000 },
      { module: "certs", version: "1.1.0", healthyMs: 60_000 },
    ]);
  });
});
