import { describe, expect, it } from "vitest";
import { acceptedKey } from "../../src/sync/plan/refusals.ts";
import { planItems } from "../../src/sync/plan/item.ts";
import { mentions } from "../support/mentions.ts";
import { catalogueOf } from "./catalogueFiles.ts";
import { writeKyma } from "./fleet.ts";
import { pathOf } from "./outside.ts";
import { entryResults, recorded, results, summary } from "./planning.ts";
import { sharedWorld } from "./world.ts";

describe("an acceptance that has ended", () => {
  it("is valid for terms in a later landscape, also if no entry moves", async (context) => {
    const world = await sharedWorld(context);
    const [from, to, until] = [undefined, true, "2020-01-01T00:00:00Z"];
    const accepts = [{ refusal: "restriction-changed", field: "beta", from: null, to, reason: "r", until }];
    const landscapes = ["elsewhere", "dev"].map((name, index) => ({
      ...{ name, controlPlane: { context: name }, namespace: world.namespace, lifecycleManager: "version-templates" },
      ...(index > 0 && { after: { landscape: "elsewhere", soak: "1h", notWorseBy: "1%" } }),
    }));
    const serving = (istio: object): ReturnType<typeof catalogueOf> => {
      const channels = { fast: { istio: "1.2.0" } };
      return catalogueOf({ channels, everywhere: ["fast"], settings: { landscapes }, modules: { istio } });
    };
    await world.sync(serving({}), { now: "first" });
    await writeKyma(world, "a", [{ name: "istio", channel: "fast", version: "1.2.0" }]);
    const { current, ...rest } = recorded("1.2.0");
    const key = acceptedKey({ refusal: "restriction-changed", module: "istio", field: "beta", from, to });
    const record = { ...rest, current: current && { ...current, accepted: [key] } };
    const earlier = { kind: "known", entries: new Map([["fast/istio", record]]) } as const;

    expect(summary((await world.prepare(serving({ beta: true, accepts }))).plan)).toContain(
      "refused istio: restriction-changed",
    );
    expect(summary((await world.prepare(serving({ beta: true, accepts }), { earlier })).plan)).toEqual([
      "repository istio",
    ]);
  });
});

describe("a sync", () => {
  it("does not lower a mandatory module, and does not change its template", async (context) => {
    const world = await sharedWorld(context);
    const mandatory = (version: string): ReturnType<typeof catalogueOf> =>
      catalogueOf({ channels: { must: { audit: version } }, mandatory: ["must"] });
    await world.sync(mandatory("1.2.0"));

    const lower = await world.sync(mandatory("1.1.0"), { prune: true });

    expect(entryResults(lower)).toEqual(["left refused must/audit 1.2.0 → 1.1.0: mandatory-downgrade"]);
    expect(results(lower)).toEqual(["left audit-1.2.0"]);
    expect(await world.read("metas", "audit")).toMatchObject({ spec: { mandatory: { version: "1.2.0" } } });
    expect(await world.read("templates", "audit-1.2.0")).toBeDefined();

    await world.sync(mandatory("1.2.1"));

    expect(await world.read("metas", "audit")).toMatchObject({ spec: { mandatory: { version: "1.2.1" } } });
  });

  it("does not give a version different content, and blocks the entries that would name it", async (context) => {
    const world = await sharedWorld(context);
    const data = { apiVersion: "example.com/v1", kind: "Other" };
    const changed = catalogueOf({
      channels: { fast: { istio: { version: "1.3.0", data } }, slow: { istio: { version: "1.3.0", data } } },
    });
    await world.sync(catalogueOf({ channels: { fast: { istio: "1.3.0" } } }));
    const before = await world.versions();

    const refused = await world.sync(changed);

    expect(results(refused)).toEqual(["left istio-1.3.0: content-changed"]);
    expect(entryResults(refused)).toEqual(["left refused slow/istio – → 1.3.0: content-changed"]);
    expect(await world.versions()).toEqual(before);

    const synced = await world.sync(changed, { changedContent: "apply" });

    expect(results(synced)).toEqual(["done istio", "done istio-1.3.0"]);
    expect(planItems(synced.plan).flatMap((item) => (item.kind === "change" ? (item.warning ?? []) : []))).toEqual([
      mentions("different content"),
    ]);
    expect(await world.read("templates", "istio-1.3.0")).toMatchObject({ spec: { data } });
  });

  it("moves other entries of a module that has a version with different content", async (context) => {
    const world = await sharedWorld(context);
    const data = { apiVersion: "example.com/v1", kind: "Other" };
    await world.sync(catalogueOf({ channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.2.0" } } }));
    const changed = {
      fast: { istio: { version: "1.3.0", data } },
      regular: { istio: "1.2.1" },
      next: { istio: "1.4.0" },
    };
    const synced = await world.sync(catalogueOf({ channels: changed }));

    expect(entryResults(synced)).toEqual([
      "done create next/istio – → 1.4.0",
      "done raise regular/istio 1.2.0 → 1.2.1",
    ]);
    expect((await world.read("metas", "istio"))?.["spec"]).toMatchObject({
      channels: [{ version: "1.3.0" }, { channel: "next", version: "1.4.0" }, { version: "1.2.1" }],
    });
  });

  it("waits for an object that is being deleted, and creates it once it is gone", async (context) => {
    const world = await sharedWorld(context);
    const catalogue = catalogueOf({ channels: { fast: { istio: "1.3.0" } } });
    await world.sync(catalogue);
    const path = pathOf("templates", world.namespace, "istio-1.3.0");
    await world.outside.must("PATCH", path, { metadata: { finalizers: ["example.com/hold"] } }, "merge-patch");
    await world.outside.must("DELETE", path);
    const before = await world.versions();

    expect(summary((await world.prepare(catalogue)).plan)).toEqual(["waiting istio-1.3.0"]);
    await world.sync(catalogue);

    expect(await world.versions()).toEqual(before);

    await world.outside.must("PATCH", path, { metadata: { finalizers: null } }, "merge-patch");

    expect(results(await world.sync(catalogue))).toEqual(["done istio-1.3.0"]);
    expect((await world.read("templates", "istio-1.3.0"))?.metadata).not.toHaveProperty("deletionTimestamp");
  });

  it("writes nothing into a set whose parent is refused", async (context) => {
    const world = await sharedWorld(context);
    await world.outside.must("POST", pathOf("configmaps", world.namespace), { metadata: { name: "kyma-modules" } });
    const catalogue = catalogueOf({ channels: { fast: { istio: "1.3.0" } } });

    expect(results(await world.sync(catalogue))).toEqual(["left kyma-modules: not-ours"]);
    expect(await world.list("templates")).toEqual([]);

    expect(results(await world.sync(catalogue, { adopt: true }))).toEqual([
      "done istio",
      "done istio-1.3.0",
      "done kyma-modules",
    ]);
  });
});
