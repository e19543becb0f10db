import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WantedVersion } from "../../src/fleet/condition.ts";
import { countRollout, type MissingGroup, type RolloutCounts } from "../../src/fleet/rollout.ts";
import type { ModuleCondition, ModuleUser } from "../../src/fleet/users.ts";
import { moduleUser } from "./moduleUser.ts";

const APPLIED = 1_000_000;
const NOW = APPLIED + 60_000;
const WANTED: WantedVersion = {
  ...{ channel: "fast", mandatory: false, version: "1.1.0", appliedMs: APPLIED, deadlineMs: 30_000 },
};
const count = (users: readonly ModuleUser[], wanted: Partial<WantedVersion> = {}): RolloutCounts =>
  countRollout(users, { ...WANTED, ...wanted }, NOW);
const SKEW =
  "ignore channel skew (from fast to regular), as a higher version (…) of the module was previously installed";

const user = (version: string | undefined, condition: Partial<ModuleCondition> = {}, name = "Kyma a"): ModuleUser =>
  moduleUser({ name, version }, condition);

/** Its status has no version. */
const forgotten = (installed: string): ModuleUser => moduleUser({ installed }, { state: "Error" });

/** Why a single cluster does not have the version. */
function missingOf(one: ModuleUser, wanted: Partial<WantedVersion> = {}): unknown {
  const { clusters, have, missing } = count([one], wanted);
  const [group] = missing;
  expect(have + missing.length).toBe(clusters);
  return clusters === 0 ? "not asked" : group === undefined ? "has it" : [group.why, group.version, group.cause];
}

describe("a cluster", () => {
  it.each<[string, ModuleUser, unknown]>([
    ["Ready with the version", user("1.1.0"), "has it"],
    ["Ready with it for ten seconds", user("1.1.0", { sinceMs: NOW - 10_000 }), "has it"],
    ["Ready with it for less", user("1.1.0", { sinceMs: NOW - 9_999 }), ["changing", undefined, undefined]],
    ["in Error for less", user("1.0.0", { state: "Error", sinceMs: NOW - 1 }), ["changing", undefined, undefined]],
    ["in Error", user("1.1.0", { state: "Error", cause: "no space" }), ["error", "1.1.0", "no space"]],
    ["in Error before its upgrade", user("1.0.0", { state: "Error" }), ["error", "1.0.0", undefined]],
    ["in Warning without a version", user(undefined, { state: "Warning" }), ["warning", undefined, undefined]],
    ["in Error with a version that only its Manifest names", forgotten("1.1.0"), ["forgotten", "1.1.0", undefined]],
    ["in Error with another version of its Manifest", forgotten("1.0.0"), ["forgotten", "1.0.0", undefined]],
    [
      "that is Processing",
      user("1.1.0", { state: "Processing", sinceMs: NOW - 30_000, cause: "x" }),
      ["processing", undefined, undefined],
    ],
    ["that is Processing for too long", user("1.1.0", { state: "Processing" }), ["overdue", undefined, undefined]],
    ["that was not upgraded yet", user("1.0.0", { sinceMs: NOW - 1 }), ["behind", "1.0.0", undefined]],
    ["with a higher version", user("1.10.0"), ["ahead", "1.10.0", undefined]],
    ["with an invalid version", user("latest"), ["behind", "latest", undefined]],
    ["without a version", user(undefined), ["behind", undefined, undefined]],
    ["that waits for its window", user("1.0.0", { isWaiting: true }), ["maintenance", "1.0.0", undefined]],
    ["that waits for the window of another version", user("1.1.0", { isWaiting: true }), "has it"],
    ["without a state", user(undefined, { state: undefined }), ["unsaid", undefined, undefined]],
    ["in an unknown state", user("1.1.0", { state: "Odd" }), ["unsaid", undefined, undefined]],
    ["that is unmanaged", user("1.1.0", { leftOut: "unmanaged" }), ["unmanaged", undefined, undefined]],
    ["that is being deleted", user("1.1.0", { leftOut: "deleting" }), ["deleting", undefined, undefined]],
    ["that is skipped", user("1.0.0", { state: "Error", leftOut: "skipped" }), ["skipped", undefined, undefined]],
    ["of another channel", user("1.1.0", { channels: ["regular"] }), "not asked"],
    ["that left for a lower channel", user("1.1.0", { state: "Warning", cause: SKEW }), "not asked"],
  ])("%s", (_, one, expected) => {
    expect(missingOf(one)).toEqual(expected);
  });

  it("with a refused downgrade belongs to the channel that it asks for", () => {
    const skewed = user("2.0.0", { state: "Warning", cause: SKEW });

    expect(missingOf(skewed, { channel: "regular" })).toEqual(["downgrade", "2.0.0", undefined]);
  });

  it("does not have a version before its apply", () => {
    expect(missingOf(user("1.1.0"), { appliedMs: NOW - 1 })).toEqual(["changing", undefined, undefined]);
    expect(missingOf(user("1.1.0"), { appliedMs: undefined })).toBe("has it");
    // By a clock that is ahead.
    expect(missingOf(user("1.1.0"), { appliedMs: NOW + 3_600_000 })).toBe("has it");
    expect(missingOf(user("1.0.0", { state: "Error" }), { appliedMs: NOW - 1 })).toEqual(["error", "1.0.0", undefined]);
  });

  it("counts for a version that no channel serves if it has that version", () => {
    expect(missingOf(user("1.1.0", { channels: [] }), { channel: undefined })).toBe("has it");
    expect(missingOf(user("1.0.0"), { channel: undefined })).toBe("not asked");
    expect(missingOf(forgotten("1.1.0"), { channel: undefined })).toEqual(["forgotten", "1.1.0", undefined]);
  });

  it("has the version of a mandatory module that its Manifest installs", () => {
    const stray = (installed: string | undefined): ModuleUser =>
      moduleUser({ name: "Manifest m", installed }, { channels: [] });
    const mandatory = { channel: "base", mandatory: true };

    expect(missingOf(stray("1.1.0"), mandatory)).toBe("has it");
    expect(missingOf(stray("1.0.0"), mandatory)).toEqual(["behind", "1.0.0", undefined]);
    expect(missingOf(stray("1.0.0"), { channel: undefined, mandatory: true })).toBe("not asked");
    expect(missingOf(stray("1.1.0"), { channel: undefined, mandatory: true })).toBe("has it");
  });
});

describe("clusters without a version", () => {
  const failed = (name: string, sinceMs?: number): ModuleUser =>
    user("1.1.0", { state: "Error", cause: "no space", sinceMs }, `Kyma ${name}`);

  it("form a group for each cause, which names the five oldest, unknown ages last by name", () => {
    const users = [failed("g"), failed("b", 3), failed("f"), failed("a", 4), failed("c", 1), failed("d", 2)];
    const { missing, ...counts } = count([...users, user("1.1.0"), user("1.0.0")]);

    expect(counts).toEqual({ clusters: 8, have: 1, failing: 6 });
    expect(missing.map(({ why, count }) => [why, count])).toEqual([
      ["error", 6],
      ["behind", 1],
    ]);
    expect(missing[0]?.oldest).toEqual([
      ...[
        { name: "Kyma c", sinceMs: 1 },
        { name: "Kyma d", sinceMs: 2 },
        { name: "Kyma b", sinceMs: 3 },
      ],
      ...[
        { name: "Kyma a", sinceMs: 4 },
        { name: "Kyma f", sinceMs: undefined },
      ],
    ]);
  });

  it("fail with the version, or failed with the previous one", () => {
    const users = [failed("a"), user("1.0.0", { state: "Warning" }), user("1.1.0"), forgotten("1.1.0")];

    expect(count(users)).toMatchObject({ clusters: 4, failing: 2 });
  });

  it("are none in an empty fleet", () => {
    expect(count([])).toEqual({ clusters: 0, have: 0, failing: 0, missing: [] });
  });

  const anyUser: fc.Arbitrary<ModuleUser> = fc
    .record({
      version: fc.constantFrom("1.0.0", "1.1.0", "1.2.0", "latest", undefined),
      state: fc.constantFrom("Ready", "Processing", "Warning", "Error", "", undefined),
      sinceMs: fc.constantFrom(undefined, 1, 2, NOW - 1, NOW + 1),
      leftOut: fc.constantFrom(undefined, undefined, undefined, "unmanaged" as const, "deleting" as const),
      isWaiting: fc.boolean(),
      cause: fc.constantFrom(undefined, SKEW, "no space", "no quota"),
      channels: fc.subarray(["fast", "regular"]),
    })
    .map(({ version, ...condition }) => user(version, condition));
  const anyFleet = fc
    .array(anyUser, { maxLength: 30 })
    .map((users) => users.map((one, index) => ({ ...one, name: `Kyma ${String(index)}` })));

  it("are counted once each", () => {
    fc.assert(
      fc.property(anyFleet, fc.constantFrom("fast", "regular", undefined), (users, channel) => {
        const { clusters, have, missing, failing } = count(users, { channel });
        const sum = missing.reduce((before, { count }) => before + count, have);
        const names = missing.flatMap(({ oldest }) => oldest.map(({ name }) => name));

        expect(sum).toBe(clusters);
        expect(clusters).toBeLessThanOrEqual(users.length);
        expect(failing).toBeLessThanOrEqual(clusters - have);
        expect(new Set(names).size).toBe(names.length);
        expect(missing.every(({ count, oldest }: MissingGroup) => oldest.length === Math.min(count, 5))).toBe(true);
      }),
    );
  });

  it("are grouped alike in any order", () => {
    const shuffled = anyFleet.chain((users) =>
      fc.tuple(fc.constant(users), fc.shuffledSubarray(users, { minLength: users.length })),
    );
    fc.assert(
      fc.property(shuffled, ([users, others]) => {
        expect(count(others)).toEqual(count(users));
      }),
    );
  });
});
