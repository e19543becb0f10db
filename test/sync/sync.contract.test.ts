import fc from "fast-check";
import { expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { namedTemplates } from "../../src/kubernetes/releaseMeta.ts";
import type { ControlPlane } from "../../src/ports.ts";
import { quietRun } from "../support/quietRun.ts";
import { catalogueOf, type TemplateSpec } from "./catalogueFiles.ts";
import { pathOf } from "./outside.ts";
import { byName, entryResults, results, summary } from "./planning.ts";
import { openWorld, sharedWorld } from "./world.ts";

const CHANNELS = { fast: { istio: "1.3.0", keda: "2.0.0" }, regular: { istio: "1.2.0", keda: "2.0.0" } };
const catalogue = catalogueOf({ channels: { ...CHANNELS, must: { audit: "1.0.0" } }, mandatory: ["must"] });

const names = (objects: readonly KubernetesObject[]): readonly string[] => objects.map(({ metadata }) => metadata.name);
const versionOf = ({ metadata }: KubernetesObject): number => Number(metadata.resourceVersion);

it("creates everything, and writes nothing the second time", async (context) => {
  const world = await sharedWorld(context);
  const first = await world.sync(catalogue);

  expect(first.outcomes.map(({ item, result }) => `${item.kind} ${item.object.name} ${result}`).sort()).toEqual([
    "create audit done",
    "create audit-1.0.0 done",
    "create istio done",
    "create istio-1.2.0 done",
    "create istio-1.3.0 done",
    "create keda done",
    "create keda-2.0.0 done",
    "create kyma-modules done",
  ]);
  expect(entryResults(first).toSorted()).toEqual([
    "done create fast/istio – → 1.3.0",
    "done create fast/keda – → 2.0.0",
    "done create must/audit – → 1.0.0",
    "done create regular/istio – → 1.2.0",
    "done create regular/keda – → 2.0.0",
  ]);
  expect(await world.list("metas")).toMatchObject([
    { spec: { moduleName: "audit", mandatory: { version: "1.0.0" } } },
    {
      spec: {
        moduleName: "istio",
        channels: [
          { channel: "fast", version: "1.3.0" },
          { channel: "regular", version: "1.2.0" },
        ],
      },
    },
    { spec: { moduleName: "keda" } },
  ]);
  const before = await world.versions();
  const second = await world.sync(catalogue);

  expect(second.outcomes.map(({ item, result }) => `${item.kind} ${result}`)).toEqual(Array(8).fill("unchanged left"));
  expect(entryResults(second)).toEqual([]);
  expect(Object.keys(before)).toContain("configmaps kyma-modules-entries");
  expect(await world.versions()).toEqual(before);
});

it("writes the parent of the set first, then the records, and for each module the templates before the release meta", async (context) => {
  const world = await sharedWorld(context);
  const order: string[] = [];
  const watched: ControlPlane = {
    ...world.controlPlane,
    apply: (desired, expected, run) => {
      order.push(`${desired.kind} ${desired.metadata.name}`);
      return world.controlPlane.apply(desired, expected, run);
    },
  };
  await world.sync(catalogue, { controlPlane: watched });
  const templates = new Map((await world.list("templates")).map((object) => [object.metadata.name, versionOf(object)]));
  const metas = await world.list("metas");

  expect(order.slice(0, 2)).toEqual(["ConfigMap kyma-modules", "ConfigMap kyma-modules-entries"]);
  expect(order.at(-1)).toBe("ConfigMap kyma-modules-entries");
  expect(order.filter((name) => name.startsWith("ConfigMap"))).toHaveLength(3);
  expect(metas).toHaveLength(3);
  for (const meta of metas)
    for (const name of namedTemplates(meta))
      expect(versionOf(meta)).toBeGreaterThan(templates.get(name) ?? Number.POSITIVE_INFINITY);
});

it("follows a bump, keeps the old version until it may be pruned, and then has nothing to do", async (context) => {
  const world = await sharedWorld(context);
  const bumped = catalogueOf({ channels: { ...CHANNELS, regular: { istio: "1.3.0", keda: "2.0.0" } } });
  await world.sync(catalogueOf({ channels: CHANNELS }));
  await world.sync(bumped);

  expect(await world.read("metas", "istio")).toMatchObject({
    spec: { channels: [{ version: "1.3.0" }, { version: "1.3.0" }] },
  });
  expect(names(await world.list("templates"))).toContain("istio-1.2.0");
  expect(summary((await world.prepare(bumped)).plan)).toEqual(["left over istio-1.2.0"]);

  await world.sync(bumped, { prune: true });

  expect(names(await world.list("templates"))).toEqual(["istio-1.3.0", "keda-2.0.0"]);
  expect(summary((await world.prepare(bumped, { prune: true })).plan)).toEqual([]);
});

it("never recreates a release meta to change it", async (context) => {
  const world = await sharedWorld(context);
  await world.sync(catalogueOf({ channels: { fast: { istio: "1.3.0" } } }));
  const before = await world.read("metas", "istio");
  await world.sync(catalogueOf({ channels: { must: { istio: "1.3.0" } }, mandatory: ["must"] }));
  const after = await world.read("metas", "istio");

  expect(after).toMatchObject({ metadata: { uid: before?.metadata.uid }, spec: { mandatory: { version: "1.3.0" } } });
  expect(after?.["spec"]).not.toHaveProperty("channels");
});

it("makes a module mandatory whose release meta has channels and foreign fields", async (context) => {
  const world = await sharedWorld(context);
  await world.sync(catalogueOf({ channels: { fast: { istio: "1.3.0" } } }));
  const channels = [
    { channel: "fast", version: "1.3.0" },
    { channel: "foreign", version: "1.0.0" },
  ];
  const theirs = {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "ModuleReleaseMeta",
    metadata: { name: "istio", labels: { "operator.kyma-project.io/beta": "true" } },
    spec: { moduleName: "istio", channels, beta: true, internal: true },
  };
  const path = pathOf("metas", world.namespace, "istio");
  await world.outside.must("PATCH", `${path}?fieldManager=other&force=true`, theirs, "apply-patch");
  const mandatory = catalogueOf({ channels: { must: { istio: "1.3.0" } }, mandatory: ["must"] });
  const { plan } = await world.prepare(mandatory);
  const { istio: item } = byName(plan);
  if (item?.kind !== "change") throw new Error("no change");
  const { uid = "", resourceVersion = "" } = item.live.metadata;

  // The reason why ownership is moved first.
  await expect(world.controlPlane.apply(item.desired, { uid, resourceVersion }, quietRun())).rejects.toMatchObject({
    code: "CLUSTER_REFUSED",
    message: expect.stringMatching(/\(422\).*exactly one of/) as string,
  });
  const synced = await world.sync(mandatory);
  const after = await world.read("metas", "istio");

  expect(results(synced)).toEqual(["done istio"]);
  expect(entryResults(synced).toSorted()).toEqual([
    "done create must/istio – → 1.3.0",
    "done remove fast/istio 1.3.0 → –",
    "done remove foreign/istio 1.0.0 → –",
  ]);
  expect(after?.["spec"]).toEqual({
    moduleName: "istio",
    ocmComponentName: "example.com/module/istio",
    mandatory: { version: "1.3.0" },
    beta: false,
    internal: false,
  });
  expect(after?.metadata.labels).not.toHaveProperty("operator.kyma-project.io/beta");
  expect(summary((await world.prepare(mandatory)).plan)).toEqual([]);
});

it("finds its own writes unchanged, with any JSON in a template", async (context) => {
  const world = await sharedWorld(context);
  const metadata = {
    name: "default",
    namespace: "",
    creationTimestamp: "2026-01-01T01:00:00.5+02:00",
    labels: {},
    finalizers: [],
  };
  const values = fc.sample(fc.jsonValue({ maxDepth: 3 }), { numRuns: 20, seed: 20_260_504 }).map(withSafeIntegers);
  const modules = values.map((value, index): [string, TemplateSpec] => {
    const data = {
      apiVersion: "example.com/v1",
      kind: "Sample",
      metadata: index % 2 === 0 ? metadata : {},
      spec: { value },
    };
    return [
      `module-${"abcdefghijklmnopqrst"[index]?.repeat(3) ?? ""}`,
      { version: "1.0.0", data, descriptor: { value } },
    ];
  });
  const odd = catalogueOf({ channels: { fast: Object.fromEntries(modules) } });
  const synced = await world.sync(odd);

  expect(results(synced).filter((result) => !result.startsWith("done"))).toEqual([]);
  expect(summary((await world.prepare(odd)).plan)).toEqual([]);
});

/** The parser refuses larger integers. */
function withSafeIntegers(value: unknown): unknown {
  const isUnsafe = (member: unknown): boolean => Number.isInteger(member) && !Number.isSafeInteger(member);
  return JSON.parse(JSON.stringify(value), (_, member: unknown) => (isUnsafe(member) ? 0 : member));
}

it("serves two landscapes of one API server side by side", async (context) => {
  const world = await sharedWorld(context);
  const other = await openWorld(world.access);
  await Promise.all([world.sync(catalogue), other.sync(catalogueOf({ channels: { fast: { istio: "1.3.0" } } }))]);

  expect(names(await other.list("templates"))).toEqual(["istio-1.3.0"]);
  expect(names(await world.list("templates"))).toHaveLength(4);
});

it("plans beside a release meta and a template without a spec, which the API server accepts", async (context) => {
  const world = await sharedWorld(context);
  const create = (kind: "templates" | "metas", objectKind: string): Promise<KubernetesObject> =>
    world.outside.must("POST", pathOf(kind, world.namespace), {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: objectKind,
      metadata: { name: "bare" },
    });
  await Promise.all([create("templates", "ModuleTemplate"), create("metas", "ModuleReleaseMeta")]);
  await world.sync(catalogue);

  expect(summary((await world.prepare(catalogue, { prune: true })).plan)).toEqual([]);
});
