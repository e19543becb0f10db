import { expect, it, type TestContext } from "vitest";
import type { ExposureSum } from "../../../src/fleet/exposure.ts";
import type { EntryTimes } from "../../../src/fleet/readyTimes.ts";
import { OBSERVED_NAME, readObservations } from "../../../src/sync/observedStore.ts";
import { quietRun } from "../../support/quietRun.ts";
import { catalogueOf } from "../catalogueFiles.ts";
import { writeKyma } from "../fleet.ts";
import { pathOf } from "../outside.ts";
import { eventually, sharedWorld, type World } from "../world.ts";
import { mentions } from "../../support/mentions.ts";
import { MovedClock, observing, type Observing } from "./observing.ts";

const MINUTE = 60_000;
const serving = (version: string) => catalogueOf({ channels: { fast: { istio: version } } });

/** A landscape that serves istio 1.2.0, and clusters that run it. */
async function fleetOf(clusters: number, context: TestContext): Promise<World> {
  const world = await sharedWorld(context);
  await world.sync(serving("1.2.0"));
  for (let index = 0; index < clusters; index++) await writeKyma(world, `k${index}`, [running("1.2.0")]);
  return world;
}

const running = (version: string) => ({ name: "istio", channel: "fast", version });

async function storedIn(world: World): Promise<readonly ExposureSum[]> {
  return [...(await readObservations(world, quietRun())).observations.exposure.values()];
}

async function healthyMsIn(world: World): Promise<number> {
  return (await storedIn(world)).reduce((sum, { healthyMs }) => sum + healthyMs, 0);
}

/** Waits for this many more observations. */
async function looks({ seen }: Pick<Observing, "seen">, count: number): Promise<void> {
  const until = seen.length + count;
  await eventually(() => Promise.resolve(seen.length >= until));
}

it("exposure is stored on the control plane, written once a minute, and continues after a restart", async (context) => {
  const world = await fleetOf(2, context);
  const clock = new MovedClock();
  const startMs = clock.nowMs();
  const first = await observing(world, clock);
  await looks(first, 40);
  await first.stop();
  const [before] = await storedIn(world);
  const template = await world.read("templates", "istio-1.2.0");
  const elapsedMs = clock.nowMs() - startMs;

  const { uid } = template?.metadata ?? {};
  expect(before).toMatchObject({ module: "istio", version: "1.2.0", clusters: 2, healthy: 2, generation: 1, uid });
  const beforeMs = await healthyMsIn(world);
  expect(beforeMs).toBeLessThanOrEqual(2 * elapsedMs);
  expect(beforeMs).toBeGreaterThan(2 * (elapsedMs - 2 * MINUTE));
  expect(first.writes()).toBeLessThanOrEqual(elapsedMs / MINUTE + 1);
  const second = await observing(world, clock);
  await looks(second, 12);
  await second.stop();
  const [after] = await storedIn(world);
  const allMs = clock.nowMs() - startMs;

  const afterMs = await healthyMsIn(world);
  expect(afterMs).toBeGreaterThan(beforeMs);
  expect(afterMs).toBeLessThanOrEqual(2 * allMs);
  expect(after?.sinceMs).toBe(before?.sinceMs);
});

it("two concurrent observers do not double exposure", async (context) => {
  const world = await fleetOf(3, context);
  const clock = new MovedClock();
  const startMs = clock.nowMs();
  const observers = await Promise.all([observing(world, clock), observing(world, clock.follower())]);
  await Promise.all(observers.map((one) => looks(one, 40)));
  await Promise.all(observers.map(({ stop }) => stop()));
  const healthyMs = await healthyMsIn(world);

  expect(healthyMs).toBeGreaterThan(3 * MINUTE);
  expect(healthyMs).toBeLessThanOrEqual(3 * (clock.nowMs() - startMs));
});

it("the time to Ready is measured on clusters whose upgrade was observed", async (context) => {
  const world = await fleetOf(2, context);
  const clock = new MovedClock();
  const observer = await observing(world, clock);
  await looks(observer, 2);
  await world.sync(serving("1.3.0"));
  await looks(observer, 2);
  const path = `${pathOf("kymas", world.namespace, "k0")}/status`;
  const modules = [{ ...running("1.3.0"), state: "Ready", fqdn: "example.com/module/istio" }];
  await world.outside.must("PATCH", path, { status: { modules } }, "merge-patch");
  const times = async (): Promise<EntryTimes | undefined> =>
    (await readObservations(world, quietRun())).observations.times.get("fast/istio");
  const arrived = (counts: readonly number[] = []): number => counts.reduce((a, b) => a + b, 0);
  await eventually(async () => arrived((await times())?.current.counts) > 0);
  const { current, replaced } = (await times()) ?? {};

  expect([current?.version, arrived(current?.counts), replaced?.version]).toEqual(["1.3.0", 1, "1.2.0"]);
  expect(observer.seen.flatMap((one) => (one.kind === "seen" ? one.arrivals : []))).toHaveLength(1);
});

it("nothing is written if no cluster runs a module", async (context) => {
  const world = await fleetOf(0, context);
  const observer = await observing(world, new MovedClock());
  await looks(observer, 10);

  expect([observer.writes(), await world.read("configmaps", OBSERVED_NAME)]).toEqual([0, undefined]);
});

it("edited observations are neither trusted nor overwritten", async (context) => {
  const world = await fleetOf(1, context);
  const broken = { metadata: { name: OBSERVED_NAME }, data: { exposure: "[{}]", ready: "{}" } };
  await world.outside.must("POST", pathOf("configmaps", world.namespace), broken);
  const observer = await observing(world, new MovedClock());
  await looks(observer, 3);

  expect(observer.seen).toContainEqual({
    kind: "blind",
    because: mentions("delete", "exposure"),
  });
  expect(observer.writes()).toBe(0);
  await world.outside.must("DELETE", pathOf("configmaps", world.namespace, OBSERVED_NAME));
  await eventually(async () => (await storedIn(world)).length === 1);
});

it("observations of a newer version of the program are left alone", async (context) => {
  const world = await fleetOf(0, context);
  const newer = { metadata: { name: OBSERVED_NAME }, data: { format: "2" } };
  await world.outside.must("POST", pathOf("configmaps", world.namespace), newer);

  await expect(readObservations(world, quietRun())).rejects.toMatchObject({ code: "CONFIGURATION" });
});
