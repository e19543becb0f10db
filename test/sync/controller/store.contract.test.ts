import { describe, expect, it } from "vitest";
import type { ControlPlane } from "../../../src/ports.ts";
import { LandscapeStore } from "../../../src/sync/controller/store.ts";
import { RECORDS_NAME } from "../../../src/sync/recordStore.ts";
import { systemClock } from "../../../src/systems/clock.ts";
import { quietRun } from "../../support/quietRun.ts";
import { catalogueOf, type Sample } from "../catalogueFiles.ts";
import { configMapIn, sharedWorld, type World } from "../world.ts";

const serving = (version: string): Sample => ({ channels: { fast: { istio: version } } });

/** A store of a namespace that a sync has just written to; `afterRead` is called after each read of the records. */
async function openStore(world: World, afterRead: () => Promise<void>): Promise<LandscapeStore> {
  await world.sync(catalogueOf(serving("1.2.0")));
  const controlPlane: ControlPlane = {
    ...world.controlPlane,
    read: async (ref, run) => {
      const found = await world.controlPlane.read(ref, run);
      if (ref.name === RECORDS_NAME) await afterRead();
      return found;
    },
  };
  return new LandscapeStore(world.namespace, {
    controlPlane,
    clock: systemClock,
    isGate: true,
    onChange: () => undefined,
  });
}

async function recordedVersion(store: LandscapeStore): Promise<string | undefined> {
  const { live } = await store.observe(quietRun());
  return live.records.kind === "none" ? undefined : live.records.entries.get("fast/istio")?.current?.version;
}

describe("the state in the store", () => {
  it("is the same until something changes", async (context) => {
    const world = await sharedWorld(context);
    const store = await openStore(world, () => Promise.resolve());
    const look = async (): Promise<unknown> => (await store.observe(quietRun())).live;
    const first = await look();

    expect(await look()).toBe(first);

    for (const template of await world.list("templates")) store.sinkOf("templates").changed(template);

    expect(await look()).not.toBe(first);
    expect(await look()).toMatchObject({ templates: [{ metadata: { name: "istio-1.2.0" } }] });
  });

  it("includes records that changed while they were read", async (context) => {
    const world = await sharedWorld(context);
    let reads = 0;
    const store = await openStore(world, async () => {
      if (reads++ > 0) return;
      await world.sync(catalogueOf(serving("1.3.0")));
      store.sinkOf("records").changed(configMapIn(world, RECORDS_NAME));
    });

    expect(await recordedVersion(store)).toBe("1.2.0");
    expect(await recordedVersion(store)).toBe("1.3.0");
    expect(await recordedVersion(store)).toBe("1.3.0");
    expect(reads).toBe(2);
  });
});
