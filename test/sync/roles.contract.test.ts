import { describe, expect, it } from "vitest";
import type { EntryRecord } from "../../src/sync/plan/records.ts";
import type { Account, RoleRule } from "../../src/sync/install/target.ts";
import { readRecords, writeRecords } from "../../src/sync/recordStore.ts";
import { requestSync } from "../../src/sync/request.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { quietRun } from "../support/quietRun.ts";
import { BEFORE, installLifecycleManager, journey, printed, type ChangeRules } from "./granting.ts";
import { pathOf } from "./outside.ts";
import { signIn } from "./users.ts";
import { sharedWorld, type World } from "./world.ts";

/** All rights of a sync, one per line. */
const ONE_SHOT: readonly (readonly [resource: string, verbs: readonly string[]])[] = [
  ["moduletemplates", ["get", "list", "create", "patch", "delete"]],
  ["modulereleasemetas", ["get", "list", "create", "patch", "delete"]],
  ["kymas", ["list"]],
  ["manifests", ["list"]],
  ["deployments", ["list"]],
  ["configmaps", ["get", "create", "patch"]],
  ["leases", ["get", "create", "patch"]],
];
const RIGHTS = ONE_SHOT.flatMap(([resource, verbs]) => verbs.map((verb) => [verb, resource] as const));

/** The rules without one verb on one resource. */
function without(verb: string, resource: string): ChangeRules {
  return (rules) =>
    rules.flatMap((rule) => {
      const others = { ...rule, resources: rule.resources.filter((one) => one !== resource) };
      const rest = { ...rule, resources: [resource], verbs: rule.verbs.filter((one) => one !== verb) };
      return rule.resources.includes(resource)
        ? [others, rest].filter(({ resources, verbs }) => resources.length > 0 && verbs.length > 0)
        : [rule];
    });
}

describe("the Role of a sync in CI", () => {
  it("suffices to create, raise and prune, and to write records", async (context) => {
    const world = await sharedWorld(context);
    await installLifecycleManager(world);
    const { controlPlane } = await signIn(printed(world, "one-shot"), world);

    expect(await journey(world, controlPlane)).toEqual([]);
    expect(Object.keys(await world.versions()).toSorted()).toEqual([
      "configmaps kyma-modules",
      "configmaps kyma-modules-entries",
      "metas istio",
      "templates istio-1.3.0",
    ]);
  });

  it("suffices to ask a controller for a sync, and to read its answer", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane } = await signIn(printed(world, "one-shot"), world);
    const where = { controlPlane, namespace: world.namespace, clock: systemClock };
    const allowed = { adopt: false, prune: false, maxPrune: undefined, now: "INC-1", takeOverSet: false };
    const request = { id: "a", by: "ci", atMs: Date.now(), commit: "c".repeat(40) };
    const asking = requestSync(
      { ...request, allowed: { ...allowed, switchGeneration: false, rewind: false } },
      where,
      100,
      quietRun(),
    );

    await expect(asking).rejects.toMatchObject({ code: "CLUSTER_TIMEOUT" });
  });

  it("has no rights except for those in this table", async (context) => {
    const rules = printed(await sharedWorld(context), "one-shot").flatMap(
      (object) => (object as { readonly rules?: readonly RoleRule[] }).rules ?? [],
    );
    const rights = rules.flatMap(({ resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
    );

    expect([...new Set(rights)].toSorted()).toEqual(RIGHTS.map((right) => right.join(" ")).toSorted());
  });

  it.for(RIGHTS)("needs the right to %s %s", async ([verb, resource], context) => {
    const world = await sharedWorld(context);
    await installLifecycleManager(world);
    const { controlPlane } = await signIn(printed(world, "one-shot", { change: without(verb, resource) }), world);
    const said = (await journey(world, controlPlane)).join("\n");

    expect(said).toContain(`cannot ${verb} resource "${resource}"`);
  });
});

describe("the names in the Role", () => {
  it("limit which ConfigMaps and Leases are created, read and changed", async (context) => {
    const world = await sharedWorld(context);
    const { outside } = await signIn(printed(world, "one-shot"), world);
    const configMaps = pathOf("configmaps", world.namespace);
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${world.namespace}/leases`;
    const apply = async (apiVersion: string, kind: string, path: string): Promise<number> => {
      const object = { apiVersion, kind, metadata: { name: path.replace(/.*\//, ""), namespace: world.namespace } };
      return (await outside.send("PATCH", `${path}?fieldManager=test`, object, "apply-patch")).status;
    };
    await world.outside.must("POST", configMaps, { metadata: { name: "foreign" } });

    expect(await apply("v1", "ConfigMap", `${configMaps}/kyma-modules-entries-4-3`)).toBe(201);
    expect(await apply("v1", "ConfigMap", `${configMaps}/other`)).toBe(403);
    expect(await apply("v1", "ConfigMap", `${configMaps}/foreign`)).toBe(403);
    expect(await apply("coordination.k8s.io/v1", "Lease", `${leases}/other`)).toBe(403);
    expect((await outside.send("GET", `${configMaps}/foreign`)).status).toBe(403);
    expect((await outside.send("GET", configMaps)).status).toBe(403);
    expect((await outside.send("POST", configMaps, { metadata: { name: "kyma-modules" } })).status).toBe(403);
  });

  it("suffice for the records of a thousand entries; more fail and name the missing right", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane } = await signIn(printed(world, "one-shot"), world);
    const where = { controlPlane, namespace: world.namespace, owner: { repository: "org/name", landscape: "dev" } };
    const none = { records: { kind: "none" }, owner: undefined, objects: new Map() } as const;
    const write = (count: number): Promise<unknown> => writeRecords(entriesOf(count), none, where, quietRun());

    await write(1000);
    const { records } = await readRecords(controlPlane, world.namespace, quietRun());
    expect(records).toMatchObject({ kind: "known", entries: { size: 1000 } });
    await expect(write(2000)).rejects.toMatchObject({
      code: "CLUSTER_FORBIDDEN",
      message: expect.stringContaining("ConfigMap kyma-modules-entries-16-0: not allowed") as string,
    });
  });
});

/** Entries with as many past versions as a record keeps. */
function entriesOf(count: number): ReadonlyMap<string, EntryRecord> {
  const version = { version: "1.22.333", specHash: "a".repeat(64) };
  const previous = Array.from({ length: 10 }, () => ({ ...version, fromMs: 1.7e12, untilMs: 1.8e12, soakedMs: 0 }));
  const current = { ...version, sinceMs: 1.8e12, accepted: [], now: undefined };
  const record = { current, next: undefined, previous, terms: undefined };
  return new Map(Array.from({ length: count }, (_, index) => [`regular/module-${index}`, record]));
}

describe("the Role of the controller", () => {
  const WATCHED = ["moduletemplates", "modulereleasemetas", "kymas", "manifests"];
  const QUERY = "watch=1&timeoutSeconds=1&resourceVersion=0";
  const watches = ({ namespace }: World): readonly string[] => [
    ...WATCHED.map((kind) => `/apis/operator.kyma-project.io/v1beta2/namespaces/${namespace}/${kind}?${QUERY}`),
    ...["kyma-modules", "kyma-modules-entries", "kyma-modules-controls"].map(
      (name) => `/api/v1/namespaces/${namespace}/configmaps?${QUERY}&fieldSelector=metadata.name=${name}`,
    ),
  ];
  const answersTo = async (world: World, actor: Account): Promise<readonly number[]> => {
    const { outside } = await signIn(printed(world, actor), world);
    return Promise.all(watches(world).map(async (path) => (await outside.send("GET", path)).status));
  };

  it("lets it watch the objects of its landscape, and the ConfigMaps of the set by name", async (context) => {
    expect(await answersTo(await sharedWorld(context), "controller")).toEqual(Array.from({ length: 7 }, () => 200));
  });

  it("gives these rights to no other account", async (context) => {
    expect(await answersTo(await sharedWorld(context), "one-shot")).toEqual(Array.from({ length: 7 }, () => 403));
  });

  it.for([
    ["controller", 201],
    ["one-shot", 403],
  ] as const)("lets it alone tell events: %s %i", async ([actor, status], context) => {
    const world = await sharedWorld(context);
    const { outside } = await signIn(printed(world, actor), world);
    const { namespace } = world;
    const path = `/api/v1/namespaces/${namespace}/events/told?fieldManager=test`;
    const involvedObject = { kind: "ConfigMap", name: "kyma-modules", namespace };
    const event = { apiVersion: "v1", kind: "Event", metadata: { name: "told", namespace }, involvedObject };

    expect((await outside.send("PATCH", path, event, "apply-patch")).status).toBe(status);
  });

  it("suffices for a sync, too", async (context) => {
    const world = await sharedWorld(context);
    await installLifecycleManager(world);
    const { controlPlane } = await signIn(printed(world, "controller"), world);

    expect(await journey(world, controlPlane)).toEqual([]);
  });
});

describe("the Role of a reader", () => {
  it.for([false, true])("lets it read the records, and list Kymas only if requested: %s", async (kymas, context) => {
    const world = await sharedWorld(context);
    await world.sync(BEFORE);
    const { controlPlane, outside } = await signIn(printed(world, "reader", { kymas }), world);
    const { records } = await readRecords(controlPlane, world.namespace, quietRun());

    expect(records).toMatchObject({ kind: "known", entries: { size: 2 } });
    expect((await outside.send("GET", pathOf("kymas", world.namespace))).status).toBe(kymas ? 200 : 403);
    expect((await outside.send("GET", pathOf("templates", world.namespace))).status).toBe(403);
    expect((await outside.send("GET", pathOf("configmaps", world.namespace, "kyma-modules"))).status).toBe(403);
  });
});
