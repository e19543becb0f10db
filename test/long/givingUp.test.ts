import { expect, it } from "vitest";
import { RESOURCES } from "../../src/kubernetes/object.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { quietRun } from "../support/quietRun.ts";
import { catalogueOf } from "../sync/catalogueFiles.ts";
import { sharedWorld } from "../sync/world.ts";
import { kubeconfigFile } from "../systems/kubeconfigFile.ts";
import { troublesomeProxy, type Trouble } from "../systems/troublesomeProxy.ts";

const ref = { resource: RESOURCES.configMap, namespace: "default", name: "any" };

it.for<[string, Trouble, string]>([
  ["never answers", "hang", "CLUSTER_TIMEOUT"],
  ["is always busy", { status: 503, body: "{}" }, "CLUSTER_BUSY"],
  ["breaks every connection", "break before", "CLUSTER_UNREACHABLE"],
])("gives up on an API server that %s", async ([, trouble, code], context) => {
  const { access } = await sharedWorld(context);
  const { controlPlane: troubled, requests } = await troublesomeProxy(access, () => trouble);

  await expect(troubled.read(ref, quietRun())).rejects.toMatchObject({ code, retry: true });
  expect(requests.length).toBeGreaterThan(1);
});

it("gives up on an address where nothing listens, and names it", async () => {
  const cluster = { server: "https://127.0.0.1:1" };
  const unreachable = controlPlane(await openAccess({ kubeconfig: kubeconfigFile(cluster, {}) }));

  await expect(unreachable.read(ref, quietRun())).rejects.toMatchObject({
    code: "CLUSTER_UNREACHABLE",
    message: expect.stringContaining("ConfigMap any: https://127.0.0.1:1 cannot be reached") as string,
  });
});

it("gives up on all objects at once when the API server fails in the middle of a sync", async (context) => {
  const world = await sharedWorld(context);
  const modules = "abcdefghijklmnopqrst"
    .split("")
    .flatMap((letter) => ["module", "other"].map((kind) => [`${kind}-${letter.repeat(3)}`, "1.0.0"] as const));
  let writes = 0;
  const { controlPlane: troubled } = await troublesomeProxy(world.access, (_, method) => {
    if (method === "PATCH") writes += 1;
    return writes > 5 ? "break before" : "none";
  });
  const { outcomes } = await world.sync(catalogueOf({ channels: { fast: Object.fromEntries(modules) } }), {
    controlPlane: troubled,
  });

  // Plus the set, and the records of the entries.
  expect(outcomes).toHaveLength(2 * modules.length + 2);
  expect(outcomes.filter(({ result }) => result === "failed").length).toBeLessThan(modules.length);
  expect(outcomes.filter(({ result }) => result === "skipped").length).toBeGreaterThanOrEqual(modules.length);
});
