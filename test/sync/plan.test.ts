import { describe, expect, it } from "vitest";
import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import { compile } from "../../src/catalogue/compile.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { judgeAgain, plan } from "../../src/sync/plan.ts";
import { isAct, type PlanItem } from "../../src/sync/planItem.ts";
import { catalogueOf, type Sample } from "./catalogueFiles.ts";
import {
  byName,
  CAREFUL,
  desiredOf,
  edited,
  inputOf,
  liveOf,
  marked,
  NOTHING,
  respecified,
  stored,
  summary,
  usedBy,
} from "./planning.ts";

const sample: Sample = { channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.2.0" } } };
const before = desiredOf(sample);
const live = liveOf(before);
const after = desiredOf({ channels: { fast: { istio: "1.4.0" }, regular: { istio: "1.3.0" } } });

const planOf = (...args: Parameters<typeof inputOf>): readonly string[] => summary(plan(inputOf(...args)));

describe("a plan", () => {
  it("creates everything on an empty control plane, templates before the release metas that name them", () => {
    const { items, landscape } = plan(inputOf(before, NOTHING));

    expect(landscape).toBe("dev");
    expect(items.map(({ kind, object }) => `${kind} ${object.kind} ${object.name}`)).toEqual([
      "create ConfigMap kyma-modules",
      "create ModuleTemplate istio-1.2.0",
      "create ModuleTemplate istio-1.3.0",
      "create ModuleReleaseMeta istio",
    ]);
    expect(items.every(isAct)).toBe(true);
  });

  it("has nothing to do once all is there", () => {
    const { items } = plan(inputOf(before, live));

    expect(items.map(({ kind }) => kind)).toEqual(["unchanged", "unchanged", "unchanged", "unchanged"]);
    expect(items.some(isAct)).toBe(false);
  });

  it("creates the new version of a bump, turns the release meta to it, and leaves the old version over", () => {
    expect(planOf(after, live)).toEqual(["create istio-1.4.0", "repository istio", "left over istio-1.2.0"]);
  });

  it("says of a template that a release meta names although it is not there that it was missed", () => {
    const gone = edited(live, "istio-1.2.0", () => undefined);

    expect(byName(plan(inputOf(before, gone)))["istio-1.2.0"]).toMatchObject({
      kind: "create",
      missedBy: "ModuleReleaseMeta istio",
    });
  });

  it("says of nothing else that it was missed", () => {
    const { istio, ...templates } = byName(plan(inputOf(before, { ...live, templates: [], releaseMetas: [] })));

    expect([istio, templates["istio-1.2.0"]].map((item) => item && "missedBy" in item)).toEqual([false, false]);
  });

  it("waits for an object that somebody deleted and that is not gone, wanted or not", () => {
    const deletionTimestamp = "2026-05-04T10:00:00Z";
    const deleted = edited(live, "istio-1.2.0", (object) => marked(object, { deletionTimestamp }));

    expect(byName(plan(inputOf(before, deleted)))["istio-1.2.0"]).toEqual({
      kind: "waiting",
      object: { kind: "ModuleTemplate", name: "istio-1.2.0" },
      reason: "somebody deleted it at 2026-05-04T10:00:00Z, and it is not gone yet",
    });
    expect(planOf(after, deleted)).toContain("waiting istio-1.2.0");
  });

  it("does not speak of objects that are neither wanted nor ours", () => {
    const foreign = (kind: string): KubernetesObject => stored({ apiVersion: "v1", kind, metadata: { name: "other" } });
    const crowded = {
      ...live,
      templates: [...live.templates, foreign("ModuleTemplate")],
      releaseMetas: [...live.releaseMetas, foreign("ModuleReleaseMeta")],
    };

    expect(plan(inputOf(before, crowded)).items.map(({ object }) => object.name)).not.toContain("other");
  });

  it("leaves everything of a module alone whose files contradict one another", () => {
    const catalogue: Catalogue = { ...catalogueOf(sample), withheld: new Set(catalogueOf(sample).modules.keys()) };
    const desired = compile(catalogue, before.target);
    const { items } = plan(inputOf(desired, live, { options: { ...CAREFUL, prune: true } }));

    expect(items.slice(1).map(({ kind, object }) => `${kind} ${object.name}`)).toEqual([
      "retained istio-1.2.0",
      "retained istio-1.3.0",
      "retained istio",
    ]);
    expect(items[1]).toMatchObject({ because: "left alone: the files of istio contradict one another" });
    expect(items.some(isAct)).toBe(false);
  });
});

describe("judging one item again", () => {
  const input = inputOf(after, live, { options: { ...CAREFUL, prune: true }, references: usedBy("istio-1.3.0") });
  const items = byName(plan(input));
  const [oldTemplate, newTemplate] = [live.templates[0], after.templates[1]];
  const again = (name: string, now: KubernetesObject | undefined): PlanItem | undefined => {
    const item = items[name];
    return item && judgeAgain(item, now, input);
  };

  it("finds that somebody else did it", () => {
    expect(again("istio-1.4.0", newTemplate && stored(newTemplate))).toMatchObject({ kind: "unchanged" });
  });

  it("plans a change on what is there now", () => {
    const meta = live.releaseMetas[0];

    expect(again("istio", meta && marked(meta, { resourceVersion: "9" }))).toMatchObject({
      kind: "change",
      live: { metadata: { resourceVersion: "9" } },
    });
  });

  it("creates what is gone", () => {
    expect(again("istio", undefined)).toMatchObject({ kind: "create" });
  });

  it("judges the parent of the set as the parent", () => {
    const missing = plan(inputOf(before, NOTHING)).items[0];
    const theirs =
      live.parent && marked(live.parent, { annotations: { "applyset.kubernetes.io/tooling": "kubectl/v1" } });

    expect(missing && judgeAgain(missing, theirs, input)).toMatchObject({ kind: "refused", refusal: "not-ours" });
  });

  it("removes what is still there, and has nothing to do where it is gone or no longer ours", () => {
    expect(again("istio-1.2.0", oldTemplate)).toMatchObject({ kind: "prune", carriedOut: true });
    expect(again("istio-1.2.0", undefined)).toMatchObject({ kind: "unchanged" });
    expect(again("istio-1.2.0", oldTemplate && marked(oldTemplate, { labels: {} }))).toMatchObject({
      kind: "unchanged",
    });
  });

  it("keeps the reason why something is retained", () => {
    const drifted = live.templates[0] && respecified(live.templates[0], { mandatory: true });
    const inUse = inputOf(after, live, { references: usedBy("istio-1.2.0") });
    const item = byName(plan(inUse))["istio-1.2.0"];

    expect(item && judgeAgain(item, drifted, inUse)).toMatchObject({
      kind: "retained",
      because: "still in use: 1 user (Kyma k)",
    });
  });

  it("leaves items that write nothing as they are", () => {
    const nothing = byName(plan(inputOf(before, live)))["istio"];
    const waiting: PlanItem = { kind: "waiting", object: { kind: "ModuleTemplate", name: "n" }, reason: "r" };
    const refused = plan(
      inputOf(before, { ...live, parent: stored({ apiVersion: "v1", kind: "C", metadata: { name: "n" } }) }),
    ).items[0];

    for (const item of [nothing, waiting, refused]) expect(item && judgeAgain(item, undefined, input)).toBe(item);
  });
});
