import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, type TestContext } from "vitest";
import { lifecycleManagerDefinitions } from "../../src/kubernetes/customResourceDefinition.ts";
import { startControlPlane } from "../../src/systems/embedded/controlPlane.ts";
import { landscapesOf, servedIn, twoLandscapes, type TwoLandscapes } from "../cli/syncing.ts";
import { announcePush, watching, type Watching } from "../cli/watching.ts";
import { binariesForTests } from "../support/controlPlane.ts";
import { quietRun } from "../support/quietRun.ts";
import type { Sample } from "../sync/catalogueFiles.ts";
import { eventually, fleetDefinitions, installDefinitions, openWorld } from "../sync/world.ts";
import { kill, signal } from "../systems/embedded/processes.ts";
import { seconds } from "./figures.ts";

const MODULES = Array.from({ length: 60 }, (_, index) => `module${letter(index / 26)}${letter(index % 26)}`);

it("a controller that is killed in the middle of a change reaches the same state after its restart", async (context) => {
  const site = await twoLandscapes(context);
  const { before, controller } = await halfWay(site);
  controller.signal("SIGKILL");
  await controller.ended.catch(() => undefined);
  const killedMs = performance.now();
  const next = await watching(site);
  await next.logs({ message: "lease acquired", landscape: "dev" });
  console.log(`the next controller leads ${seconds(killedMs)} after kill -9`);
  await isServed(site);
  console.log(`all is well ${seconds(killedMs)} after kill -9`);
  await isWhole(site, before);
});

it("a controller survives the kill of the API server in the middle of a change, and recreates no object", async (context) => {
  const { site, folder } = await ownControlPlane("faults", context);
  const { before } = await halfWay(site);
  kill("kube-apiserver", folder);
  const killedMs = performance.now();
  await isServed(site);
  console.log(`all is well ${seconds(killedMs)} after the API server was killed`);
  await isWhole(site, before);
});

it("a controller survives an etcd that stands still for 30 s in the middle of a change, and recreates no object", async (context) => {
  const { site, folder } = await ownControlPlane("still", context);
  const { before } = await halfWay(site);
  signal("SIGSTOP", "etcd", folder);
  await sleep(30_000);
  signal("SIGCONT", "etcd", folder);
  const restoredMs = performance.now();
  await isServed(site);
  console.log(`all is well ${seconds(restoredMs)} after etcd went on`);
  await isWhole(site, before);
});

/** Two landscapes on a control plane of their own, whose processes have `folder` in their command lines. */
async function ownControlPlane(name: string, context: TestContext): Promise<{ site: TwoLandscapes; folder: string }> {
  const binaries = await binariesForTests();
  if ("skipped" in binaries) return context.skip(binaries.skipped);
  const server = await startControlPlane({ name, binaries }, quietRun());
  onTestFinished(() => server.stop());
  const [dev, elsewhere] = [await openWorld(server), await openWorld(server)];
  await installDefinitions(dev.outside, [...lifecycleManagerDefinitions(), ...fleetDefinitions()]);
  return { site: landscapesOf({ dev, elsewhere }), folder: dirname(server.kubeconfig) };
}

/** Serves all modules in 1.0.0, and a few of them in 1.1.0. `before`: the uids of the release metas. */
async function halfWay(site: TwoLandscapes): Promise<{ before: Uids; controller: Watching }> {
  site.commit(allIn("1.0.0"));
  const controller = await watching(site);
  for (const landscape of ["dev", "elsewhere"]) await controller.logs({ message: "entry moved", landscape });
  const before = await uidsIn(site);
  site.commit(allIn("1.1.0"));
  await announcePush(controller.address);
  await eventually(async () => (await servedIn(site.dev, MODULES[3] ?? ""))["fast"] === "1.1.0");
  return { before, controller };
}

type Uids = ReadonlyMap<string, string | undefined>;

async function uidsIn({ dev }: TwoLandscapes): Promise<Uids> {
  return new Map((await dev.list("metas")).map(({ metadata: { name, uid } }) => [name, uid]));
}

/** Waits until both landscapes serve all modules in 1.1.0. Tolerates an unreachable server. */
async function isServed({ dev, elsewhere }: TwoLandscapes): Promise<void> {
  await eventually(async () => {
    try {
      const served = await Promise.all(
        [dev, elsewhere].flatMap((world) => MODULES.map((module) => servedIn(world, module))),
      );
      return served.every(({ fast }) => fast === "1.1.0");
    } catch {
      return false;
    }
  });
}

async function isWhole(site: TwoLandscapes, before: Uids): Promise<void> {
  const templates = (await site.dev.list("templates")).map(({ metadata: { name } }) => name);

  expect(before.size).toBe(MODULES.length);
  expect(await uidsIn(site)).toEqual(before);
  for (const module of MODULES) expect(templates).toContain(`${module}-1.1.0`);
}

function allIn(version: string): Sample {
  return { channels: { fast: Object.fromEntries(MODULES.map((module) => [module, version])) } };
}

function letter(number: number): string {
  return String.fromCharCode(97 + Math.floor(number));
}
