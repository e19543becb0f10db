import { describe, expect, it } from "vitest";
import { advanceExposure, isSameExposure, MOST_GAP_MS, type LiveContent } from "../../src/fleet/exposure.ts";
import type { ExposureSum, ExposureSums } from "../../src/fleet/exposure.ts";
import { NO_USERS, type ModuleUser, type Users } from "../../src/fleet/users.ts";
import { moduleUser } from "./moduleUser.ts";

const MINUTE = 60_000;
const APPLIED = 1_000_000;
const START = APPLIED + 10_000;
const CERTS: LiveContent = {
  ...{
    module: "certs",
    version: "1.1.0",
    specHash: "h",
    uid: "u",
    generation: 1,
    mandatory: false,
    deadlineMs: 600_000,
  },
  channels: [{ channel: "fast", appliedMs: APPLIED }],
};

function usersOf(...users: readonly ModuleUser[]): Users {
  return { ...NO_USERS, modules: new Map([["certs", users]]) };
}
const ready = (condition: Partial<ModuleUser["condition"]> = {}, use: Partial<ModuleUser> = {}): ModuleUser =>
  moduleUser({ version: "1.1.0", ...use }, { sinceMs: APPLIED, ...condition });

const lost = ready({ state: "Error", sinceMs: START }, { version: undefined, installed: "1.1.0" });

/** The sums after observations of these users at these times. */
function after(looks: readonly number[], users: Users, served = CERTS, before: ExposureSums = new Map()): ExposureSums {
  return looks.reduce((sums, nowMs) => advanceExposure(sums, users, [served], nowMs), before);
}
const only = (sums: ExposureSums): ExposureSum | undefined => [...sums.values()][0];
const figures = (sums: ExposureSums): readonly unknown[] =>
  [...sums.values()].map(({ clusters, healthy, healthyMs }) => [clusters, healthy, healthyMs]);

describe("the exposure of a version", () => {
  it("is the sum of the times for which its clusters were seen Ready", () => {
    const sums = after([START, START + MINUTE, START + 2 * MINUTE], usersOf(ready(), ready({}, { name: "Kyma b" })));

    expect(only(sums)).toEqual({
      ...{ module: "certs", version: "1.1.0", specHash: "h", uid: "u", generation: 1 },
      ...{ clusters: 2, healthy: 2, healthyMs: 4 * MINUTE, sinceMs: START, observedMs: START + 2 * MINUTE },
    });
  });

  it.each<[string, ModuleUser, readonly number[]]>([
    ["has failed for ten seconds", ready({ state: "Error", sinceMs: START }), [1, 0, 0]],
    ["warns", ready({ state: "Warning", sinceMs: START }), [1, 0, 0]],
    ["has been Ready for half a minute", ready({ sinceMs: START + 30_000 }), [1, 1, 20_000]],
    ["fails, and only its Manifest names the version", lost, [1, 0, 0]],
    ["was not watched", ready({ sinceMs: undefined }), [1, 1, 0]],
    ["has failed since an unknown time", ready({ state: "Error", sinceMs: undefined }), [1, 0, 0]],
  ])("grows by the observed time of a cluster that %s", (_, user, expected) => {
    const other = ready({}, { name: "Kyma b" });
    const [one = 0, two = 0, three = 0] = expected;

    expect(figures(after([START, START + MINUTE], usersOf(other, user)))).toEqual([[1 + one, 1 + two, MINUTE + three]]);
  });

  it.each<[string, ModuleUser]>([
    ["has been Ready for a moment", ready({ sinceMs: START + MINUTE - 9_999 })],
    ["is Processing", ready({ state: "Processing" })],
    ["fails for longer than it has the version", ready({ state: "Error", sinceMs: APPLIED - 1 })],
    ["runs another version", ready({}, { version: "1.0.0" })],
    ["is unmanaged", ready({ leftOut: "unmanaged" })],
    ["is being deleted", ready({ leftOut: "deleting" })],
    ["is skipped by a label", ready({ leftOut: "skipped" })],
    ["uses another channel", ready({ channels: ["slow"] })],
    ["asks for a lower version", ready({ state: "Warning", cause: "ignore channel skew (from fast to regular)" })],
  ])("does not count a cluster that %s", (_, user) => {
    expect(figures(after([START, START + MINUTE], usersOf(user)))).toEqual([]);
  });

  it("counts from the apply: an earlier state does not count for the version", () => {
    expect(figures(after([APPLIED, APPLIED + MINUTE], usersOf(ready({ sinceMs: 0 }))))).toEqual([[1, 1, 0]]);
    expect(figures(after([START - 1], usersOf(ready({ sinceMs: 0 }))))).toEqual([]);
  });

  it("keeps its time without its clusters once another object serves the same content", () => {
    const users = usersOf(ready());
    const before = after([START, START + MINUTE], users);
    const again = after([START + 2 * MINUTE], users, { ...CERTS, uid: "again" }, before);
    const other = after([START + 2 * MINUTE], users, { ...CERTS, uid: "again", specHash: "other" }, before);

    expect(figures(again)).toEqual([
      [0, 0, MINUTE],
      [1, 1, 0],
    ]);
    expect(figures(other)).toEqual([
      [1, 1, MINUTE],
      [1, 1, 0],
    ]);
  });

  it("comes from Manifests if the module is mandatory", () => {
    const mandatory = { ...CERTS, mandatory: true, channels: [{ channel: "mandatory", appliedMs: APPLIED }] };
    const users = usersOf(
      ready({ channels: [] }, { version: undefined, installed: "1.1.0" }),
      ready({}, { name: "Kyma b", installed: "1.0.0" }),
    );

    expect(figures(after([START, START + MINUTE], users, mandatory))).toEqual([[1, 1, MINUTE]]);
  });

  it("counts a cluster once, even if several channels serve the version", () => {
    const channels = [...CERTS.channels, { channel: "regular", appliedMs: APPLIED + MINUTE }];
    const users = usersOf(ready({ channels: ["fast", "regular"] }));

    expect(figures(after([START, START + MINUTE], users, { ...CERTS, channels }))).toEqual([[1, 1, MINUTE]]);
  });
});

describe("time that was not observed", () => {
  const users = usersOf(ready());

  it("does not count if the gap is longer than two minutes", () => {
    expect(figures(after([START, START + MOST_GAP_MS], users))).toEqual([[1, 1, MOST_GAP_MS]]);
    expect(figures(after([START, START + MOST_GAP_MS + 1], users))).toEqual([[1, 1, 0]]);
  });

  it("does not count while users are unknown", () => {
    const sums = after([START], users);

    expect(advanceExposure(sums, { kind: "unknown", because: "x" }, [CERTS], START + MINUTE)).toBe(sums);
  });

  it("does not count twice if the clock goes back", () => {
    const sums = after([START, START + MINUTE, START + 30_000, START + MINUTE, START + 90_000], users);

    expect(figures(sums)).toEqual([[1, 1, 90_000]]);
  });

  it("starts again if the clock goes far back", () => {
    const late = START + 62 * MINUTE;

    expect(figures(after([late, late + MINUTE, START, START + MINUTE], users))).toEqual([[1, 1, 2 * MINUTE]]);
  });
});

describe("a sum", () => {
  const sums = after([START, START + MINUTE], usersOf(ready()));

  it("does not change while another version is served, and continues when it is served again", () => {
    const other = { ...CERTS, version: "1.2.0", uid: "other" };
    const late = START + 60 * MINUTE;
    const left = after([late], usersOf(ready({}, { version: "1.2.0" })), other, sums);

    expect(only(left)).toBe(only(sums));
    expect(figures(after([late, late + MINUTE], usersOf(ready()), CERTS, left))).toEqual([
      [1, 1, 2 * MINUTE],
      [1, 1, 0],
    ]);
  });

  it("starts again for another generation of the object, and for another object", () => {
    const edited = { ...CERTS, generation: 2 };
    const later = START + 2 * MINUTE;

    expect(figures(after([later], usersOf(ready()), edited, sums))).toEqual([[1, 1, 0]]);
    expect(figures(after([later], usersOf(), edited, sums))).toEqual([]);
    expect(figures(after([later], usersOf(ready()), { ...CERTS, uid: "other" }, sums))).toEqual([
      [0, 0, MINUTE],
      [1, 1, 0],
    ]);
  });

  it("shows that no cluster runs the version any more", () => {
    expect(figures(after([START + 2 * MINUTE], usersOf(), CERTS, sums))).toEqual([[0, 0, MINUTE]]);
    expect(figures(after([START + 2 * MINUTE], NO_USERS, CERTS, sums))).toEqual([[0, 0, MINUTE]]);
  });

  it("is kept for the eight most recently observed contents of a module", () => {
    const versions = Array.from({ length: 10 }, (_, index) => `1.1.${index}`);
    const all = versions.reduce<ExposureSums>(
      (kept, version, index) =>
        after([START + index * MINUTE], usersOf(ready({}, { version })), { ...CERTS, version, uid: version }, kept),
      new Map(),
    );

    expect([...all.values()].map(({ version }) => version).toSorted()).toEqual(versions.slice(2));
  });

  it("is the same if only the time of the observation differs, by less than an hour", () => {
    const failing = usersOf(ready({ state: "Error" }));
    const [a, b] = [after([START], failing), after([START, START + MINUTE], failing)];
    const later = after([START, START + 60 * MINUTE], failing);

    expect([isSameExposure(a, b), isSameExposure(a, sums), isSameExposure(a, new Map())]).toEqual([true, false, false]);
    expect(isSameExposure(a, after([START], failing, { ...CERTS, uid: "other" }))).toBe(false);
    expect([isSameExposure(a, later), isSameExposure(later, a)]).toEqual([false, false]);
  });
});
