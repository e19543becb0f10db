import { describe, expect, it } from "vitest";
import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import { compile } from "../../src/catalogue/compile.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { applyItem } from "../../src/sync/apply.ts";
import { judgeAgain, plan } from "../../src/sync/plan/plan.ts";
import { isAct, planItems, type PlanItem } from "../../src/sync/plan/item.ts";
import { quietRun } from "../support/quietRun.ts";
import { catalogueOf, type Sample } from "./catalogueFiles.ts";
import {
  byName,
  CAREFUL,
  desiredOf,
  edited,
  entrySummary,
  foreign,
  inputOf,
  liveOf,
  marked,
  NOTHING,
  respecified,
  stored,
  summary,
  usersOf,
} from "./planning.ts";

const sample: Sample = { channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.2.0" } } };
const before = desiredOf(sample);
const live = liveOf(before);
const after = desiredOf({ channels: { fast: { istio: "1.4.0" }, regular: { istio: "1.3.0" } } });

const planOf = (...args: Parameters<typeof inputOf>): readonly string[] => summary(plan(inputOf(...args)));

describe("a plan", () => {
  it("creates everything on an empty control plane, templates before the release metas that name them", () => {
    const decided = plan(inputOf(before, NOTHING));
    const items = planItems(decided);

    expect(decided.landscape).toBe("dev");
    expect(items.map(({ kind, object }) => `${kind} ${object.kind} ${object.name}`)).toEqual([
      "create ConfigMap kyma-modules",
      "create ModuleTemplate istio-1.2.0",
      "create ModuleTemplate istio-1.3.0",
      "create ModuleReleaseMeta istio",
    ]);
    expect(items.every(isAct)).toBe(true);
  });

  it("has nothing to do if everything is as wanted", () => {
    const decided = plan(inputOf(before, live));
    const items = planItems(decided);

    expect(items.map(({ kind }) => kind)).toEqual(["unchanged", "unchanged", "unchanged", "unchanged"]);
    expect(items.some(isAct)).toBe(false);
    expect(entrySummary(decided)).toEqual([]);
  });

  it("creates the new version of a bump, changes the release meta to it, and keeps the old version as left over", () => {
    expect(planOf(after, live)).toEqual(["create istio-1.4.0", "repository istio", "left over istio-1.2.0"]);
    expect(entrySummary(plan(inputOf(after, live)))).toEqual([
      "raise fast/istio 1.3.0 → 1.4.0",
      "raise regular/istio 1.2.0 → 1.3.0",
    ]);
  });

  it("reports a missing template that a release meta names as missed", () => {
    const gone = edited(live, "istio-1.2.0", () => undefined);

    expect(byName(plan(inputOf(before, gone)))["istio-1.2.0"]).toMatchObject({
      kind: "create",
      missedBy: "ModuleReleaseMeta istio",
    });
  });

  it("reports nothing else as missed", () => {
    const { istio, ...templates } = byName(plan(inputOf(before, { ...live, templates: [], releaseMetas: [] })));

    expect([istio, templates["istio-1.2.0"]].map((item) => item && "missedBy" in item)).toEqual([false, false]);
  });

  it("waits for the pending deletion of an object, wanted or not", () => {
    const deletionTimestamp = "2026-05-04T10:00:00Z";
    const deleted = edited(live, "istio-1.2.0", (object) => marked(object, { deletionTimestamp }));

    expect(byName(plan(inputOf(before, deleted)))["istio-1.2.0"]).toEqual({
      kind: "waiting",
      object: { kind: "ModuleTemplate", name: "istio-1.2.0" },
      reason: "deletion pending since 2026-05-04T10:00:00Z",
    });
    expect(planOf(after, deleted)).toContain("waiting istio-1.2.0");
  });

  it("omits objects that are neither wanted nor ours", () => {
    const foreign = (kind: string): KubernetesObject => stored({ apiVersion: "v1", kind, metadata: { name: "other" } });
    const crowded = {
      ...live,
      templates: [...live.templates, foreign("ModuleTemplate")],
      releaseMetas: [...live.releaseMetas, foreign("ModuleReleaseMeta")],
    };

    expect(planItems(plan(inputOf(before, crowded))).map(({ object }) => object.name)).not.toContain("other");
  });

  it("leaves a module alone whose files cannot be used", () => {
    const catalogue: Catalogue = { ...catalogueOf(sample), withheld: new Set(catalogueOf(sample).modules.keys()) };
    const desired = compile(catalogue, before.target);
    const decided = plan(inputOf(desired, live, { options: { ...CAREFUL, prune: true } }));
    const items = planItems(decided);

    expect(items.slice(1).map(({ kind, object }) => `${kind} ${object.name}`)).toEqual([
      "retained istio-1.2.0",
      "retained istio-1.3.0",
      "retained istio",
    ]);
    expect(items[1]).toMatchObject({ because: "left alone: the files of istio cannot be used" });
    expect(items.some(isAct)).toBe(false);
    expect(entrySummary(decided)).toEqual([]);
  });
});

describe("judging one item again", () => {
  const users = usersOf({ module: "istio", channel: "fast", version: "1.3.0" });
  const input = inputOf(after, live, { options: { ...CAREFUL, prune: true }, users });
  const items = byName(plan(input));
  const [oldTemplate, newTemplate] = [live.templates[0], after.templates[1]];
  const again = (name: string, now: KubernetesObject | undefined): PlanItem | undefined => {
    const item = items[name];
    return item && judgeAgain(item, now, { module: "istio", input: input, noRemoval: undefined }).item;
  };

  it("finds that another client already did it", () => {
    expect(again("istio-1.4.0", newTemplate && stored(newTemplate))).toMatchObject({ kind: "unchanged" });
  });

  it("plans a change of the current object", () => {
    const meta = live.releaseMetas[0];

    expect(again("istio", meta && marked(meta, { resourceVersion: "9" }))).toMatchObject({
      kind: "change",
      live: { metadata: { resourceVersion: "9" } },
    });
  });

  it("creates a missing object", () => {
    expect(again("istio", undefined)).toMatchObject({ kind: "create" });
  });

  it("judges the parent of the set as the parent", () => {
    const missing = plan(inputOf(before, NOTHING)).parent;
    const theirs =
      live.parent && marked(live.parent, { annotations: { "applyset.kubernetes.io/tooling": "kubectl/v1" } });

    expect(judgeAgain(missing, theirs, { module: "", input, noRemoval: undefined })).toMatchObject({
      item: { kind: "refused", refusal: "not-ours" },
      entries: [],
    });
  });

  it("removes an object that still exists, and has nothing to do if it is gone or no longer ours", () => {
    expect(again("istio-1.2.0", oldTemplate)).toMatchObject({ kind: "prune", carriedOut: true });
    expect(again("istio-1.2.0", undefined)).toMatchObject({ kind: "unchanged" });
    expect(again("istio-1.2.0", oldTemplate && foreign(oldTemplate))).toMatchObject({
      kind: "unchanged",
    });
  });

  it("keeps the reason of a retained object", () => {
    const drifted = live.templates[0] && respecified(live.templates[0], { mandatory: true });
    const user = { module: "istio", channel: "regular", version: "1.2.0", installed: null };
    const inUse = inputOf(after, live, { users: usersOf(user) });
    const item = byName(plan(inUse))["istio-1.2.0"];

    expect(item && judgeAgain(item, drifted, { module: "istio", input: inUse, noRemoval: undefined })).toMatchObject({
      item: { kind: "retained", because: "still in use: 1 user (Kyma k)" },
    });
  });
});

describe("an item that writes nothing", () => {
  const theirs = stored({ apiVersion: "v1", kind: "C", metadata: { name: "n" } });
  const { parent: refused } = plan(inputOf(before, { ...live, parent: theirs }));
  const unchanged = plan(inputOf(before, live)).parent;
  const contested: PlanItem = { kind: "contested", object: { kind: "ModuleTemplate", name: "n" }, by: [], fields: [] };
  const waiting: PlanItem = { kind: "waiting", object: { kind: "ModuleTemplate", name: "n" }, reason: "r" };
  const retained: PlanItem = { kind: "retained", object: { kind: "ModuleTemplate", name: "n" }, because: "b" };
  const unexpected = (): never => {
    throw new Error("unexpected request");
  };
  const controlPlane = { server: "s", list: unexpected, watch: unexpected, knows: unexpected, read: unexpected };
  const writing = { apply: unexpected, moveOwnership: unexpected, remove: unexpected };
  const world = { namespace: "n", judgeAgain: unexpected, blockerTo: unexpected, writing: () => quietRun() };

  it.each([unchanged, refused, contested, waiting, retained])("is left as it is: $kind", async (item) => {
    expect(isAct(item)).toBe(false);
    const outcome = await applyItem(item, { ...world, controlPlane: { ...controlPlane, ...writing } });

    expect(outcome).toEqual({ item, result: "left" });
    expect(outcome.item).toBe(item);
  });
});
