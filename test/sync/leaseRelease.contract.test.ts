import { once } from "node:events";
import { expect } from "vitest";
import { RESOURCES } from "../../src/kubernetes/object.ts";
import type { ControlPlane } from "../../src/ports.ts";
import { withLease } from "../../src/sync/lease.ts";
import { systemClock as clock } from "../../src/systems/clock.ts";
import { long } from "../support/long.ts";
import { quietRun } from "../support/quietRun.ts";
import { sharedWorld } from "./world.ts";

long("is released even if the end comes during a renewal that arrived", async (context) => {
  const { controlPlane, namespace } = await sharedWorld(context);
  const renewed = Promise.withResolvers<undefined>();
  let writes = 0;
  const slow: ControlPlane = {
    ...controlPlane,
    apply: async (object, expected, run) => {
      const live = await controlPlane.apply(object, expected, quietRun());
      writes += 1;
      if (writes !== 2) return live;
      renewed.resolve(undefined);
      await once(run.signal, "abort");
      throw run.signal.reason;
    },
  };
  await withLease(
    { namespace, holder: "us", waitMs: 0 },
    { controlPlane: slow, clock },
    () => renewed.promise,
    quietRun(),
  );

  const lease = await controlPlane.read({ resource: RESOURCES.lease, namespace, name: "kyma-modules" }, quietRun());
  expect(lease).toMatchObject({ spec: { leaseDurationSeconds: 1 } });
});
