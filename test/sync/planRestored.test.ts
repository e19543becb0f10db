import { describe, expect, it } from "vitest";
import type { Sample } from "./catalogueFiles.ts";
import { NO_USERS, type Users } from "../../src/fleet/users.ts";
import { plan } from "../../src/sync/plan/plan.ts";
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
  marked,
  respecified,
  summary,
  usersOf,
} from "./planning.ts";

const lost = usersOf({ module: "istio", channel: "own", version: undefined, installed: "2.0.0" });

describe("an entry", () => {
  it("is not restored onto a template that a person labelled beta meanwhile", () => {
    const desired = desiredOf({ channels: { fast: { istio: "1.2.0" } } });
    const live = edited(liveOf(desired), "istio-1.2.0", (object) =>
      marked(object, { labels: { ...object.metadata.labels, "operator.kyma-project.io/beta": "true" } }),
    );
    const users = usersOf({ module: "istio", channel: "fast", version: "1.2.0" });
    const gone = { ...live, releaseMetas: [] };
    const nothing = { ...desired, entries: [], terms: new Map(), templates: [], releaseMetas: [] };
    const known = new Map(desired.templates.map((template) => [template.metadata.name, template]));

    expect(byEntry(plan(inputOf(nothing, gone, { users, known })))["fast/istio"]).toMatchObject({
      kind: "refused",
      refusal: "restriction-changed",
    });
  });

  it.each([
    ["comes back with its restrictions if we applied it from a commit", "a".repeat(40), undefined],
    ["does not come back with restrictions that nobody applied", undefined, "restriction-changed"],
  ])("%s", (_, commit, refusal) => {
    const desired = desiredOf({ channels: { fast: { istio: "1.2.0" } } });
    const { records, ...live } = liveOf(desired);
    if (records.kind !== "known") throw new Error("the entry has a record");
    const entries = [...records.entries].map(([key, record]) => {
      return [key, { ...record, current: record.current && { ...record.current, specHash: "", commit } }] as const;
    });
    const gone = { ...live, templates: [], releaseMetas: [], records: { ...records, entries: new Map(entries) } };
    const users = usersOf({ module: "istio", channel: "fast", version: "1.2.0" });
    const nothing = { ...desired, entries: [], terms: new Map(), templates: [], releaseMetas: [] };
    const known = new Map(
      desired.templates.map((template) => {
        const labels = { ...template.metadata.labels, "operator.kyma-project.io/beta": "true" };
        return [template.metadata.name, marked(template, { labels })] as const;
      }),
    );

    expect(byEntry(plan(inputOf(nothing, gone, { users, known })))["fast/istio"]).toMatchObject(
      refusal === undefined ? { kind: "create", to: "1.2.0" } : { kind: "refused", refusal },
    );
  });

  it("does not move to a template that may not be restored because users of another channel would be lowered", () => {
    const before = desiredOf({ channels: { fast: { istio: "1.3.0" }, own: { istio: "1.2.0" } } });
    const live = liveOf(before);
    const templates = live.templates.filter(({ metadata }) => metadata.name !== "istio-1.2.0");
    const desired = desiredOf({ channels: { fast: { istio: "1.2.0" }, own: { istio: "1.2.0" } } });
    const planned = plan(inputOf(desired, { ...live, templates }, { users: lost }));

    expect(byEntry(planned)["fast/istio"]).toMatchObject({ kind: "refused", refusal: "user-endangered" });
    expect(byName(planned)["istio-1.2.0"]).toMatchObject({ kind: "refused", refusal: "user-endangered" });
  });
});

it("the template of a mandatory module is not pruned as that of another module, whatever its label", () => {
  const desired = desiredOf({ channels: { must: { log: "1.1.0" } }, mandatory: ["must"] }, "channel-templates");
  const live = edited(liveOf(desired), "log-must", (object) =>
    marked(object, { labels: { ...object.metadata.labels, "operator.kyma-project.io/module-name": "keda" } }),
  );
  const nothing = { ...desired, entries: [], terms: new Map(), templates: [] };
  const options = { ...CAREFUL, prune: true, maxPrune: 100 };
  const users = usersOf({ module: "log", channel: "must", version: "1.1.0", installed: "1.1.0" });

  expect(summary(plan(inputOf(nothing, live, { users, options })))).toEqual([]);
});

describe("a release meta that a person deleted", () => {
  const restored = (sample: Sample, now = desiredOf(sample), isUsed = true): readonly string[] => {
    const live = liveOf(desiredOf(sample));
    const gone = { ...live, releaseMetas: live.releaseMetas.filter(({ metadata }) => metadata.name !== "istio") };
    const user = { module: "istio", channel: "fast", version: undefined, installed: "1.3.0" };
    const users = usersOf(...(isUsed ? [user] : []));
    const known = new Map(live.templates.map((template) => [template.metadata.name, template]));
    return summary(plan(inputOf(now, gone, { users, known }))).filter((line) => line.endsWith(" istio"));
  };

  it.each(["must", "mandatory"])("comes back for a mandatory module, whatever its channel is called: %s", (name) => {
    expect(restored({ channels: { [name]: { istio: "1.3.0" } }, mandatory: [name] })).toEqual(["create istio"]);
  });

  it("is not taken over from another set for a module that no channel serves", () => {
    const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
    const nothing = { ...desired, entries: [], terms: new Map(), templates: [], releaseMetas: [] };
    const taken = edited(liveOf(desired), "istio", foreign);
    const users = usersOf({ module: "istio", channel: "fast", version: "1.3.0" });
    const options = { ...CAREFUL, adopt: true };

    expect(
      summary(plan(inputOf(nothing, taken, { users, options }))).filter((line) => line.endsWith(" istio")),
    ).toEqual([]);
  });

  it("comes back for a module that no channel serves any more, while it has users", () => {
    const sample = { channels: { fast: { istio: "1.3.0" } } };
    const desired = desiredOf(sample);
    const nothing = { ...desired, entries: [], terms: new Map(), templates: [], releaseMetas: [] };

    expect(restored(sample, nothing)).toEqual(["create istio"]);
    expect(restored(sample, nothing, false)).toEqual([]);

    const gone = { ...liveOf(desired), releaseMetas: [] };
    expect(entrySummary(plan(inputOf(nothing, gone)))).toEqual([]);
  });
});

describe("an entry that another client removed, and that the repository does not want", () => {
  const before = liveOf(desiredOf({ channels: { fast: { istio: "1.2.0" }, regular: { istio: "1.1.0" } } }));
  const wanted = desiredOf({ channels: { fast: { istio: "1.2.0" } } });
  const live = edited(before, "istio", (meta) =>
    respecified(meta, { channels: [{ channel: "fast", version: "1.2.0" }] }),
  );
  const entryOf = (prune: boolean, users: Users = NO_USERS): unknown =>
    byEntry(plan(inputOf(wanted, live, { users, options: { ...CAREFUL, prune } })))["regular/istio"];

  it("comes back until its removal is requested", () => {
    expect(entryOf(false)).toMatchObject({ kind: "create", to: "1.1.0", cause: "drift" });
    expect(entryOf(true)).toBeUndefined();
  });

  it("comes back also then if it has users, whose versions lifecycle-manager would forget", () => {
    const users = usersOf({ module: "istio", channel: "regular", version: "1.1.0", installed: "1.1.0" });

    expect(entryOf(true, users)).toMatchObject({ kind: "create", to: "1.1.0" });
  });

  it("does not come back in place of another client's template of the channel", () => {
    const [ours, nothing] = [{ channels: { fast: { istio: "1.2.0" } } }, { channels: { fast: {} } }].map((sample) =>
      desiredOf(sample, "channel-templates"),
    ) as [ReturnType<typeof desiredOf>, ReturnType<typeof desiredOf>];
    const taken = edited(liveOf(ours), "istio-fast", foreign);
    const users = usersOf({ module: "istio", channel: "fast", version: "1.2.0", installed: "1.2.0" });
    const decided = plan(inputOf(nothing, taken, { users }));

    expect(byEntry(decided)["fast/istio"]).toBeUndefined();
    expect(byName(decided)["istio-fast"]?.kind).not.toBe("change");
  });
});
