import { expect, it } from "vitest";
import { configMapData } from "../../../src/sync/configMap.ts";
import { EventTeller, Teller, type EventWorld, type ObjectEvent } from "../../../src/sync/controller/teller.ts";
import { pathOf } from "../outside.ts";
import { catalogueOf } from "../catalogueFiles.ts";
import { quietRun } from "../../support/quietRun.ts";
import { sharedWorld, type World } from "../world.ts";

const META = { kind: "ModuleReleaseMeta", name: "istio" };
const moved: ObjectEvent = { object: META, type: "Normal", reason: "EntryMoved", message: "fast: 1.1.0 → 1.2.0" };
const refused = (users: number): ObjectEvent => {
  return { object: META, type: "Warning", reason: "EntryRefused", message: `${users} users (Kyma a${users}) stay` };
};

/** Writes events in one world, and returns the events of the release meta so far. */
async function telling(world: World) {
  await world.sync(catalogueOf({ channels: { fast: { istio: "1.2.0" } } }));
  const live = await world.outside.must("GET", pathOf("metas", world.namespace, "istio"));
  const find: EventWorld["find"] = ({ name }) => (name === META.name ? live : undefined);
  const teller = new EventTeller();
  const { controlPlane, namespace } = world;
  return async (nowMs: number, ...events: readonly ObjectEvent[]): Promise<readonly string[]> => {
    await teller.tell(events, { controlPlane, namespace, holder: "test", find, nowMs }, quietRun());
    const { body } = await world.outside.send("GET", `/api/v1/namespaces/${namespace}/events`);
    return (body["items"] as readonly { readonly reason: string }[]).map(({ reason }) => reason).toSorted();
  };
}

it("an event is written once while it holds, and again after an hour; a warning not again for other numbers alone", async (context) => {
  const tell = await telling(await sharedWorld(context));
  const now = Date.parse("2026-05-04T10:00:00Z");

  expect(await tell(now, moved, refused(1))).toEqual(["EntryMoved", "EntryRefused"]);
  expect(await tell(now + 1000, moved, refused(2))).toEqual(["EntryMoved", "EntryRefused"]);
  expect(await tell(now + 3_600_000, refused(2))).toEqual(["EntryMoved", "EntryRefused", "EntryRefused"]);
  expect(await tell(now + 3_601_000, moved, refused(2))).toHaveLength(4);
  // The clock was set back.
  expect(await tell(now - 86_400_000, moved, refused(2))).toHaveLength(6);
});

it("events of a missing object are omitted, and so are all but the first fifty", async (context) => {
  const tell = await telling(await sharedWorld(context));
  const many = Array.from({ length: 60 }, (_, index) => ({ ...moved, message: `fast: 1.1.0 → 1.2.${index}` }));

  expect(await tell(0, { ...moved, object: { ...META, name: "other" } })).toEqual([]);
  expect(await tell(1, ...many)).toHaveLength(50);
});

it("a status that another client removed or changed is written again within five minutes", async (context) => {
  const { controlPlane, namespace, outside, read } = await sharedWorld(context);
  const teller = new Teller({ controlPlane, namespace, holder: "test" });
  const path = pathOf("configmaps", namespace, "kyma-modules-status");
  const tell = async (nowMs: number): Promise<unknown> => {
    await teller.tellFailure({ failures: "everything: forbidden" }, nowMs, quietRun());
    return configMapData(await read("configmaps", "kyma-modules-status"));
  };
  const told = { failures: "everything: forbidden" };

  expect(await tell(0)).toMatchObject(told);
  await outside.must("DELETE", path);
  expect(await tell(299_000)).toEqual({});
  expect(await tell(300_000)).toMatchObject(told);
  await outside.must("PATCH", path, { data: { failures: "" } }, "merge-patch");
  expect(await tell(600_000)).toMatchObject(told);
});
