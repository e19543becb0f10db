import { beforeEach, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { codeOfSync } from "../../src/sync/exitCode.ts";
import { expectedObject } from "../../src/sync/identity.ts";
import { planItems } from "../../src/sync/plan/item.ts";
import { entriesIn } from "../../src/sync/plan/records.ts";
import { quietRun } from "../support/quietRun.ts";
import { mentions } from "../support/mentions.ts";
import { catalogueOf, templateObject, type Sample } from "./catalogueFiles.ts";
import { writeKyma, writeManifest } from "./fleet.ts";
import { pathOf, type Kind } from "./outside.ts";
import { entryResults, results, summary } from "./planning.ts";
import { sharedWorld, type World } from "./world.ts";

const before = catalogueOf({ channels: { fast: { istio: "1.2.0", keda: "2.0.0" } } });
const after = catalogueOf({ channels: { fast: { istio: "1.3.0", keda: "2.0.0" } } });

let world: World;

beforeEach(async (context) => {
  world = await sharedWorld(context);
  await world.sync(before);
});

function edit(kind: Kind, name: string, body: object): Promise<KubernetesObject> {
  return world.outside.must("PATCH", `${pathOf(kind, world.namespace, name)}?fieldManager=other`, body, "merge-patch");
}

const template = (): object => templateObject("istio", "istio-1.3.0", { version: "1.3.0" });

describe("an object that changed between planning and writing", () => {
  it("is planned again, alone", async () => {
    const keda = await world.read("metas", "keda");
    const synced = await world.sync(after, {
      meanwhile: () => edit("metas", "istio", { metadata: { annotations: { note: "n" } }, spec: { beta: true } }),
    });

    expect(results(synced)).toEqual(["done istio", "done istio-1.3.0", "left istio-1.2.0"]);
    expect(await world.read("metas", "istio")).toMatchObject({
      metadata: { annotations: { note: "n" } },
      spec: { channels: [{ version: "1.3.0" }], beta: false },
    });
    expect(await world.read("metas", "keda")).toEqual(keda);
  });

  it("leaves an entry that may not move any more, and records that it did not move", async () => {
    await writeKyma(world, "a", [{ name: "istio", channel: "fast", version: "1.2.0" }]);
    await writeManifest(world, "a-istio", "istio", "1.2.0", "a");
    const kymaSelector = { matchLabels: { theirs: "yes" } };
    const synced = await world.sync(after, { meanwhile: () => edit("metas", "istio", { spec: { kymaSelector } }) });

    expect(entryResults(synced)).toEqual(["left refused fast/istio 1.2.0 → 1.3.0: restriction-changed"]);
    expect(codeOfSync(synced)).toBe(1);
    expect(await world.read("metas", "istio")).toMatchObject({ spec: { channels: [{ version: "1.2.0" }] } });
    const { stored } = await world.prepare(after);
    expect(entriesIn(stored.records).get("fast/istio")).toMatchObject({ current: { version: "1.2.0" }, previous: [] });
  });

  it("is created if it was deleted", async () => {
    const synced = await world.sync(after, {
      meanwhile: () => world.outside.must("DELETE", pathOf("metas", world.namespace, "istio")),
    });

    expect(results(synced)).toContain("done istio");
    expect(await world.read("metas", "istio")).toBeDefined();
  });

  it("is left to the client that created it first, and the object that would name it is blocked", async () => {
    const synced = await world.sync(after, {
      meanwhile: () =>
        world.outside.must("POST", `${pathOf("templates", world.namespace)}?fieldManager=other`, {
          ...template(),
          metadata: { name: "istio-1.3.0" },
        }),
    });

    expect(results(synced)).toEqual([
      "left istio-1.2.0",
      "left istio-1.3.0: not-ours",
      mentions("skipped istio:", "ModuleTemplate istio-1.3.0"),
    ]);
    expect(await world.read("metas", "istio")).toMatchObject({ spec: { channels: [{ version: "1.2.0" }] } });
  });

  it("is not mistaken for another one of the same name", async () => {
    const path = pathOf("metas", world.namespace, "istio");
    const theirs = {
      metadata: { name: "istio" },
      spec: { moduleName: "istio", channels: [{ channel: "theirs", version: "9.0.0" }] },
    };
    const synced = await world.sync(after, {
      meanwhile: async () => {
        await world.outside.must("DELETE", path);
        await world.outside.must("POST", pathOf("metas", world.namespace), {
          apiVersion: "operator.kyma-project.io/v1beta2",
          kind: "ModuleReleaseMeta",
          ...theirs,
        });
      },
    });

    expect(results(synced)).toContain("left istio: not-ours");
    expect(await world.read("metas", "istio")).toMatchObject(theirs);
  });

  it("is done if another client did it", async () => {
    const versions: (readonly string[])[] = [];
    const written = async (): Promise<readonly string[]> =>
      Object.entries(await world.versions()).flatMap(([name, version]) =>
        name.startsWith("configmaps") ? [] : [`${name} ${version}`],
      );
    const synced = await world.sync(after, {
      meanwhile: async ({ plan }) => {
        for (const item of planItems(plan)) {
          const expected = item.kind === "change" ? expectedObject(item.live) : "absent";
          if (item.kind === "create" || item.kind === "change")
            await world.controlPlane.apply(item.desired, expected, quietRun());
        }
        versions.push(await written());
      },
    });

    expect(results(synced)).toEqual(["left istio-1.2.0"]);
    expect(synced.outcomes.map(({ item, result }) => `${item.kind} ${item.object.name} ${result}`)).toContain(
      "unchanged istio done",
    );
    expect(entryResults(synced)).toEqual(["done raise fast/istio 1.2.0 → 1.3.0"]);
    expect(await written()).toEqual(versions[0]);
  });

  it("is not written at all after another sync wrote records, because the plan may be outdated", async () => {
    const versions: Readonly<Record<string, string>>[] = [];
    const synced = await world.sync(after, {
      meanwhile: async () => {
        await world.sync(after);
        versions.push(await world.versions());
      },
    });

    expect(results(synced)).toEqual([
      "left istio-1.2.0",
      mentions("skipped istio-1.3.0:", "records"),
      mentions("skipped istio:", "records"),
    ]);
    expect(synced.outcomes.flatMap((outcome) => (outcome.result === "failed" ? [outcome.fault.code] : []))).toEqual([
      "CLUSTER_CONFLICT",
    ]);
    expect(await world.versions()).toEqual(versions[0]);
  });

  it("is removed in its current state, unless it is no longer ours or already gone", async () => {
    const old = "istio-1.2.0";
    const touched = (): Promise<unknown> => edit("templates", old, { metadata: { annotations: { note: "n" } } });
    const taken = (): Promise<unknown> =>
      edit("templates", old, { metadata: { labels: { "applyset.kubernetes.io/part-of": "theirs" } } });
    const gone = (): Promise<unknown> => world.outside.must("DELETE", pathOf("templates", world.namespace, old));

    await world.sync(after, { prune: true, meanwhile: taken });
    expect(await world.read("templates", old)).toBeDefined();

    await gone();
    await world.sync(before);
    await world.sync(after, { prune: true, meanwhile: touched });
    expect(await world.read("templates", old)).toBeUndefined();

    await world.sync(before);
    expect(results(await world.sync(after, { prune: true, meanwhile: gone }))).toContain(`done ${old}`);
  });

  it("is repaired in its current state while it is retained", async () => {
    const known = catalogueOf({
      channels: { fast: { istio: "1.3.0", keda: "2.0.0" } },
      versions: { "istio/1.2.0": {} },
    });
    await edit("templates", "istio-1.2.0", { spec: { requiresDowntime: true } });
    await world.outside.must("POST", pathOf("metas", world.namespace), {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "ModuleReleaseMeta",
      metadata: { name: "theirs" },
      spec: { moduleName: "istio", channels: [{ channel: "theirs", version: "1.2.0" }] },
    });
    const synced = await world.sync(known, {
      meanwhile: () => edit("templates", "istio-1.2.0", { spec: { mandatory: true } }),
    });

    expect(results(synced)).toContain("done istio-1.2.0");
    expect(summary((await world.prepare(known)).plan)).toEqual(["retained istio-1.2.0"]);
  });
});

describe("a template that comes back", () => {
  it("is not restored if a user meanwhile has a higher version, over which it would be installed", async () => {
    await writeKyma(world, "a", [{ name: "istio", channel: "fast", version: "1.2.0" }]);
    await writeManifest(world, "a-istio", "istio", "1.2.0", "a");
    await world.outside.must("DELETE", pathOf("templates", world.namespace, "istio-1.2.0"));
    const synced = await world.sync(before, {
      meanwhile: () => edit("manifests", "a-istio", { spec: { version: "1.3.0" } }),
    });

    expect(results(synced)).toEqual(["left istio-1.2.0: user-endangered"]);
    expect(await world.read("templates", "istio-1.2.0")).toBeUndefined();
  });
});

describe("a removed entry", () => {
  const both = catalogueOf({
    channels: { fast: { istio: "1.2.0", keda: "2.0.0" }, regular: { istio: "1.2.0" } },
  });
  const removed = async (
    [module, channel, version]: readonly [string, string, string],
    channels: Sample["channels"],
  ): Promise<readonly string[]> => {
    await world.sync(both);
    const meanwhile = async (): Promise<void> => {
      await writeKyma(world, "late", [{ name: module, channel, version }]);
      await writeManifest(world, `late-${module}`, module, version, "late");
    };
    return entryResults(await world.sync(catalogueOf({ channels }), { prune: true, meanwhile }));
  };

  it("stays in its release meta if it meanwhile got a user", async () => {
    expect(await removed(["istio", "regular", "1.2.0"], { fast: { istio: "1.2.0", keda: "2.0.0" } })).toEqual([
      "left refused regular/istio 1.2.0 → –: channel-in-use",
    ]);
  });

  it("stays with its release meta if it meanwhile got a user", async () => {
    expect(await removed(["keda", "fast", "2.0.0"], { fast: { istio: "1.2.0" }, regular: { istio: "1.2.0" } })).toEqual(
      ["left refused fast/keda 2.0.0 → –: channel-in-use"],
    );
    expect(await world.read("metas", "keda")).toBeDefined();
  });
});
