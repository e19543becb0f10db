import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, type TestContext } from "vitest";
import { seeded } from "../support/random.ts";
import { kymaIn } from "../cli/promoting.ts";
import { servedIn, type TwoLandscapes } from "../cli/syncing.ts";
import { announcePush, watching, type Watching } from "../cli/watching.ts";
import { landscapesThrough } from "../faults/through.ts";
import type { Sample } from "../sync/catalogueFiles.ts";
import { writeKyma } from "../sync/fleet.ts";
import { pathOf } from "../sync/outside.ts";
import { relayed } from "../sync/relay.ts";

/** `ENDURANCE_MINUTES`: the duration. `ENDURANCE_SEED`: the random accidents. */
const MINUTES = Number(process.env["ENDURANCE_MINUTES"] ?? 30);
const SEED = Number(process.env["ENDURANCE_SEED"] ?? 20_260_504);
const MODULES = ["certs", "istio", "keda", "logs", "mesh", "serverless"];
const CHANNELS = ["fast", "regular"];
/** The time limit after the last accident until the state matches Git. Milliseconds. */
const CALM_MS = 120_000;

it(
  "a controller reaches the state in Git after commits, edits by hand, restarts and network faults",
  async (context) => {
    const scene = await open(context);
    const counts = new Map<string, number>();
    const endMs = performance.now() + MINUTES * 60_000;
    while (performance.now() < endMs) {
      const [name, accident] = pick(ACCIDENTS, scene.random);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      await accident(scene);
      await sleep(scene.random() * 4_000);
      await expectNoneLowered(scene);
    }
    scene.restore();
    await restart(scene);
    const calmMs = performance.now();
    await expect.poll(() => differences(scene), { timeout: CALM_MS, interval: 1_000 }).toEqual([]);
    const told = [...counts].map(([name, count]) => `${count} × ${name}`).join(", ");
    console.log(`seed ${SEED}, ${MINUTES} min: ${told}`);
    console.log(`as Git says ${((performance.now() - calmMs) / 1000).toFixed(1)} s after the last restart`);

    for (const landscape of ["dev", "elsewhere"])
      expect(await kymaIn(scene.site.repository.path, ["plan", landscape, "--exit-code"])).toMatchObject({ code: 0 });
  },
  (MINUTES + 5) * 60_000,
);

interface Scene {
  readonly site: TwoLandscapes;
  readonly random: () => number;
  /** The patch version of each module in each channel, in Git. */
  readonly patches: Record<string, number>;
  /** The highest version ever seen, by landscape, channel and module. */
  readonly highest: Map<string, number>;
  readonly cut: () => void;
  readonly restore: () => void;
  controller: Watching;
}

async function open(context: TestContext): Promise<Scene> {
  const { site, between } = await landscapesThrough(relayed, context);
  const patches = Object.fromEntries(CHANNELS.flatMap((channel) => MODULES.map((name) => [`${channel}/${name}`, 0])));
  site.commit(sampleOf(patches));
  for (const world of [site.dev, site.elsewhere])
    await writeKyma(
      world,
      "a",
      MODULES.map((name) => ({ name, channel: "fast", version: "1.0.0" })),
    );
  const scene = {
    ...{ site, patches },
    random: seeded(SEED).next,
    highest: new Map<string, number>(),
    controller: await watching(site),
    cut: () => {
      between.sever();
    },
    restore: () => {
      between.restore();
    },
  };
  await expect.poll(() => differences(scene), { timeout: CALM_MS }).toEqual([]);
  return scene;
}

const ACCIDENTS: readonly (readonly [name: string, happen: (scene: Scene) => Promise<unknown>])[] = [
  ["commit", commitBump],
  ["commit", commitBump],
  ["broken commit, repaired", brokenCommit],
  ["template deleted", (scene) => outside(scene, "DELETE", "templates")],
  ["template edited", (scene) => outside(scene, "PATCH", "templates")],
  ["release meta deleted", (scene) => outside(scene, "DELETE", "metas")],
  ["release meta edited", (scene) => outside(scene, "PATCH", "metas")],
  ["status of a Kyma", changeKyma],
  ["restart", restart],
  ["kill -9", (scene) => restart(scene, "SIGKILL")],
  ["control planes out of reach", partition],
];

async function commitBump(scene: Scene): Promise<void> {
  const { random, patches, site, controller } = scene;
  const [key] = pick(Object.entries(patches), random);
  patches[key] = (patches[key] ?? 0) + 1;
  site.commit(sampleOf(patches));
  // Some webhooks are lost.
  if (random() < 0.8) await announcePush(controller.address).catch(() => undefined);
}

async function brokenCommit(scene: Scene): Promise<void> {
  scene.site.commit(sampleOf(scene.patches), "break", { "channels/fast.yaml": "format: 9\n" });
  await announcePush(scene.controller.address).catch(() => undefined);
  await sleep(scene.random() * 3_000);
  await commitBump(scene);
}

/** A change of an object by hand. Ignores a missing object. */
async function outside(
  { site, random }: Scene,
  method: "DELETE" | "PATCH",
  kind: "templates" | "metas",
): Promise<void> {
  const world = pick([site.dev, site.elsewhere], random);
  const objects = await world.list(kind);
  if (objects.length === 0) return;
  const { name } = pick(objects, random).metadata;
  const edits = {
    templates: { info: { repository: "https://example.com/edited" } },
    metas: { channels: [{ channel: "own", version: "1.0.0" }] },
  };
  const body = method === "DELETE" ? undefined : { spec: edits[kind] };
  await world.outside.send(method, pathOf(kind, world.namespace, name), body, "merge-patch");
}

async function changeKyma({ site, random }: Scene): Promise<void> {
  const world = pick([site.dev, site.elsewhere], random);
  const state = pick(["Ready", "Processing", "Error", "Warning"], random);
  await world.outside.send(
    "PATCH",
    `${pathOf("kymas", world.namespace, "a")}/status`,
    { status: { state } },
    "merge-patch",
  );
}

async function restart(scene: Scene, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  scene.controller.signal(signal);
  await scene.controller.ended.catch(() => undefined);
  scene.controller = await watching(scene.site);
}

async function partition({ cut, restore, random }: Scene): Promise<void> {
  cut();
  await sleep(random() * 20_000);
  restore();
}

/** Differences from Git: missing or different templates, and entries. */
async function differences({ site, patches }: Scene): Promise<readonly string[]> {
  const found = await Promise.all(
    [site.dev, site.elsewhere].flatMap((world) =>
      MODULES.map(async (module) => {
        const served = await servedIn(world, module);
        return CHANNELS.flatMap((channel) => {
          const wanted = `1.0.${patches[`${channel}/${module}`] ?? 0}`;
          return served[channel] === wanted ? [] : [`${world.namespace} ${channel}/${module} ${served[channel]}`];
        });
      }),
    ),
  );
  return found.flat();
}

/** Versions in Git never go down, so no entry may go down. */
async function expectNoneLowered({ site, highest }: Scene): Promise<void> {
  for (const world of [site.dev, site.elsewhere]) {
    for (const module of MODULES) {
      for (const [channel, version] of Object.entries(await servedIn(world, module))) {
        const key = `${world.namespace} ${channel}/${module}`;
        const patch = Number(version.split(".")[2]);
        expect(patch, key).toBeGreaterThanOrEqual(highest.get(key) ?? 0);
        highest.set(key, patch);
      }
    }
  }
}

function sampleOf(patches: Scene["patches"]): Sample {
  const channels = CHANNELS.map((channel) => [
    channel,
    Object.fromEntries(MODULES.map((module) => [module, `1.0.${patches[`${channel}/${module}`] ?? 0}`])),
  ]);
  return { channels: Object.fromEntries(channels) as Sample["channels"] };
}

function pick<T>(all: readonly T[], random: () => number): T {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}
