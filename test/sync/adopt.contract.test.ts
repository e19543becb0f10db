import { describe, expect, it } from "vitest";
import { applySetId, applySetParent } from "../../src/kubernetes/applySet.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { planItems } from "../../src/sync/plan/item.ts";
import { takeOwnership } from "../../src/kubernetes/ownership.ts";
import { mentions } from "../support/mentions.ts";
import { catalogueOf, templateObject } from "./catalogueFiles.ts";
import { kubectlFor } from "./kubectl.ts";
import { pathOf } from "./outside.ts";
import { entryResults, results, summary } from "./planning.ts";
import { sharedWorld, type World } from "./world.ts";

const catalogue = catalogueOf({ channels: { fast: { istio: "1.3.0" } } });
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const GROUP_VERSION = "operator.kyma-project.io/v1beta2";

/** The previous objects of a team: our version with different content, more labels, and a channel that is gone. */
function theirObjects(namespace: string): readonly KubernetesObject[] {
  const template = templateObject("istio", "istio-1.3.0", { version: "1.3.0", mandatory: true }) as KubernetesObject;
  const meta: KubernetesObject = {
    apiVersion: GROUP_VERSION,
    kind: "ModuleReleaseMeta",
    metadata: { name: "istio", namespace, labels: { team: "mesh", "operator.kyma-project.io/beta": "true" } },
    spec: {
      moduleName: "istio",
      beta: true,
      channels: [
        { channel: "fast", version: "1.3.0" },
        { channel: "old", version: "1.0.0" },
      ],
    },
  };
  const metadata = { ...template.metadata, namespace, labels: { team: "mesh" }, annotations: { note: "n" } };
  return [{ ...template, metadata }, meta];
}

const listOf = (items: readonly object[]): object => ({ apiVersion: "v1", kind: "List", items });

/** Asserts that the old manager owns no field any more, and that we own all of them. */
async function expectNothingStale(world: World): Promise<void> {
  const objects = [await world.read("templates", "istio-1.3.0"), await world.read("metas", "istio")];
  for (const object of objects) {
    expect(object?.metadata.annotations).toEqual({ "kyma-modules/desired": expect.any(String) as string });
    expect(Object.keys(object?.metadata.labels ?? {}).sort()).toEqual([
      "applyset.kubernetes.io/part-of",
      "operator.kyma-project.io/module-name",
    ]);
    expect(
      object?.metadata.managedFields?.map(({ manager, operation }) => `${manager ?? ""} ${operation ?? ""}`),
    ).toEqual(["kyma-modules Apply"]);
  }
  expect(objects[0]?.["spec"]).not.toHaveProperty("mandatory");
  expect(objects[1]?.["spec"]).toMatchObject({ beta: false, channels: [{ channel: "fast" }] });
  expect(summary((await world.prepare(catalogue)).plan)).toEqual([]);
}

describe("objects made by kubectl apply", () => {
  it("are refused, then adopted without leftovers", async (context) => {
    const world = await sharedWorld(context);
    const kubectl = await kubectlFor(context, world);

    expect(await kubectl(["apply", "-f", "-"], listOf(theirObjects(world.namespace)))).toMatchObject({ code: 0 });
    const before = await world.versions();
    const refused = await world.sync(catalogue);

    expect(results(refused)).toEqual([
      "done kyma-modules",
      "left istio-1.0.0: template-missing",
      "left istio-1.3.0: not-ours",
      "left istio: not-ours",
    ]);
    expect(
      planItems(refused.plan).map((item) => item.kind === "refused" && [item.refusal, item.reason, item.remedy]),
    ).toContainEqual(["not-ours", mentions("kubectl-client-side-apply"), mentions("sync --adopt")]);
    expect(await world.versions()).toMatchObject(before);

    const adopted = await world.sync(catalogue, { adopt: true, prune: true });

    expect(results(adopted)).toEqual(["done istio", "done istio-1.3.0"]);
    expect(entryResults(adopted)).toEqual(["done remove old/istio 1.0.0 → –"]);
    expect(planItems(adopted.plan).flatMap((item) => (item.kind === "change" ? [item.cause] : []))).toEqual([
      "adoption",
      "adoption",
    ]);
    await expectNothingStale(world);
  });

  it("show kubectl's last-applied annotation among the removals of the adoption", async (context) => {
    const world = await sharedWorld(context);
    const kubectl = await kubectlFor(context, world);
    await kubectl(["apply", "-f", "-"], listOf(theirObjects(world.namespace)));
    const { plan } = await world.prepare(catalogue, { adopt: true });
    const annotations = planItems(plan).flatMap((item) =>
      item.kind === "change"
        ? item.differences.filter(({ path }) => path[1] === "annotations").map(({ path }) => path[2])
        : [],
    );

    expect(annotations.filter((name) => name === LAST_APPLIED)).toHaveLength(2);
  });
});

describe("objects made by others", () => {
  async function createAs(world: World, manager: string, operation: "apply" | "create"): Promise<void> {
    for (const object of theirObjects(world.namespace)) {
      const kind = object.kind === "ModuleTemplate" ? "templates" : "metas";
      const query = `?fieldManager=${manager}`;
      if (operation === "create") await world.outside.must("POST", pathOf(kind, world.namespace) + query, object);
      else
        await world.outside.must(
          "PATCH",
          pathOf(kind, world.namespace, object.metadata.name) + query,
          object,
          "apply-patch",
        );
    }
  }

  it("by server-side apply are adopted without leftovers", async (context) => {
    const world = await sharedWorld(context);
    await createAs(world, "flux", "apply");
    await world.sync(catalogue, { adopt: true, prune: true });
    await expectNothingStale(world);
  });

  it("by several managers, and by an unknown one, are adopted as well", async (context) => {
    const world = await sharedWorld(context);
    await createAs(world, "a", "create");
    await createAs(world, "b", "apply");
    const path = pathOf("metas", world.namespace, "istio");
    await world.outside.must("PATCH", path, { metadata: { managedFields: [{}] } }, "merge-patch");
    await world.sync(catalogue, { adopt: true, prune: true });
    await expectNothingStale(world);
  });

  it("are adopted by a second attempt after the first one stopped half-way", async (context) => {
    const world = await sharedWorld(context);
    await createAs(world, "flux", "apply");
    const live = await world.read("metas", "istio");
    const managedFields = live && takeOwnership(live, "everything", []);
    const uid = live?.metadata.uid;
    await world.outside.must(
      "PATCH",
      pathOf("metas", world.namespace, "istio"),
      { metadata: { uid, managedFields } },
      "merge-patch",
    );

    expect(results(await world.sync(catalogue))).toContain("left istio: not-ours");
    await world.sync(catalogue, { adopt: true, prune: true });
    await expectNothingStale(world);
  });

  it("keep a channel that the repository does not want until its removal is requested", async (context) => {
    const world = await sharedWorld(context);
    await createAs(world, "flux", "apply");
    const old = templateObject("istio", "istio-1.0.0", { version: "1.0.0" });
    await world.outside.must("POST", pathOf("templates", world.namespace), {
      ...old,
      metadata: { name: "istio-1.0.0" },
    });
    const adopted = await world.sync(catalogue, { adopt: true });

    expect(entryResults(adopted)).toEqual(["left left over old/istio 1.0.0 → –"]);
    expect(await world.read("metas", "istio")).toMatchObject({
      spec: { beta: false, channels: [{ channel: "fast" }, { channel: "old", version: "1.0.0" }] },
    });
    expect(summary((await world.prepare(catalogue, { prune: true })).plan)).toEqual(["repository istio"]);
  });

  it("are no longer ours once they belong to another ApplySet", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogue);
    const labels = { "applyset.kubernetes.io/part-of": "applyset-other-v1" };
    await world.outside.must(
      "PATCH",
      pathOf("metas", world.namespace, "istio"),
      { metadata: { labels } },
      "merge-patch",
    );

    expect(results(await world.sync(catalogue))).toEqual(["left istio: not-ours"]);
    expect((await world.read("metas", "istio"))?.metadata.labels).toMatchObject(labels);
  });
});

describe("the ApplySet", () => {
  const FLAGS = ["apply", "--prune", "--applyset=configmaps/kyma-modules", "-f", "-"];
  const someMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "some" } };

  it("has the id that kubectl computes for the same parent; a set of kubectl is left alone", async (context) => {
    const world = await sharedWorld(context);
    const kubectl = await kubectlFor(context, world);

    expect(await kubectl(FLAGS, someMap)).toMatchObject({ code: 0 });
    const parent = await world.read("configmaps", "kyma-modules");

    expect(parent?.metadata.labels).toEqual(applySetParent(world.namespace).metadata.labels);
    expect((await world.read("configmaps", "some"))?.metadata.labels).toEqual({
      "applyset.kubernetes.io/part-of": applySetId(world.namespace),
    });
    const before = await world.versions();

    expect(results(await world.sync(catalogue, { adopt: true, prune: true }))).toEqual(["left kyma-modules: not-ours"]);
    expect(await world.versions()).toEqual(before);
  });

  it("is left alone by kubectl, because it names its tooling", async (context) => {
    const world = await sharedWorld(context);
    const kubectl = await kubectlFor(context, world);
    await world.sync(catalogue);
    const before = await world.versions();
    const { code, stderr } = await kubectl(FLAGS, someMap);

    expect(code).not.toBe(0);
    expect(stderr).toContain('managed by tooling "kyma-modules"');
    expect(await world.versions()).toEqual(before);
  });

  it("can be listed by kubectl", async (context) => {
    const world = await sharedWorld(context);
    const kubectl = await kubectlFor(context, world);
    await world.sync(catalogue);
    const selector = `applyset.kubernetes.io/part-of=${applySetId(world.namespace)}`;
    const { stdout } = await kubectl(["get", "moduletemplates,modulereleasemetas", "-l", selector, "-o", "name"]);

    expect(stdout.trim().split("\n")).toEqual([
      "moduletemplate.operator.kyma-project.io/istio-1.3.0",
      "modulereleasemeta.operator.kyma-project.io/istio",
    ]);
  });
});
