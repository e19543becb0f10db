import { describe, expect, it } from "vitest";
import { OPEN_GATE, type LiveState } from "../../src/sync/plan/input.ts";
import { acceptedKey } from "../../src/sync/plan/refusals.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import { announce } from "../../src/sync/record.ts";
import { mentions } from "../support/mentions.ts";
import {
  byEntry,
  byName,
  CAREFUL,
  desiredOf,
  edited,
  entrySummary,
  foreign,
  inputOf,
  liveOf,
  NOW,
  respecified,
  usersOf,
} from "./planning.ts";

const sample = { channels: { fast: { istio: "1.1.0" }, regular: { istio: "1.0.0" } } };
const desired = desiredOf(sample);
const live = liveOf(desired);

/** A user on fast whose status has no version any more, and a user on regular. */
const users = usersOf(
  { module: "istio", kyma: "a", channel: "fast", state: "Error", installed: "1.1.0" },
  { module: "istio", kyma: "b", channel: "regular", version: "1.0.0" },
);
/** No entry has a record. */
const records = { kind: "known", entries: new Map() } as const;
const held = {
  holds: new Map([["fast/istio", { reason: "it leaks" }]]),
  waves: new Map(),
  accepted: new Set<string>(),
};
const unknown = { kind: "unknown", because: "the server answers 404" } as const;

describe("a release meta that a person deleted", () => {
  const without = (state: LiveState): LiveState => ({ ...state, releaseMetas: [] });
  const refused = ["refused fast/istio – → 1.1.0: user-endangered", "refused regular/istio – → 1.0.0: user-endangered"];

  it("does not come back without an entry that has users: lifecycle-manager would forget their versions", () => {
    const decided = plan(inputOf(desired, without(live), { users }));

    expect(entrySummary(decided)).toEqual(refused);
    expect(byName(decided)["istio"]).toBeUndefined();
  });

  it("does not come back either if its former entries are unknown", () => {
    expect(entrySummary(plan(inputOf(desired, without({ ...live, records }), { users })))).toEqual(refused);
  });

  it("does not come back without records for fewer channels than clusters have it from", () => {
    const slowOnly = desiredOf({ channels: { regular: { istio: "1.0.0" } } });
    const calm = usersOf(
      { module: "istio", kyma: "a", channel: "fast", state: "Warning", version: "1.1.0" },
      { module: "istio", kyma: "b", channel: "regular", version: "1.0.0" },
    );
    const forgotten = usersOf({ module: "istio", channel: "fast", state: "Error", installed: "1.0.0" });
    const unrecorded = without({ ...live, records: { kind: "none" } });

    expect(byEntry(plan(inputOf(slowOnly, unrecorded, { users: calm })))).toMatchObject({
      "regular/istio": { kind: "refused", refusal: "user-endangered", remedy: mentions("serve fast") },
    });
    expect(entrySummary(plan(inputOf(slowOnly, unrecorded, { users: forgotten })))).toEqual([
      "create regular/istio – → 1.0.0",
    ]);
  });

  it("comes back with the recorded channels, although a Kyma names another one", () => {
    const odd = usersOf({ module: "istio", kyma: "a", channel: "nonsense", state: "Warning", version: "1.1.0" });

    expect(entrySummary(plan(inputOf(desired, without(live), { users: odd })))).toEqual([
      "create fast/istio – → 1.1.0",
      "create regular/istio – → 1.0.0",
    ]);
  });

  it("comes back for a mandatory module, whatever channel clusters had it from", () => {
    const accepted = new Set([
      acceptedKey({ refusal: "mandatory-flip", module: "istio", channel: "must", from: undefined, to: "1.1.0" }),
    ]);
    const must = desiredOf({ channels: { must: { istio: "1.1.0" } }, mandatory: ["must"] });
    const calm = usersOf({ module: "istio", channel: "fast", version: "1.1.0" });
    const input = inputOf(must, without({ ...live, records: { kind: "none" } }), { users: calm });

    expect(entrySummary(plan({ ...input, gate: { ...OPEN_GATE, accepted } }))).toEqual(["create must/istio – → 1.1.0"]);
  });

  it("does not come back either if an entry is held", () => {
    const one = desiredOf({ channels: { fast: { istio: "1.2.0" }, regular: { istio: "1.0.0" } } });
    const calm = usersOf({ module: "istio", channel: "fast", version: "1.1.0" });
    const decided = plan(inputOf(one, without({ ...live, records }), { users: calm, gate: held }));

    expect(byEntry(decided)["regular/istio"]).toMatchObject({ remedy: mentions("serve fast") });
  });

  it("comes back completely, or without an entry that has no users", () => {
    const calm = usersOf({ module: "istio", kyma: "b", channel: "regular", version: "1.0.0" });

    expect(entrySummary(plan(inputOf(desired, without(live), { users: calm })))).toEqual([
      "create fast/istio – → 1.1.0",
      "create regular/istio – → 1.0.0",
    ]);
    expect(entrySummary(plan(inputOf(desired, without({ ...live, records }), { users: calm, gate: held })))).toEqual([
      "waiting fast/istio – → 1.1.0",
      "create regular/istio – → 1.0.0",
    ]);
  });
});

describe("an entry that a person removed, and that the repository does not want any more", () => {
  const fastOnly = desiredOf({ channels: { fast: { istio: "1.1.0" } } });
  const gone = edited(live, "istio", () => undefined);
  const known = new Map(desired.templates.map((template) => [template.metadata.name, template]));
  const onRegular = usersOf({ module: "istio", kyma: "b", channel: "regular", version: "1.0.0" });

  it("is refused, and stays recorded, if its users are unknown", () => {
    const input = inputOf(fastOnly, gone, { users: unknown, known });
    const decided = plan(input);

    expect(entrySummary(decided)).toEqual([
      "refused fast/istio – → 1.1.0: references-unknown",
      "refused regular/istio – → 1.0.0: references-unknown",
    ]);
    expect([...announce(decided, input, NOW).entries.keys()]).toEqual(["fast/istio", "regular/istio"]);
    expect(entrySummary(plan({ ...input, users: onRegular }))).toEqual([
      "create fast/istio – → 1.1.0",
      "create regular/istio – → 1.0.0",
    ]);
  });

  it("is refused while its users need a template that is lost, and dropped without users", () => {
    const bare = edited(gone, "istio-1.0.0", () => undefined);

    expect(entrySummary(plan(inputOf(fastOnly, bare, { users: onRegular })))).toEqual([
      "refused fast/istio – → 1.1.0: user-endangered",
      "refused regular/istio – → 1.0.0: template-missing",
    ]);
    expect(entrySummary(plan(inputOf(fastOnly, bare)))).toEqual(["create fast/istio – → 1.1.0"]);
  });

  it("is refused while its template is not ours", () => {
    const taken = edited(gone, "istio-1.0.0", foreign);

    expect(byEntry(plan(inputOf(fastOnly, taken, { users: onRegular, known })))["regular/istio"]).toMatchObject({
      kind: "refused",
      refusal: "not-ours",
    });
  });
});

describe("a template in use that a person edited", () => {
  const broken = edited(live, "istio-1.0.0", (object) => respecified(object, { mandatory: true }));

  it("is repaired if that harms no user", () => {
    const calm = usersOf({ module: "istio", channel: "regular", state: "Error", installed: "1.0.0" });

    expect(byName(plan(inputOf(desired, broken, { users: calm })))["istio-1.0.0"]).toMatchObject({ kind: "change" });
  });

  it("stays as it is if lifecycle-manager would install it over a higher version", () => {
    const decided = plan(inputOf(desired, broken, { users }));

    expect(byName(decided)["istio-1.0.0"]).toMatchObject({ kind: "refused", refusal: "user-endangered" });
  });
});

describe("an entry that a person set to the wanted version, without its template", () => {
  it("does not get the template while it is refused, because its users would get it, too", () => {
    const wanted = desiredOf({ channels: { fast: { istio: "1.2.0" }, regular: { istio: "1.0.0" } } });
    const channels = [
      { channel: "fast", version: "1.2.0" },
      { channel: "regular", version: "1.0.0" },
    ];
    const early = edited(live, "istio", (object) => respecified(object, { channels }));
    const decided = plan(inputOf(wanted, early, { users: unknown }));

    expect(entrySummary(decided)).toEqual(["refused fast/istio 1.2.0 → 1.2.0: references-unknown"]);
    expect(byName(decided)["istio-1.2.0"]).toMatchObject({ kind: "refused", refusal: "template-missing" });
  });
});

describe("a module that becomes mandatory, with channel templates", () => {
  it("is refused in the new channel and in the old one", () => {
    const generation = "channel-templates";
    const old = liveOf(desiredOf({ channels: { fast: { istio: "1.1.0" } } }, generation));
    const now = desiredOf({ channels: { fast: {}, must: { istio: "1.1.0" } }, mandatory: ["must"] }, generation);
    const used = usersOf({ module: "istio", channel: "fast", version: "1.1.0" });

    expect(entrySummary(plan(inputOf(now, old, { users: used, options: { ...CAREFUL, prune: true } })))).toEqual([
      "refused fast/istio 1.1.0 → –: mandatory-flip",
      "refused must/istio – → 1.1.0: mandatory-flip",
    ]);
  });
});
