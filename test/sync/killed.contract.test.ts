import { expect, it } from "vitest";
import { catalogueOf } from "./catalogueFiles.ts";
import { watchFromOutside } from "./killing.ts";
import { killAtRandomMoments } from "./killScenario.ts";
import { pathOf } from "./outside.ts";
import { sharedWorld } from "./world.ts";

it("reaches the same state after kill -9, and no release meta ever names an absent template", async (context) => {
  await killAtRandomMoments({ kills: 2, modules: 10, seed: 20_260_504 }, context);
});

it("would fail otherwise: the watch detects a release meta that names an absent template", async (context) => {
  const world = await sharedWorld(context);
  const witness = await watchFromOutside(world);
  await world.sync(catalogueOf({ channels: { fast: { istio: "1.3.0" } } }));
  await world.outside.must("DELETE", pathOf("templates", world.namespace, "istio-1.3.0"));
  await world.sync(catalogueOf({ channels: { fast: { istio: "1.3.0" } } }));

  expect(await witness.testimony()).toEqual(["istio named istio-1.3.0 after DELETED istio-1.3.0"]);
});
