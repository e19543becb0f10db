import { describe, expect, it } from "vitest";
import { RESOURCES, type ObjectRef } from "../../src/kubernetes/object.ts";
import { expectedObject } from "../../src/sync/identity.ts";
import { listAll } from "../../src/sync/observe.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import { pathOf } from "../sync/outside.ts";
import { sharedWorld, type World } from "../sync/world.ts";

const run = quietRun();
const NAME = "sample";

const refTo = (world: World, name = NAME): ObjectRef => ({
  resource: RESOURCES.configMap,
  namespace: world.namespace,
  name,
});

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "it succeeded",
    (error: unknown) => error,
  );

describe("reading", () => {
  it("returns an object with its kind, and undefined if it does not exist", async (context) => {
    const world = await sharedWorld(context);
    await world.outside.must("POST", pathOf("configmaps", world.namespace), {
      metadata: { name: NAME },
      data: { a: "b" },
    });

    expect(await world.controlPlane.read(refTo(world), run)).toMatchObject({
      apiVersion: "v1",
      kind: "ConfigMap",
      data: { a: "b" },
    });
    expect(await world.controlPlane.read(refTo(world, "none"), run)).toBeUndefined();
  });
});

describe("listing", () => {
  it("returns every object once, over several pages, with apiVersion and kind", async (context) => {
    const world = await sharedWorld(context);
    const before = (await world.list("configmaps")).length;
    const names = Array.from({ length: 501 }, (_, index) => `map-${index}`);
    const create = (name: string): Promise<unknown> =>
      world.outside.must("POST", pathOf("configmaps", world.namespace), { metadata: { name } });
    const queue = names.values();
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (const name of queue) await create(name);
      }),
    );
    const pages = await Array.fromAsync(world.controlPlane.list(RESOURCES.configMap, world.namespace, run));

    expect(pages.map(({ objects }) => objects.length)).toEqual([500, 1 + before]);
    expect(new Set(pages.flatMap(({ objects }) => objects).map(({ metadata }) => metadata.name)).size).toBe(
      501 + before,
    );
    expect(pages[0]?.objects[0]).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
  });

  it("returns nothing for a namespace without objects, or one that does not exist", async (context) => {
    const { controlPlane, namespace } = await sharedWorld(context);
    for (const place of [namespace, "nowhere-at-all"]) {
      expect(await listAll(controlPlane, RESOURCES.moduleTemplate, place, run)).toEqual([]);
    }
  });

  it("fails for a kind that the API server does not know, and names the definition", async (context) => {
    const { controlPlane, namespace } = await sharedWorld(context);
    const resource = { apiVersion: "operator.kyma-project.io/v1beta2", kind: "Watcher", plural: "watchers" };

    expect(await failure(Array.fromAsync(controlPlane.list(resource, namespace, run)))).toMatchObject({
      code: "CLUSTER_KIND_MISSING",
      message: mentions(
        controlPlane.server,
        "Watcher (operator.kyma-project.io/v1beta2)",
        "CustomResourceDefinition watchers.operator.kyma-project.io",
        "lifecycle-manager",
      ),
    });
  });

  it("returns managed fields only if someone else wrote the object, or if they are empty", async (context) => {
    const world = await sharedWorld(context);
    const { namespace } = world;
    const metadata = { name: "ours", namespace };
    await world.controlPlane.apply({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } }, "absent", run);
    await world.outside.must("POST", `${pathOf("configmaps", namespace)}?fieldManager=other`, {
      metadata: { name: "theirs" },
      data: { a: "b" },
    });
    await world.outside.must("POST", pathOf("configmaps", namespace), { metadata: { name: "unmanaged" } });
    const emptied = { metadata: { managedFields: [{}] } };
    await world.outside.must("PATCH", pathOf("configmaps", namespace, "unmanaged"), emptied, "merge-patch");
    const objects = await listAll(world.controlPlane, RESOURCES.configMap, namespace, run);
    const managersOf = (name: string): unknown => {
      const { managedFields } = objects.find((object) => object.metadata.name === name)?.metadata ?? {};
      return managedFields?.map(({ manager }) => manager);
    };

    expect([managersOf("ours"), managersOf("theirs")]).toEqual([undefined, ["other"]]);
    expect(managersOf("unmanaged") ?? []).toEqual([]);
    const read = await world.controlPlane.read(refTo(world, "ours"), run);

    expect(read && expectedObject(read)).toMatchObject({ uid: expect.any(String) as string });
    expect(read?.metadata.managedFields).toMatchObject([{ manager: "kyma-modules" }]);
  });
});

describe("discovery", () => {
  it("knows a served kind, also in another version, and no other kind", async (context) => {
    const { controlPlane } = await sharedWorld(context);
    const older = { ...RESOURCES.kyma, apiVersion: "operator.kyma-project.io/v1beta1" };
    const none = { apiVersion: "operator.kyma-project.io/v1beta2", kind: "Watcher", plural: "watchers" };
    const nowhere = { apiVersion: "nowhere.example.com/v1", kind: "Kyma", plural: "kymas" };
    const asked = [RESOURCES.kyma, older, RESOURCES.lease, none, nowhere];

    expect(await Promise.all(asked.map((resource) => controlPlane.knows(resource, run)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
