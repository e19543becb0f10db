import { describe, expect, it } from "vitest";
import type { ControlPlane } from "../../src/ports.ts";
import { catalogueOf, type Sample } from "./catalogueFiles.ts";
import { writeKyma } from "./fleet.ts";
import { sharedWorld } from "./world.ts";

const serving = (fast: string): Sample => ({ channels: { fast: { istio: fast }, slow: { istio: "1.1.0" } } });

describe("the users", () => {
  it("are read again before a template is removed, but not before the entry has moved: a fleet takes seconds", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf(serving("1.2.0")));
    await writeKyma(world, "one", [{ name: "istio", channel: "slow", version: "1.1.0" }]);
    const said: string[] = [];
    const controlPlane: ControlPlane = {
      ...world.controlPlane,
      list: (resource, ...rest) => {
        said.push(`list ${resource.kind}`);
        return world.controlPlane.list(resource, ...rest);
      },
      apply: (object, ...rest) => {
        said.push(`apply ${object.kind}`);
        return world.controlPlane.apply(object, ...rest);
      },
    };
    const meanwhile = (): Promise<void> => {
      said.length = 0;
      return Promise.resolve();
    };
    await world.sync(catalogueOf(serving("1.3.0")), { prune: true, controlPlane, meanwhile });

    const steps = said.filter((step) => !step.endsWith("ConfigMap"));
    expect(steps).toEqual(["apply ModuleTemplate", "apply ModuleReleaseMeta", "list Kyma", "list Manifest"]);
    const templates = (await world.list("templates")).map(({ metadata }) => metadata.name);
    expect(templates).toEqual(["istio-1.1.0", "istio-1.3.0"]);
  });
});
