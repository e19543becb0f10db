import { describe, expect, it } from "vitest";
import { RESOURCES, type KubernetesObject, type ObjectRef } from "../../src/kubernetes/object.ts";
import { expectedObject } from "../../src/sync/identity.ts";
import type { ControlPlane } from "../../src/ports.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import { templateObject } from "../sync/catalogueFiles.ts";
import { pathOf } from "../sync/outside.ts";
import { sharedWorld, type World } from "../sync/world.ts";

const run = quietRun();
const NAME = "sample";

function configMap(world: World, data: Readonly<Record<string, string>> = {}): KubernetesObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: NAME, namespace: world.namespace }, data };
}

const refTo = (world: World, name = NAME): ObjectRef => ({
  resource: RESOURCES.configMap,
  namespace: world.namespace,
  name,
});

const nothingInTheWay = (): Promise<undefined> => Promise.resolve(undefined);

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "it succeeded",
    (error: unknown) => error,
  );

/** Someone else touches the object, so that what was read of it is old. */
async function touch(world: World): Promise<void> {
  const metadata = { annotations: { touched: String(Math.random()) } };
  await world.outside.must("PATCH", pathOf("configmaps", world.namespace, NAME), { metadata }, "merge-patch");
}

async function createAnew(world: World): Promise<void> {
  await world.outside.must("DELETE", pathOf("configmaps", world.namespace, NAME));
  await world.outside.must("POST", pathOf("configmaps", world.namespace), { metadata: { name: NAME } });
}

describe("applying", () => {
  it("creates an object that is expected to be absent, changes exactly the one that was read, and returns the stored object", async (context) => {
    const world = await sharedWorld(context);
    const created = await world.controlPlane.apply(configMap(world, { a: "1", b: "1" }), "absent", run);
    const changed = await world.controlPlane.apply(configMap(world, { a: "2" }), expectedObject(created), run);

    expect(changed).toMatchObject({ kind: "ConfigMap", data: { a: "2" } });
    expect(changed["data"]).toEqual({ a: "2" });
    const live = await world.read("configmaps", NAME);
    expect(live).toMatchObject({ data: { a: "2" }, metadata: expectedObject(changed) });
    expect(live).toMatchObject({ metadata: { managedFields: [{ manager: "kyma-modules", operation: "Apply" }] } });
    // As in a list.
    expect(changed.metadata.managedFields).toBeUndefined();
  });

  it("overrides values of other managers", async (context) => {
    const world = await sharedWorld(context);
    await world.outside.must("POST", pathOf("configmaps", world.namespace), {
      metadata: { name: NAME },
      data: { a: "theirs", b: "theirs" },
    });
    const live = await world.controlPlane.read(refTo(world), run);
    const stored = live && (await world.controlPlane.apply(configMap(world, { a: "ours" }), expectedObject(live), run));

    expect(stored?.["data"]).toEqual({ a: "ours", b: "theirs" });
  });

  type Meanwhile = (world: World, controlPlane: ControlPlane) => Promise<unknown>;
  const conflicts: readonly [string, "absent" | "read", Meanwhile][] = [
    ["what is there though it was expected to be absent", "absent", () => Promise.resolve()],
    ["what was changed since it was read", "read", touch],
    [
      "what was deleted since it was read",
      "read",
      (world) => world.outside.must("DELETE", pathOf("configmaps", world.namespace, NAME)),
    ],
    ["what was deleted and created again since it was read", "read", createAnew],
  ];

  it.for(conflicts)("is a conflict on %s", async ([, expectation, meanwhile], context) => {
    const world = await sharedWorld(context);
    const { controlPlane } = world;
    const live = await controlPlane.apply(configMap(world), "absent", run);
    await meanwhile(world, controlPlane);
    const before = await world.versions();
    const expected = expectation === "absent" ? expectation : expectedObject(live);
    const entry = {
      manager: "kyma-modules",
      operation: "Apply",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: {},
    };
    const attempts = [
      controlPlane.apply(configMap(world, { a: "1" }), expected, run),
      controlPlane.moveOwnership(refTo(world), expected, [entry], run),
    ];

    const conflict = { code: "CLUSTER_CONFLICT", retry: false };

    expect(await Promise.all(attempts.map(failure))).toMatchObject([conflict, conflict]);
    expect(await world.versions()).toEqual(before);
  });

  it("refuses a field that the definition does not have at once, although the API server answers 500", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane, namespace } = world;
    const template = templateObject("istio", "istio-1.0.0", { version: "1.0.0", unheardOf: 1 }) as KubernetesObject;
    const attempt = controlPlane.apply({ ...template, metadata: { ...template.metadata, namespace } }, "absent", run);

    expect(await failure(attempt)).toMatchObject({
      code: "CLUSTER_REFUSED",
      retry: false,
      message: expect.stringMatching(/ModuleTemplate istio-1.0.0.*unheardOf.*not declared in schema/) as string,
    });
  });

  it("reports a missing namespace or an unknown kind", async (context) => {
    const world = await sharedWorld(context);
    const elsewhere = { ...configMap(world), metadata: { name: NAME, namespace: "nowhere-at-all" } };
    const unknown = { ...configMap(world), apiVersion: "example.com/v1", kind: "Gadget" };

    expect(await failure(world.controlPlane.apply(elsewhere, "absent", run))).toMatchObject({
      code: "CLUSTER_REFUSED",
      message: mentions(
        `ConfigMap ${NAME}`,
        world.controlPlane.server,
        "namespace nowhere-at-all",
        "kyma-modules.yaml",
      ),
    });
    expect(await failure(world.controlPlane.apply(unknown, "absent", run))).toMatchObject({
      code: "CLUSTER_KIND_MISSING",
    });
  });
});

describe("moving ownership", () => {
  it("replaces the owners of fields, and nothing else", async (context) => {
    const world = await sharedWorld(context);
    await world.outside.must("POST", `${pathOf("configmaps", world.namespace)}?fieldManager=theirs`, {
      metadata: { name: NAME },
      data: { a: "1" },
    });
    const live = await world.controlPlane.read(refTo(world), run);
    if (live === undefined) throw new Error("it is not there");
    const entry = {
      manager: "kyma-modules",
      operation: "Apply",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:a": {} } },
    };
    const moved = await world.controlPlane.moveOwnership(refTo(world), expectedObject(live), [entry], run);

    expect(moved.metadata.managedFields).toMatchObject([entry]);
    expect(moved.metadata.managedFields).toHaveLength(1);
    expect(moved["data"]).toEqual({ a: "1" });
  });
});

describe("removing", () => {
  it("removes exactly the object that was read, and ignores one that is already gone", async (context) => {
    const world = await sharedWorld(context);
    const live = await world.controlPlane.apply(configMap(world), "absent", run);

    expect(await world.controlPlane.remove(refTo(world), expectedObject(live), nothingInTheWay, run)).toBeUndefined();
    expect(await world.controlPlane.remove(refTo(world), expectedObject(live), nothingInTheWay, run)).toBeUndefined();
    expect(await world.read("configmaps", NAME)).toBeUndefined();
  });

  it("removes nothing while a blocker exists, and returns it", async (context) => {
    const world = await sharedWorld(context);
    const live = await world.controlPlane.apply(configMap(world), "absent", run);
    const blocker = (): Promise<string> => Promise.resolve("someone uses it");

    expect(await world.controlPlane.remove(refTo(world), expectedObject(live), blocker, run)).toBe("someone uses it");
    expect(await world.read("configmaps", NAME)).toBeDefined();
  });

  it.for([
    ["changed", touch],
    ["deleted and created again", createAnew],
  ] as const)("is a conflict on what was %s since it was read", async ([, meanwhile], context) => {
    const world = await sharedWorld(context);
    const live = await world.controlPlane.apply(configMap(world), "absent", run);
    await meanwhile(world);

    expect(
      await failure(world.controlPlane.remove(refTo(world), expectedObject(live), nothingInTheWay, run)),
    ).toMatchObject({
      code: "CLUSTER_CONFLICT",
    });
    expect(await world.read("configmaps", NAME)).toBeDefined();
  });
});

describe("an aborted run", () => {
  it("sends nothing", async (context) => {
    const world = await sharedWorld(context);
    const aborted = quietRun(AbortSignal.abort(new Error("interrupted")));

    await expect(world.controlPlane.apply(configMap(world), "absent", aborted)).rejects.toThrow("interrupted");
    expect(await world.read("configmaps", NAME)).toBeUndefined();
  });
});
