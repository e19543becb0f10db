import { describe, expect, it } from "vitest";
import { OPEN_GATE, type LiveState, type PlanInput } from "../../src/sync/plan/input.ts";
import { acceptedKey } from "../../src/sync/plan/refusals.ts";
import type { Refused } from "../../src/sync/plan/item.ts";
import { plan, planModuleAgain } from "../../src/sync/plan/plan.ts";
import type { Records } from "../../src/sync/plan/records.ts";
import { REPAIRS_ANNOTATION } from "../../src/sync/plan/difference.ts";
import type { Sample } from "./catalogueFiles.ts";
import {
  byEntry,
  byName,
  CAREFUL,
  desiredOf,
  edited,
  entrySummary,
  inputOf,
  liveOf,
  marked,
  NOTHING,
  NOW,
  recorded,
  respecified,
  stored,
  summary,
  usersOf,
} from "./planning.ts";

const old = desiredOf({ channels: { fast: { istio: "1.2.0" } } });
const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
const live = liveOf(old);
const users = usersOf({ module: "istio", channel: "fast", version: "1.2.0" });
const unknown = { kind: "unknown", because: "not allowed" } as const;
const none: Records = { kind: "none" };
const recording = (key: string, version: string): Records => ({
  kind: "known",
  entries: new Map([[key, recorded(version)]]),
});

describe("a foreign entry that may not move to the wanted version", () => {
  const theirs: LiveState = { ...live, records: recording("slow/istio", "1.2.0") };
  const gate = { ...OPEN_GATE, holds: new Map([["fast/istio", { reason: "r" }]]) };
  const channelsOf = (given: Partial<PlanInput>): unknown => {
    const item = byName(plan(inputOf(desired, theirs, { gate, ...given })))["istio"];
    return item?.kind === "change" ? item.desired["spec"] : item?.kind;
  };

  it("is removed without users, and stays with users", () => {
    expect(channelsOf({})).toMatchObject({ channels: [{ channel: "slow", version: "1.2.0" }] });
    expect(channelsOf({ users })).toMatchObject({ channels: [{ channel: "fast" }, { channel: "slow" }] });
  });
});

describe("an entry whose template is contested", () => {
  const managedFields = [
    { manager: "other", operation: "Update", time: "2026-05-04T10:00:00Z", fieldsV1: { "f:spec": { "f:info": {} } } },
  ];

  it.each([{}, { managedFields }])("waits, whatever the writer (%j)", (metadata) => {
    const [template] = liveOf(desired).templates.map((one) => respecified(one, { info: null }));
    if (template === undefined) throw new Error("no template");
    const said = JSON.stringify({ fields: "spec.info", count: 3, at: new Date(NOW).toISOString() });
    const annotations = { ...template.metadata.annotations, [REPAIRS_ANNOTATION]: said };
    const now = { ...live, templates: [...live.templates, marked(template, { annotations, ...metadata })] };
    const decided = plan(inputOf(desired, now));

    expect(byName(decided)["istio-1.3.0"]).toMatchObject({ kind: "contested" });
    expect(byEntry(decided)["fast/istio"]).toMatchObject({ kind: "waiting" });
  });
});

describe("an accepted step", () => {
  it("is taken, with its acceptance", () => {
    const key = acceptedKey({
      refusal: "channel-in-use",
      module: "istio",
      channel: "fast",
      from: "1.2.0",
      to: undefined,
    });
    const wanted = desiredOf({ channels: { fast: {}, regular: { istio: "1.2.0" } } });
    const given = { users, options: { ...CAREFUL, prune: true }, gate: { ...OPEN_GATE, accepted: new Set([key]) } };

    expect(byEntry(plan(inputOf(wanted, live, given)))["fast/istio"]).toMatchObject({
      kind: "remove",
      carriedOut: true,
      accepted: [key],
    });
  });
});

describe("a release meta that serves nothing", () => {
  const without = desiredOf({ channels: { fast: { keda: "2.0.0" } } });
  const empty: LiveState = {
    ...edited(live, "istio", (meta) => respecified(meta, { channels: [] })),
    records: recording("fast/keda", "2.0.0"),
  };
  const noRemoval: Refused = { refusal: "too-many-prunes", reason: "r", remedy: "r" };

  it("is removed on request, unless its deletion is pending, it may have users, or removals are refused", () => {
    const deleted = edited(empty, "istio", (meta) => marked(meta, { deletionTimestamp: "2026-05-04T10:00:00Z" }));
    const again = planModuleAgain("istio", inputOf(without, empty), noRemoval);

    const [options, used] = [{ ...CAREFUL, prune: true }, usersOf({ module: "istio", version: "1.2.0" })];
    const beside = { ...empty, templates: [...empty.templates, ...liveOf(without).templates] };

    expect(summary(plan(inputOf(without, beside, { options })))).toContain("prune istio");
    expect(summary(plan(inputOf(without, empty)))).toContain("left over istio");
    expect(summary(plan(inputOf(without, empty, { options, users: used })))).toContain("refused istio: module-in-use");
    expect(byName(plan(inputOf(without, deleted)))["istio"]).toMatchObject({ kind: "waiting" });
    expect(summary(plan(inputOf(without, empty, { users: unknown })))).toContain("refused istio: references-unknown");
    expect(again.items.find(({ object }) => object.name === "istio")).toMatchObject({ refusal: "too-many-prunes" });
  });
});

describe("an unknown module", () => {
  it("has an empty plan when it is planned again", () => {
    expect(planModuleAgain("other", inputOf(desired, live), undefined)).toMatchObject({ entries: [], items: [] });
  });
});

describe("a template that several foreign release metas name", () => {
  it("is retained by the first of them", () => {
    const metas = ["theirs", "others"].map((name) => {
      const spec = { moduleName: "istio", channels: [{ channel: "old", version: "1.2.0" }] };
      return stored({
        apiVersion: "operator.kyma-project.io/v1beta2",
        kind: "ModuleReleaseMeta",
        metadata: { name },
        spec,
      });
    });
    const moved = { ...liveOf(desired), templates: [...liveOf(desired).templates, ...live.templates] };
    const crowded = { ...moved, releaseMetas: [...moved.releaseMetas, ...metas] };

    expect(byName(plan(inputOf(desired, crowded)))["istio-1.2.0"]).toMatchObject({
      kind: "retained",
      because: expect.stringContaining("theirs") as string,
    });
  });
});

describe("a missing template of an entry without a record", () => {
  const labels = { "operator.kyma-project.io/beta": "true" };
  const beta = desiredOf({ channels: { fast: { istio: { version: "1.2.0", labels } } } });
  const known = new Map(beta.templates.map((template) => [template.metadata.name, template]));
  const gone: LiveState = { ...live, templates: [], records: none };
  const wanted = desiredOf({ channels: { slow: { keda: "2.0.0" } } });

  it("does not come back under a restriction while the module is in use", () => {
    const idle = usersOf({ module: "istio", channel: "fast", installed: null });

    expect(summary(plan(inputOf(wanted, gone, { known, users: idle })))).toContain(
      "refused istio-1.2.0: restriction-changed",
    );
    expect(summary(plan(inputOf(wanted, gone, { known })))).toContain("create istio-1.2.0");
  });
});

describe("a removed mandatory entry, if no channel is mandatory any more", () => {
  it("is named by its recorded kind", () => {
    const version = old.templates.map((one) => ({ ...one, metadata: { ...one.metadata, name: "audit-1.0.0" } }));
    const known = new Map([["audit-1.0.0", version[0] ?? live.templates[0]]]) as PlanInput["known"];
    const state: LiveState = { ...NOTHING, records: recording("mandatory/audit", "1.0.0") };

    const inUse = usersOf({ module: "audit", channel: "fast", version: "1.0.0" });

    expect(entrySummary(plan(inputOf(old, state, { known, users: inUse })))).toContain(
      "create mandatory/audit – → 1.0.0",
    );
  });
});

describe("channel templates", () => {
  const generation = "channel-templates";
  const release: Sample = { channels: { fast: { istio: "1.2.0" } } };
  const wanted = desiredOf(release, generation);
  const now = liveOf(wanted);

  it("are repaired if they have no spec", () => {
    const bare = edited(now, "istio-fast", ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }));

    expect(byName(plan(inputOf(wanted, bare)))["istio-fast"]).toMatchObject({ kind: "change", cause: "drift" });
  });

  it.each([true, false])("do not change their kind while they are in use (mandatory before: %s)", (before) => {
    const kind = (mandatory: boolean): typeof desired =>
      desiredOf({ ...release, ...(mandatory && { mandatory: ["fast"] }) }, generation);
    const was: LiveState = { ...liveOf(kind(before)), records: none };
    const step = { module: "istio", channel: "fast", from: "1.2.0", to: "1.2.0" };
    const accepted = new Set([acceptedKey({ refusal: "mandatory-flip", ...step })]);
    const judge = (given: Partial<PlanInput>): unknown =>
      byName(plan(inputOf(kind(!before), was, given)))["istio-fast"];

    expect(judge({ users })).toMatchObject({ kind: "refused", refusal: "mandatory-flip" });
    expect(judge({ users, gate: { ...OPEN_GATE, accepted } })).toMatchObject({ kind: "change" });
    expect(judge({})).toMatchObject({ kind: "change" });
  });
});
