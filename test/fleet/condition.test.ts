import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clusterCondition, conditionCourse, type WantedVersion } from "../../src/fleet/condition.ts";
import { countRollout } from "../../src/fleet/rollout.ts";
import type { ModuleCondition, ModuleUser } from "../../src/fleet/users.ts";
import { countWave } from "../../src/fleet/wave.ts";
import { moduleUser } from "./moduleUser.ts";

const APPLIED = 1_000_000;
const DEADLINE = 600_000;
const WANTED: WantedVersion = {
  ...{ channel: "fast", mandatory: false, version: "1.1.0" },
  ...{ appliedMs: APPLIED, deadlineMs: DEADLINE },
};
const SKEW = "ignore channel skew (from fast to regular)";

const user = (version: string | undefined, condition: Partial<ModuleCondition> = {}, installed = version): ModuleUser =>
  moduleUser({ version, installed }, condition);
const failed = (sinceMs: number | undefined, state = "Error", version: string | undefined = "1.1.0"): ModuleUser =>
  user(version, { state, sinceMs, cause: "no space" }, "1.1.0");

/** The kind and the reason of a cluster's condition, so long after the apply. */
function standsAfter(afterMs: number, one: ModuleUser, wanted: Partial<WantedVersion> = {}): readonly unknown[] {
  const { kind, why } = clusterCondition(one, { ...WANTED, ...wanted }, APPLIED + afterMs);
  return why === undefined ? [kind] : [kind, why];
}

describe("a failure that began before a version was applied", () => {
  it.each([
    ["Error", failed(APPLIED - 1)],
    ["Warning", failed(APPLIED - 1, "Warning")],
    ["a lost version", moduleUser({ version: undefined, installed: "1.0.0" }, { sinceMs: APPLIED - 1 })],
    ["an Error since an unknown time", failed(undefined)],
  ])("is none of the version until the deadline: %s", (_, one) => {
    const kinds = [0, 62_000, DEADLINE - 1, DEADLINE].map((afterMs) => standsAfter(afterMs, one)[0]);

    expect(kinds).toEqual(["upgrading", "upgrading", "upgrading", "failing"]);
    expect(clusterCondition(one, WANTED, APPLIED + 62_000)).toMatchObject({ mayFail: true });
  });

  it("counts once the state has changed and held", () => {
    const one = failed(APPLIED + 5_000);

    expect(standsAfter(14_999, one)).toEqual(["upgrading", "changing"]);
    expect(standsAfter(15_000, one)).toEqual(["failing", "error"]);
  });

  it("counts at once if no apply is recorded", () => {
    expect(standsAfter(0, failed(undefined), { appliedMs: undefined })).toEqual(["failing", "error"]);
  });
});

describe("a failure after the objects of a version came back", () => {
  const restored = { restoredMs: APPLIED + 100_000 };

  it("is none of the version until the deadline", () => {
    const one = failed(APPLIED + 100_500, "Warning");

    expect(standsAfter(130_000, one, restored)).toEqual(["upgrading", "warning"]);
    expect(standsAfter(100_000 + DEADLINE, one, restored)).toEqual(["failing", "warning"]);
  });

  it("counts like any other later", () => {
    const one = failed(APPLIED + 200_000 + DEADLINE);

    expect(standsAfter(200_000 + DEADLINE, one, restored)).toEqual(["upgrading", "changing"]);
    expect(standsAfter(210_000 + DEADLINE, one, restored)).toEqual(["failing", "error"]);
  });
});

describe("the condition of a cluster", () => {
  it.each<[string, ModuleUser, Partial<WantedVersion>, readonly unknown[]]>([
    [
      "that never reports when it began to process",
      user("1.1.0", { state: "Processing" }),
      { appliedMs: undefined },
      ["upgrading", "processing"],
    ],
    [
      "that processed the version before",
      user("1.0.0", { state: "Processing", sinceMs: 1 }),
      {},
      ["upgrading", "processing"],
    ],
    ["that processes too long", user("1.1.0", { state: "Processing", sinceMs: 1 }), {}, ["failing", "overdue"]],
    ["that runs a higher version in Error", user("1.2.0", { state: "Error" }), {}, ["left out", "ahead"]],
    [
      "whose downgrade is refused, from an unknown channel",
      user("1.1.0", { state: "Warning", cause: "ignore channel skew" }),
      {},
      ["left out", "downgrade"],
    ],
    ["that asks for another channel", user("1.1.0", { state: "Warning", cause: SKEW }), {}, ["elsewhere"]],
    [
      "that is a Manifest alone",
      moduleUser({ name: "Manifest m", kyma: undefined, version: "1.1.0" }),
      {},
      ["elsewhere"],
    ],
    [
      "that is a Manifest alone, of a mandatory module",
      moduleUser({ kyma: undefined, version: "1.1.0" }),
      { mandatory: true },
      ["elsewhere"],
    ],
  ])("%s", (_, one, wanted, expected) => {
    expect(standsAfter(DEADLINE + 1, one, wanted)).toEqual(expected);
  });

  it("says why and since when, with the message of lifecycle-manager", () => {
    expect(clusterCondition(failed(APPLIED + 1), WANTED, APPLIED + DEADLINE)).toEqual({
      ...{ kind: "failing", why: "error", version: "1.1.0", cause: "no space", sinceMs: APPLIED + 1, mayFail: false },
    });
  });
});

const instant = fc.constantFrom(undefined, APPLIED - 100_000, APPLIED - 1, APPLIED, APPLIED + 1, APPLIED + 300_000);
const anyUser: fc.Arbitrary<ModuleUser> = fc
  .record({
    version: fc.constantFrom("1.0.0", "1.1.0", "1.2.0", "latest", undefined),
    installed: fc.constantFrom("1.0.0", "1.1.0", undefined),
    kyma: fc.constantFrom("a", "a", "a", undefined),
    state: fc.constantFrom("Ready", "Processing", "Warning", "Error", "", undefined),
    sinceMs: instant,
    leftOut: fc.constantFrom(undefined, undefined, "unmanaged" as const),
    isWaiting: fc.boolean(),
    cause: fc.constantFrom(undefined, SKEW, "no space"),
    channels: fc.subarray(["fast", "regular"]),
  })
  .map(({ version, installed, kyma, ...condition }) => moduleUser({ version, installed, kyma }, condition));
const anyWanted: fc.Arbitrary<WantedVersion> = fc.record({
  channel: fc.constantFrom("fast", "regular", undefined),
  mandatory: fc.boolean(),
  version: fc.constantFrom("1.0.0", "1.1.0"),
  appliedMs: fc.constantFrom(undefined, APPLIED),
  restoredMs: fc.constantFrom(undefined, APPLIED + 200_000),
  deadlineMs: fc.constantFrom(0, DEADLINE),
});

describe("all counts of clusters", () => {
  it("agree: each cluster counts once, and as its condition is", () => {
    fc.assert(
      fc.property(
        fc.array(anyUser, { maxLength: 12 }),
        anyWanted,
        fc.nat({ max: 2_000_000 }),
        (users, wanted, afterMs) => {
          const nowMs = APPLIED + afterMs;
          const kinds = users.map((one) => clusterCondition(one, wanted, nowMs).kind);
          const of = (...some: readonly string[]): number => kinds.filter((kind) => some.includes(kind)).length;
          const rollout = countRollout(users, wanted, nowMs);
          const wave = countWave(users, wanted, nowMs);

          expect([rollout.clusters, rollout.have, rollout.failing]).toEqual([
            ...[users.length - of("elsewhere"), of("has"), of("failing")],
          ]);
          expect([wave.inOrder, wave.failing.count, wave.pending]).toEqual([
            ...[of("has"), of("failing"), of("upgrading", "waiting")],
          ]);
          expect(wave.mayFail).toBeLessThanOrEqual(wave.pending);
        },
      ),
    );
  });

  it("agree at any time: a condition turns once at most, and a version never fails before its apply", () => {
    fc.assert(
      fc.property(anyUser, anyWanted, (one, wanted) => {
        const { first, turnsMs, then } = conditionCourse(one, wanted);
        const at = (nowMs: number): unknown => clusterCondition(one, wanted, nowMs);

        expect(["has", "failing"]).not.toContain(turnsMs === -Infinity ? undefined : first.kind);
        for (const nowMs of [APPLIED, APPLIED + 10_000, APPLIED + 10 * DEADLINE])
          expect(at(nowMs)).toEqual(nowMs < turnsMs ? first : then);
      }),
    );
  });
});
