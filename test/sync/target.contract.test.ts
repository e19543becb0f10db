import { describe, expect, it } from "vitest";
import type { Landscape } from "../../src/catalogue/settings.ts";
import { compileTarget } from "../../src/sync/target.ts";
import { quietRun } from "../support/quietRun.ts";
import { mentions } from "../support/mentions.ts";
import { catalogueOf } from "./catalogueFiles.ts";
import { sharedWorld, type World } from "./world.ts";

const [settings] = catalogueOf({ channels: { fast: {} } }).settings.landscapes;

function landscapeOf({ namespace }: World, lifecycleManager: Landscape["lifecycleManager"]): Landscape {
  if (settings === undefined) throw new Error("no landscape");
  return { ...settings, namespace, lifecycleManager };
}

async function deploy({ outside, namespace }: World, name: string, ...images: readonly string[]): Promise<void> {
  const containers = images.map((image, index) => ({ name: `container-${index}`, image }));
  const labels = { app: name };
  await outside.must("POST", `/apis/apps/v1/namespaces/${namespace}/deployments`, {
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
}

const target = async (world: World): Promise<unknown> =>
  compileTarget(landscapeOf(world, "auto"), world.controlPlane, quietRun());

describe("the generation of a landscape", () => {
  it("is that of the settings, without a request", async (context) => {
    const world = await sharedWorld(context);
    await deploy(world, "manager", "example.com/lifecycle-manager:1.20.4");

    expect(await compileTarget(landscapeOf(world, "channel-templates"), world.controlPlane, quietRun())).toEqual({
      landscape: "dev",
      namespace: world.namespace,
      generation: "channel-templates",
    });
  });

  it.for([
    ["1.7.3", "channel-templates"],
    ["v1.7.2", "channel-templates"],
    ["1.8.0", "version-templates"],
    ["1.20.4", "version-templates"],
    ["2.0.0", "version-templates"],
    ["1.20.4@sha256:4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865", "version-templates"],
  ] as const)("is read from lifecycle-manager's image: %s means %s", async ([tag, generation], context) => {
    const world = await sharedWorld(context);
    await deploy(world, "aaa", "example.com/other:1.0.0", "example.com/my-lifecycle-manager:1.0.0");
    await deploy(
      world,
      "klm",
      "example.com/kyma/lifecycle-manager:latest",
      `example.com/kyma/lifecycle-manager:${tag}`,
    );

    expect(await target(world)).toMatchObject({ generation });
  });

  it("is not guessed: without a version of lifecycle-manager, the settings must name it", async (context) => {
    const world = await sharedWorld(context);
    await deploy(world, "klm", "example.com/kyma/lifecycle-manager:latest");

    await expect(target(world)).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: mentions("lifecycle-manager", "lifecycleManager: version-templates", "dev", "kyma-modules.yaml"),
    });
  });
});
