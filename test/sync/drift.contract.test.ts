import { beforeEach, describe, expect, it } from "vitest";
import { fieldText } from "../../src/kubernetes/compare.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { catalogueOf } from "./catalogueFiles.ts";
import { pathOf, type Kind } from "./outside.ts";
import { results, summary } from "./planning.ts";
import { sharedWorld, type Synced, type World } from "./world.ts";

const catalogue = catalogueOf({ channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.2.0" } } });
const BETA = "operator.kyma-project.io/beta";
const TOOLING = "applyset.kubernetes.io/tooling";
const SET = "applyset.kubernetes.io/part-of";

let world: World;

beforeEach(async (context) => {
  world = await sharedWorld(context);
  await world.sync(catalogue);
});

/** Edits an object as another client. */
function edit(kind: Kind, name: string, body: object, manager = "kubectl-edit"): Promise<KubernetesObject> {
  const path = `${pathOf(kind, world.namespace, name)}?fieldManager=${manager}`;
  return world.outside.must("PATCH", path, body, "merge-patch");
}

/** The repairs of a sync: the object, the client that made the difference, and the fields. */
function repairs({ outcomes }: Synced): readonly string[] {
  return outcomes.flatMap(({ item, result }) => {
    if (item.kind === "create")
      return [`${item.object.name} was missing, named by ${item.missedBy ?? "no manager"}: ${result}`];
    if (item.kind !== "change") return [];
    const fields = item.differences.map(({ kind, path }) => `${kind} ${fieldText(path)}`);
    return [`${item.object.name} ${item.cause} by ${item.by.join()}: ${fields.join()}: ${result}`];
  });
}

async function isInOrder(): Promise<void> {
  expect(summary((await world.prepare(catalogue)).plan)).toEqual([]);
}

describe("the next sync", () => {
  it("repairs all changes by others except for an annotation, and names the clients", async () => {
    const before = await world.list("templates");
    await world.outside.must("DELETE", pathOf("templates", world.namespace, "istio-1.2.0"));
    await edit("templates", "istio-1.3.0", { spec: { info: { repository: "https://example.com/other" } } });
    await edit("templates", "istio-1.3.0", { metadata: { annotations: { note: "kept" } } }, "annotator");
    await edit("metas", "istio", { metadata: { labels: { [BETA]: "true" } } }, "labeller");
    const synced = await world.sync(catalogue);

    expect(repairs(synced).toSorted()).toEqual([
      `istio drift by labeller: extra metadata.labels["${BETA}"]: done`,
      "istio-1.2.0 was missing, named by ModuleReleaseMeta istio: done",
      "istio-1.3.0 drift by kubectl-edit: changed spec.info.repository: done",
    ]);
    const after = await world.list("templates");

    expect(after.map(({ spec }) => spec)).toEqual(before.map(({ spec }) => spec));
    expect(after.map(({ metadata }) => metadata.annotations?.["note"])).toEqual([undefined, "kept"]);
    expect((await world.read("metas", "istio"))?.metadata.labels).not.toHaveProperty(BETA);
    await isInOrder();
  });

  it("keeps foreign annotations, labels without effect, and finalizers, even beside a repair", async () => {
    const metadata = {
      annotations: { note: "n" },
      labels: { team: "a", [BETA]: "true" },
      finalizers: ["example.com/hold"],
    };
    await edit("templates", "istio-1.3.0", { metadata });
    await world.sync(catalogue);
    const after = await world.read("templates", "istio-1.3.0");

    expect(after?.metadata).toMatchObject({
      finalizers: ["example.com/hold"],
      annotations: { note: "n" },
      labels: { team: "a" },
    });
    expect(after?.metadata.labels).not.toHaveProperty(BETA);
    await edit("templates", "istio-1.3.0", { metadata: { finalizers: null } });
    await isInOrder();
  });

  it("removes a foreign channel entry, however it was written", async () => {
    const entries = [
      { channel: "fast", version: "1.3.0" },
      { channel: "foreign", version: "1.0.0" },
      { channel: "regular", version: "1.2.0" },
    ];
    await edit("metas", "istio", { spec: { channels: entries } });
    const synced = await world.sync(catalogue);

    expect(repairs(synced)).toEqual([
      "istio drift by kubectl-edit: extra spec.channels[channel=foreign].channel,extra spec.channels[channel=foreign].version: done",
    ]);
    expect((await world.read("metas", "istio"))?.["spec"]).toMatchObject({
      channels: [{ channel: "fast" }, { channel: "regular" }],
    });
    await isInOrder();
  });

  // The API server records who set a field, not who removed one: it knows a manager only by other fields that it wrote.
  it("restores removed fields, and names the clients only if they wrote something else", async () => {
    const channels = [{ channel: "fast", version: "1.3.0" }];
    await edit("metas", "istio", { spec: { channels } });
    await edit("templates", "istio-1.2.0", { metadata: { annotations: { note: "n" } }, spec: { info: null } });

    expect(repairs(await world.sync(catalogue)).toSorted()).toEqual([
      "istio drift by : missing spec.channels[channel=regular]: done",
      "istio-1.2.0 drift by kubectl-edit: missing spec.info: done",
    ]);
    await isInOrder();
  });

  it("restores the label of the set, also where somebody removed our annotation, or all names of managers, with it", async () => {
    const bare = { labels: null, annotations: null };
    await edit("templates", "istio-1.2.0", { metadata: { labels: { [SET]: null }, managedFields: [{}] } });
    await edit("templates", "istio-1.3.0", { metadata: bare });
    await edit("metas", "istio", { metadata: { labels: { [SET]: null } }, spec: { beta: true } });

    expect(results(await world.sync(catalogue))).toEqual(["done istio", "done istio-1.2.0", "done istio-1.3.0"]);
    expect((await world.read("metas", "istio"))?.["spec"]).toMatchObject({ beta: false });
    for (const object of await world.list("templates")) expect(object.metadata.labels).toHaveProperty([SET]);
    await isInOrder();
  });

  it("serves a next version, and removes the one before, without the label of the set", async () => {
    for (const [kind, name] of [
      ["metas", "istio"],
      ["templates", "istio-1.3.0"],
    ] as const)
      await edit(kind, name, { metadata: { labels: { [SET]: null } } });
    const next = catalogueOf({ channels: { fast: { istio: "1.4.0" }, regular: { istio: "1.2.0" } } });
    const synced = await world.sync(next, { prune: true });

    expect(results(synced)).toEqual(["done istio", "done istio-1.3.0", "done istio-1.4.0"]);
    expect(await world.read("templates", "istio-1.3.0")).toBeUndefined();
    expect(await world.read("metas", "istio")).toMatchObject({ spec: { channels: [{ version: "1.4.0" }, {}] } });
  });

  it("leaves an object alone that another client made again under its name", async () => {
    const live = await world.read("metas", "istio");
    const { name = "", annotations = {} } = live?.metadata ?? {};
    await world.outside.must("DELETE", pathOf("metas", world.namespace, name));
    const theirs = { ...live, metadata: { name, annotations } };
    await world.outside.must("POST", pathOf("metas", world.namespace), theirs);

    expect(results(await world.sync(catalogue))).toEqual(["left istio: not-ours"]);
  });

  it("restores the parent of the set; a missing one only with --take-over-set", async () => {
    await edit("configmaps", "kyma-modules", { metadata: { annotations: { [TOOLING]: null, note: "n" } } });

    expect(repairs(await world.sync(catalogue))).toEqual([
      `kyma-modules drift by kubectl-edit: missing metadata.annotations["${TOOLING}"]: done`,
    ]);
    await world.outside.must("DELETE", pathOf("configmaps", world.namespace, "kyma-modules"));
    expect(results(await world.sync(catalogue))).toEqual(["left kyma-modules: other-set"]);
    await world.sync(catalogue, { takeOverSet: true });
    await isInOrder();
  });

  it("removes foreign fields even if they have no owner any more", async () => {
    const channels = [
      { channel: "fast", version: "1.3.0" },
      { channel: "foreign", version: "1.0.0" },
      { channel: "regular", version: "1.2.0" },
    ];
    await edit("metas", "istio", { metadata: { labels: { [BETA]: "true" } }, spec: { channels, beta: true } });
    await edit("metas", "istio", { metadata: { managedFields: [{}] } });
    const { outcomes } = await world.sync(catalogue);

    expect(outcomes.filter(({ result }) => result === "contested")).toEqual([]);
    expect(await world.read("metas", "istio")).toMatchObject({
      spec: { beta: false, channels: [{ channel: "fast" }, { channel: "regular" }] },
    });
    await isInOrder();
  });

  it("removes foreign fields of a server-side apply, so that the next apply there reports a conflict", async () => {
    const theirs = {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "ModuleTemplate",
      metadata: { name: "istio-1.3.0", labels: { [BETA]: "true" } },
      spec: { mandatory: true, requiresDowntime: true },
    };
    const path = `${pathOf("templates", world.namespace, "istio-1.3.0")}?fieldManager=gitops`;
    await world.outside.must("PATCH", path, theirs, "apply-patch");
    const synced = await world.sync(catalogue);

    expect(repairs(synced)).toEqual([
      `istio-1.3.0 drift by gitops: extra metadata.labels["${BETA}"],extra spec.mandatory,extra spec.requiresDowntime: done`,
    ]);
    await isInOrder();
  });
});
