import { expect, it } from "vitest";
import { catalogueOf } from "./catalogueFiles.ts";
import { pathOf } from "./outside.ts";
import { sharedWorld } from "./world.ts";

it("a template that a release meta names stays, even if others labelled it with another module", async (context) => {
  const world = await sharedWorld(context);
  await world.sync(catalogueOf({ channels: { fast: { istio: "1.2.0", keda: "2.0.0" } } }));
  const labels = { "operator.kyma-project.io/module-name": "scaler" };
  const path = pathOf("templates", world.namespace, "istio-1.2.0");
  await world.outside.must("PATCH", path, { metadata: { labels } }, "merge-patch");
  // The new version may not be served, because a foreign template has its name.
  const held = catalogueOf({ channels: { fast: { istio: "1.3.0", keda: "2.0.0" } } });
  const foreign = { metadata: { name: "istio-1.3.0" }, spec: { descriptor: {} } };
  await world.outside.must("POST", pathOf("templates", world.namespace), {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "ModuleTemplate",
    ...foreign,
  });
  await world.sync(held, { prune: true });

  expect(await world.read("metas", "istio")).toMatchObject({ spec: { channels: [{ version: "1.2.0" }] } });
  expect(await world.read("templates", "istio-1.2.0")).toBeDefined();
});
