import { expect, it } from "vitest";
import { kymaIn } from "../cli/promoting.ts";
import { servedIn, twoLandscapes } from "../cli/syncing.ts";
import { announcePush, watching } from "../cli/watching.ts";
import { writeKyma } from "../sync/fleet.ts";
import { pathOf } from "../sync/outside.ts";
import type { World } from "../sync/world.ts";

it("sync --watch continues the wave of a version whose clusters are in order, and halts one that fails", async (context) => {
  const site = await twoLandscapes(context, { landscape: "dev", soak: "12s" });
  const { dev, elsewhere, repository } = site;
  site.commit({ channels: { fast: { certs: "1.0.0", keda: "1.0.0" } } });
  const controller = await watching(site);
  const moved = { message: "entry moved", landscape: "elsewhere" };
  await controller.logs({ ...moved, module: "certs", to: "1.0.0" });
  await controller.logs({ ...moved, module: "keda", to: "1.0.0" });
  await writeKyma(dev, "a", runningBoth("1.0.0", "1.0.0"));
  await writeKyma(dev, "b", runningBoth("1.0.0", "1.0.0"));

  site.commit({ channels: { fast: { certs: "1.1.0", keda: "1.1.0" } } });
  await announcePush(controller.address);
  await controller.logs({ message: "entry moved", landscape: "dev", module: "certs", to: "1.1.0" });
  for (const name of ["a", "b"]) await setStates(dev, name, { certs: "Error", keda: "Ready" });
  await controller.logs({ ...moved, module: "keda", to: "1.1.0" });
  await controller.logs({ message: "wave halted", landscape: "dev", module: "certs" });

  site.commit({ channels: { fast: { certs: "1.1.0", keda: "1.2.0" } } });
  await announcePush(controller.address);
  await controller.logs({ message: "entry moved", landscape: "dev", module: "keda", to: "1.2.0" });
  expect(await servedIn(elsewhere, "certs")).toEqual({ fast: "1.0.0" });

  for (const name of ["a", "b"]) await setStates(dev, name, { certs: "Ready", keda: "Ready" });
  const resumed = await kymaIn(repository.path, [
    "sync",
    "resume",
    "dev",
    "certs",
    "--reason",
    "the load was the cause",
  ]);
  expect(resumed).toMatchObject({ code: 0 });
  await controller.logs({ ...moved, module: "certs", to: "1.1.0" });
  expect(await servedIn(elsewhere, "certs")).toEqual({ fast: "1.1.0" });
}, 120_000);

function runningBoth(certs: string, keda: string): Parameters<typeof writeKyma>[2] {
  return [
    { name: "certs", channel: "fast", version: certs },
    { name: "keda", channel: "fast", version: keda },
  ];
}

/** Makes the status of a Kyma say that both modules run 1.1.0, as lifecycle-manager would. */
async function setStates(world: World, name: string, states: Readonly<Record<string, string>>): Promise<void> {
  const modules = Object.entries(states).map(([module, state]) => ({
    ...{ name: module, channel: "fast", version: "1.1.0", state, fqdn: `example.com/module/${module}` },
    template: {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "ModuleTemplate",
      metadata: { name: `${module}-1.1.0`, generation: 1 },
    },
  }));
  const status = { state: "Ready", lastOperation: { operation: "" }, modules };
  await world.outside.must("PATCH", `${pathOf("kymas", world.namespace, name)}/status`, { status }, "merge-patch");
}
