import { dirname } from "node:path";
import { expect, onTestFinished } from "vitest";
import { RESOURCES } from "../../../src/kubernetes/object.ts";
import { startControlPlane } from "../../../src/systems/embedded/controlPlane.ts";
import { binariesForTests } from "../../support/controlPlane.ts";
import { long } from "../../support/long.ts";
import { quietRun } from "../../support/quietRun.ts";
import { kill } from "../../systems/embedded/processes.ts";
import { eventually, openWorld } from "../world.ts";
import { agreement, create, follow } from "./following.ts";

long("a reflector survives a restart of the API server, which then no longer knows old versions", async (context) => {
  const binaries = await binariesForTests();
  if ("skipped" in binaries) return context.skip(binaries.skipped);
  const server = await startControlPlane({ name: "restarted", binaries }, quietRun());
  onTestFinished(() => server.stop());
  const world = await openWorld(server);
  const following = follow(world, world.controlPlane);
  await eventually(() => following.states.length === 1);
  await create(world, "before");
  await agreement(world, following);
  kill("kube-apiserver", dirname(server.kubeconfig));
  await eventually(() => following.states.length > 2 && following.states.at(-1) === "current");
  await create(world, "after");
  await agreement(world, following);

  // It is unreachable while it is down, and may say that it is busy while it starts.
  const [first, ...outage] = following.states.slice(0, -1);
  expect([first, ...new Set(outage.map((state) => state.startsWith("CLUSTER_")))]).toEqual(["current", true]);
  const old = world.controlPlane.watch(RESOURCES.configMap, world.namespace, "1", quietRun());

  expect(await Array.fromAsync(old)).toEqual([{ kind: "expired" }]);
});
