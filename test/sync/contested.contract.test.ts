import { describe, expect, it, onTestFinished } from "vitest";
import type { ControlPlane } from "../../src/ports.ts";
import { catalogueOf } from "./catalogueFiles.ts";
import { pathOf } from "./outside.ts";
import { results } from "./planning.ts";
import { eventually, sharedWorld, type World } from "./world.ts";

const catalogue = catalogueOf({ channels: { fast: { istio: "1.3.0", keda: "2.0.0" } } });

async function fight(world: World): Promise<void> {
  const path = `${pathOf("templates", world.namespace, "istio-1.3.0")}?fieldManager=fighter`;
  const repository = `https://example.com/${Math.random()}`;
  await world.outside.must("PATCH", path, { spec: { info: { repository } } }, "merge-patch");
}

/** Lets another client write just before each of our writes to the template. */
function beaten(world: World): { readonly controlPlane: ControlPlane; readonly beaten: () => number } {
  let count = 0;
  const { controlPlane } = world;
  return {
    beaten: () => count,
    controlPlane: {
      ...controlPlane,
      apply: async (desired, expected, run) => {
        if (desired.metadata.name === "istio-1.3.0") {
          count += 1;
          await fight(world);
        }
        return controlPlane.apply(desired, expected, run);
      },
    },
  };
}

describe("another client that writes", () => {
  it("before each of our writes makes the object contested after a few attempts, with its name; the rest is synced", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogue);
    await fight(world);
    await world.outside.must("DELETE", pathOf("templates", world.namespace, "keda-2.0.0"));
    const foe = beaten(world);

    expect(results(await world.sync(catalogue, foe))).toEqual(["contested istio-1.3.0: fighter", "done keda-2.0.0"]);
    expect(foe.beaten()).toBe(5);
    expect(results(await world.sync(catalogue))).toEqual(["done istio-1.3.0"]);
  });

  it("after each of our writes makes the object contested as well, with its name", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogue);
    const { metadata } = (await world.read("templates", "istio-1.3.0")) ?? { metadata: { resourceVersion: "" } };
    const stop = new AbortController();
    const path = `${pathOf("templates", world.namespace)}?watch=true&resourceVersion=${metadata.resourceVersion ?? ""}`;
    const fighting = (async () => {
      for await (const { object } of world.outside.stream(path, stop.signal)) {
        const [last] = (object.metadata.managedFields ?? []).slice(-1);
        if (last !== undefined) await fight(world);
      }
    })().catch((error: unknown) => error);
    onTestFinished(async () => {
      stop.abort();
      await fighting;
    });
    await fight(world);
    for (let round = 0; round < 5; round++) {
      const synced = await world.sync(catalogue);

      expect(results(synced).length).toBeLessThanOrEqual(1);
      for (const { item, result } of synced.outcomes) {
        if (item.kind === "change")
          expect([item.by, result]).toEqual([["fighter"], expect.stringMatching(/done|contested/)]);
      }
    }
  });

  it("by admission, so that our own response differs, makes the field contested, and blocks what names the object", async (context) => {
    const world = await sharedWorld(context);
    const policies = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";
    const { status } = await world.outside.send("GET", policies);
    if (status !== 200) context.skip("this API server has no mutating admission policies");
    const name = world.namespace;
    const matchConstraints = {
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": world.namespace } },
      resourceRules: [
        {
          apiGroups: ["operator.kyma-project.io"],
          apiVersions: ["*"],
          operations: ["CREATE", "UPDATE"],
          resources: ["moduletemplates"],
        },
      ],
    };
    const expression = 'Object{metadata: Object.metadata{labels: {"operator.kyma-project.io/beta": "true"}}}';
    const mutations = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }];
    await world.outside.must("POST", policies, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingAdmissionPolicy",
      metadata: { name },
      spec: { matchConstraints, mutations, reinvocationPolicy: "Never", failurePolicy: "Fail" },
    });
    await world.outside.must("POST", `${policies.replace(/ies$/, "y")}bindings`, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name },
    });
    onTestFinished(async () => {
      await world.outside.send("DELETE", `${policies}/${name}`);
    });
    await eventually(async () => {
      const path = `${pathOf("templates", world.namespace)}?dryRun=All`;
      const trial = { metadata: { name: "trial" }, spec: { descriptor: {} } };
      const { body } = await world.outside.send("POST", path, {
        apiVersion: "operator.kyma-project.io/v1beta2",
        kind: "ModuleTemplate",
        ...trial,
      });
      return body.metadata.labels !== undefined;
    });
    const synced = await world.sync(catalogue);

    expect(results(synced)).toMatchObject([
      expect.stringContaining("contested istio-1.3.0"),
      expect.stringContaining("contested keda-2.0.0"),
      "done kyma-modules",
      expect.stringContaining("skipped istio"),
      expect.stringContaining("skipped keda"),
    ]);
    expect(await world.list("metas")).toEqual([]);
  });

  it("of a label does not undo the entry that was written with it", async (context) => {
    const world = await sharedWorld(context);
    const raised = catalogueOf({ channels: { fast: { istio: "1.4.0", keda: "2.0.0" } } });
    const webhook: ControlPlane = {
      ...world.controlPlane,
      apply: async (desired, expected, run) => {
        const stored = await world.controlPlane.apply(desired, expected, run);
        if (desired.kind !== "ModuleReleaseMeta") return stored;
        const path = `${pathOf("metas", world.namespace, desired.metadata.name)}?fieldManager=webhook`;
        const labels = { ...stored.metadata.labels, "operator.kyma-project.io/tier": "gold" };
        await world.outside.must("PATCH", path, { metadata: { labels } }, "merge-patch");
        return { ...stored, metadata: { ...stored.metadata, labels } };
      },
    };
    await world.sync(catalogue);
    const { outcomes, entries } = await world.sync(raised, { controlPlane: webhook });

    expect(outcomes.map(({ result }) => result)).toContain("contested");
    expect(entries.map(({ result }) => result)).not.toContain("skipped");
    await world.sync(raised);
    expect(await world.read("metas", "istio")).toMatchObject({ spec: { channels: [{ version: "1.4.0" }] } });
  });
});
