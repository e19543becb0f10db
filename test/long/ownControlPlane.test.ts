import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { lifecycleManagerDefinitions } from "../../src/kubernetes/customResourceDefinition.ts";
import { installPrerequisites } from "../../src/sync/prerequisites.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { startControlPlane, type EmbeddedControlPlane } from "../../src/systems/embedded/controlPlane.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane as openControlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { binariesForTests } from "../support/controlPlane.ts";
import { quietRun } from "../support/quietRun.ts";
import { kubeconfigFile } from "../systems/kubeconfigFile.ts";
import { catalogueOf } from "../sync/catalogueFiles.ts";
import { results, summary } from "../sync/planning.ts";
import { startRelay } from "../sync/relay.ts";
import { CRDS, openWorld, readDefinition, worldIn } from "../sync/world.ts";

const run = quietRun();
const binaries = await binariesForTests();
const folder = mkdtempSync(join(tmpdir(), "kyma-modules-own-"));
let running: EmbeddedControlPlane | undefined;

/** The control plane of this file. Its tests run in order, and each continues from the state of the previous one. */
async function controlPlaneOf(context: TestContext): Promise<EmbeddedControlPlane> {
  if ("skipped" in binaries) return context.skip(binaries.skipped);
  running ??= await startControlPlane({ name: "own", binaries, dataDir: join(folder, "data") }, run);
  return running;
}

afterAll(async () => {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const catalogue = catalogueOf({
  channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.2.0" }, must: { audit: "1.0.0" } },
  mandatory: ["must"],
});
const next = catalogueOf({
  channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.3.0" }, must: {} },
  mandatory: ["must"],
});
const withoutModules = catalogueOf({ channels: { fast: {} } });

describe("a control plane without the CustomResourceDefinitions", () => {
  it("is one failure that names those to install; nothing is written", async (context) => {
    const world = await openWorld(await controlPlaneOf(context));

    for (const generation of ["version-templates", "channel-templates"] as const) {
      await expect(world.sync(catalogue, { generation })).rejects.toMatchObject({
        name: "Fault",
        code: "CLUSTER_KIND_MISSING",
        message: expect.stringMatching(
          /\bModule\w+ .*\bCustomResourceDefinition module\w+\.operator\.kyma-project\.io/,
        ) as string,
      });
    }
    expect(await world.read("configmaps", "kyma-modules")).toBeUndefined();
  });
});

describe("the CustomResourceDefinitions of lifecycle-manager 1.7.3", () => {
  const definitions = ["moduletemplates", "modulereleasemetas"].map((plural) => join(CRDS, `${plural}__lm-1.7.3.yaml`));

  it("accept channel templates, also mandatory ones; a second sync changes nothing", async (context) => {
    if (!definitions.every(existsSync)) context.skip(`${CRDS} is not there`);
    const own = await controlPlaneOf(context);
    const world = await openWorld(own);
    const objects = definitions.map(readDefinition).filter((object) => object !== undefined);
    await installPrerequisites(objects, world.namespace, { controlPlane: world.controlPlane, clock: systemClock }, run);
    const generation = "channel-templates";
    await world.sync(catalogue, { generation });

    expect(
      (await world.list("templates")).map(({ metadata, spec }) => [
        metadata.name,
        metadata.labels?.["operator.kyma-project.io/mandatory-module"],
        spec,
      ]),
    ).toMatchObject([
      ["audit-must", "true", { channel: "must", mandatory: true, version: "1.0.0" }],
      ["istio-fast", undefined, { channel: "fast", version: "1.3.0" }],
      ["istio-regular", undefined, { channel: "regular", version: "1.2.0" }],
    ]);
    expect(await world.list("metas")).toEqual([]);
    const before = await world.versions();
    await world.sync(catalogue, { generation });

    expect(await world.versions()).toEqual(before);
  });

  it("accept a bump in place; a version that no channel serves is removed, because there are no Kymas", async (context) => {
    if (!definitions.every(existsSync)) context.skip(`${CRDS} is not there`);
    const world = await openWorld(await controlPlaneOf(context));
    const generation = "channel-templates";
    await world.sync(catalogue, { generation });
    await world.sync(next, { generation, prune: true });

    expect((await world.list("templates")).map(({ metadata, spec }) => [metadata.name, spec])).toMatchObject([
      ["istio-fast", { version: "1.3.0" }],
      ["istio-regular", { version: "1.3.0" }],
    ]);
    expect(summary((await world.prepare(next, { generation, prune: true })).plan)).toEqual([]);
    await world.sync(withoutModules, { generation, prune: true, maxPrune: 100 });

    expect(await world.list("templates")).toHaveLength(2);
  });
});

describe("a control plane without the kinds Kyma and Manifest", () => {
  it("has no references: a version that no channel serves is removed", async (context) => {
    const world = await openWorld(await controlPlaneOf(context));
    await installPrerequisites(
      lifecycleManagerDefinitions(),
      world.namespace,
      { controlPlane: world.controlPlane, clock: systemClock },
      run,
    );
    await world.sync(catalogue);
    await world.sync(next, { prune: true });

    expect((await world.list("templates")).map(({ metadata }) => metadata.name)).toEqual(["istio-1.3.0"]);
  });
});

describe("a control plane that restarts in the middle of a sync", () => {
  const modules = Array.from({ length: 20 }, (_, index) => `module-${"abcdefghijklmnopqrst"[index]?.repeat(3) ?? ""}`);
  const many = catalogueOf({ channels: { fast: Object.fromEntries(modules.map((module) => [module, "1.0.0"])) } });
  const portOf = (server: string): number => Number(new URL(server).port);

  it("is awaited, and the sync completes", async (context) => {
    const own = await controlPlaneOf(context);
    const relay = await startRelay();
    relay.to(portOf(own.server));
    const cluster = clusterOf(own.kubeconfig);
    const user = { token: own.token };
    const controlPlane = openControlPlane(
      await openAccess({ kubeconfig: kubeconfigFile({ ...cluster, server: `https://127.0.0.1:${relay.port}` }, user) }),
    );
    const { namespace } = await openWorld(own);
    const world = await worldIn(namespace, own);
    let restarted: Promise<EmbeddedControlPlane> | undefined;
    let done = 0;
    const restart = async (): Promise<EmbeddedControlPlane> => {
      relay.to(undefined);
      await own.stop();
      running = undefined;
      const again = await controlPlaneOf(context);
      relay.to(portOf(again.server));
      return again;
    };
    const synced = await world.sync(many, {
      controlPlane,
      onOutcome: () => {
        done += 1;
        if (done === 10) restarted = restart();
      },
    });
    const again = await restarted;

    // If the restart takes longer than the retries of a request, the sync reports it and leaves work for the next one.
    expect(synced.outcomes.length).toBeGreaterThanOrEqual(2 * modules.length + 1);
    expect(results(synced).filter((result) => !/^(done|failed|skipped) /.test(result))).toEqual([]);
    const after = await worldIn(namespace, again ?? own);
    await after.sync(many);

    expect(summary((await after.prepare(many)).plan)).toEqual([]);
    expect(await after.list("metas")).toHaveLength(modules.length);
  });
});

function clusterOf(kubeconfig: string): object {
  const { clusters } = load(readFileSync(kubeconfig, "utf8")) as {
    readonly clusters: readonly { readonly cluster: object }[];
  };
  return clusters[0]?.cluster ?? {};
}
