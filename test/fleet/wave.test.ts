import { describe, expect, it } from "vitest";
import type { ModuleCondition, ModuleUser } from "../../src/fleet/users.ts";
import type { WantedVersion } from "../../src/fleet/condition.ts";
import { countWave, failingShare } from "../../src/fleet/wave.ts";
import { moduleUser } from "./moduleUser.ts";

const APPLIED = 1_000_000;
const NOW = APPLIED + 60_000;
const WANTED: WantedVersion = {
  ...{ channel: "fast", mandatory: false, version: "1.1.0" },
  ...{ appliedMs: APPLIED, deadlineMs: 30_000 },
};

const SKEW = "ignore channel skew (from fast to regular)";

function user(
  version: string | undefined,
  state?: string,
  condition: Partial<ModuleCondition> = {},
  installed = version,
): ModuleUser {
  return moduleUser({ version, installed }, { state, sinceMs: APPLIED + 1, ...condition });
}

/** The result of a cluster. */
function fareOf(one: ModuleUser, wanted: Partial<WantedVersion> = {}): string {
  const { failing, inOrder, pending } = countWave([one], { ...WANTED, ...wanted }, NOW);
  return failing.count === 1 ? "failing" : inOrder === 1 ? "in order" : pending === 1 ? "pending" : "uncounted";
}

it("the time since which most clusters are in order is that of their own states if the apply is not known", () => {
  const since = (wanted: Partial<WantedVersion>): number | undefined =>
    countWave([user("1.1.0", "Ready", { sinceMs: 5_000 })], { ...WANTED, ...wanted }, NOW).mostlySinceMs;

  expect([since({ appliedMs: undefined }), since({})]).toEqual([15_000, APPLIED + 10_000]);
});

describe("a cluster", () => {
  it.each<[string, ModuleUser, string]>([
    ["Ready at the version for ten seconds", user("1.1.0", "Ready"), "in order"],
    ["Ready at the version for a moment", user("1.1.0", "Ready", { sinceMs: NOW - 9_999 }), "pending"],
    ["Ready at the previous version", user("1.0.0", "Ready"), "pending"],
    ["in Error at the version", user("1.1.0", "Error"), "failing"],
    ["in Warning at the version", user("1.1.0", "Warning"), "failing"],
    ["in Error for a moment", user("1.1.0", "Error", { sinceMs: NOW - 9_999 }), "pending"],
    ["in Error at the previous version", user("1.0.0", "Error"), "pending"],
    ["in Processing", user("1.1.0", "Processing", { sinceMs: NOW - 30_000 }), "pending"],
    ["in Processing for too long", user("1.1.0", "Processing", { sinceMs: NOW - 30_001 }), "failing"],
    ["that waits for a window in Processing", user("1.0.0", "Processing", { sinceMs: 1, isWaiting: true }), "pending"],
    ["stuck in Processing since before the apply", user("1.0.0", "Processing", { sinceMs: 1 }), "pending"],
    ["that got stuck in Processing since", user("1.0.0", "Processing", { sinceMs: APPLIED + 1 }), "failing"],
    ["in an unknown state", user("1.1.0", "Odd"), "pending"],
    ["without a state", user("1.1.0"), "pending"],
    ["whose version is lost", user(undefined, "Error", {}, "1.0.0"), "failing"],
    ["whose version is lost, and was higher", user(undefined, "Error", {}, "1.2.0"), "failing"],
    ["whose version is lost for a moment", user(undefined, "Error", { sinceMs: NOW - 1 }, "1.0.0"), "pending"],
    ["that does not have it yet", user(undefined), "pending"],
    ["at a higher version", user("1.2.0", "Warning"), "uncounted"],
    ["that asks for a lower version of another channel", user("1.1.0", "Warning", { cause: SKEW }), "uncounted"],
    ["of another channel", user("1.1.0", "Error", { channels: ["slow"] }), "uncounted"],
    ["that lifecycle-manager does not reconcile", user("1.1.0", "Error", { leftOut: "unmanaged" }), "uncounted"],
    ["with an invalid version", user("odd", "Ready"), "pending"],
  ])("%s counts by its state", (_, one, fare) => {
    expect(fareOf(one)).toBe(fare);
  });

  it("with a higher pre-release of the same x.y.z counts, because lifecycle-manager lowers it", () => {
    expect(fareOf(user("1.1.0-rc2", "Ready"), { version: "1.1.0-rc1" })).toBe("pending");
  });

  it("counts from the apply: an earlier state does not count for the version", () => {
    const long = user("1.1.0", "Ready", { sinceMs: 1 });

    expect([fareOf(long, { appliedMs: NOW - 9_999 }), fareOf(long, { appliedMs: NOW - 10_000 })]).toEqual([
      "pending",
      "in order",
    ]);
  });

  it("that was not watched counts by its current state", () => {
    const unseen = { sinceMs: undefined };

    expect(fareOf(user("1.1.0", "Ready", unseen), { appliedMs: -Infinity })).toBe("in order");
  });

  it("of a mandatory module counts by the version in its Manifest, in any channel", () => {
    const stray = user(undefined, "Ready", { channels: [] }, "1.1.0");
    const mandatory = { mandatory: true, channel: "mandatory" };

    expect([fareOf(stray, mandatory), fareOf({ ...stray, installed: "1.0.0" }, mandatory)]).toEqual([
      "in order",
      "pending",
    ]);
  });
});

describe("the share that fails", () => {
  it("is the share among clusters with a known result", () => {
    const shares = [
      [0, 0],
      [0, 3],
      [1, 3],
    ].map(([failing = 0, inOrder = 0]) => failingShare({ failing, inOrder }));

    expect(shares).toEqual([0, 0, 0.25]);
  });
});
