import { describe, expect, it } from "vitest";
import { RESOURCES } from "../../src/kubernetes/object.ts";
import type { Clock, ControlPlane, Run, SteadyClock } from "../../src/ports.ts";
import { expectedObject } from "../../src/sync/identity.ts";
import { withLease } from "../../src/sync/lease.ts";
import { LEASE_NAME, leaseRef, readLeaseHolder, type LeaseSpec } from "../../src/sync/leaseHolder.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { quietRun } from "../support/quietRun.ts";
import { troublesomeProxy } from "../systems/troublesomeProxy.ts";
import { eventually, sharedWorld, type World } from "./world.ts";

const REQUEST = { holder: "we", waitMs: 0 };

async function holderIn({ outside, namespace }: World): Promise<unknown> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/kyma-modules`;
  return ((await outside.must("GET", path))["spec"] as { readonly holderIdentity?: string }).holderIdentity;
}

/** Gives the Lease to a holder that does not renew it. */
async function leaseOf(
  holderIdentity: string,
  spec: LeaseSpec,
  { controlPlane, namespace }: Pick<World, "controlPlane" | "namespace">,
): Promise<void> {
  const { apiVersion, kind } = RESOURCES.lease;
  const lease = { apiVersion, kind, metadata: { name: LEASE_NAME, namespace }, spec: { ...spec, holderIdentity } };
  const live = await controlPlane.read(leaseRef(namespace), quietRun());
  await controlPlane.apply(lease, expectedObject(live), quietRun());
}

describe("the Lease", () => {
  it("is lost at the next write of a process that was suspended, but not when the wall clock is set", async (context) => {
    const { controlPlane, namespace } = await sharedWorld(context);
    let [stoodStillMs, wallMs] = [0, 0];
    const clock: SteadyClock = {
      ...systemClock,
      nowMs: () => Date.now() + wallMs,
      elapsedMs: () => performance.now() + stoodStillMs,
    };
    await withLease(
      { ...REQUEST, namespace },
      { controlPlane, clock },
      (_, held) => {
        for (wallMs of [3_600_000, -3_600_000]) expect(held().aborted).toBe(false);
        stoodStillMs = 9_000;
        expect(held().reason).toMatchObject({ code: "CLUSTER_BUSY" });
        return Promise.resolve();
      },
      quietRun(),
    );
  });

  it("of another process is not taken when the wall clock is set forward", async (context) => {
    const { controlPlane, namespace } = await sharedWorld(context);
    const steps = [0, 3_600_000, 7_200_000];
    const clock: SteadyClock = { ...systemClock, nowMs: () => Date.now() + (steps.shift() ?? 10_800_000) };
    const other = { ...REQUEST, namespace, holder: "other", waitMs: 2_000 };
    await withLease(
      { ...REQUEST, namespace },
      { controlPlane, clock: systemClock },
      () =>
        expect(
          withLease(other, { controlPlane, clock }, () => Promise.resolve("taken"), quietRun()),
        ).rejects.toMatchObject({ code: "CLUSTER_BUSY" }),
      quietRun(),
    );
  });

  it("of a controller that is gone is taken after its duration; of one that renews it, never", async (context) => {
    const { controlPlane, namespace } = await sharedWorld(context);
    const world = { controlPlane, clock: systemClock };
    const once = { ...REQUEST, namespace, holder: "once", isHopeless: () => true };
    const take = (): Promise<string> => withLease(once, world, () => Promise.resolve("taken"), quietRun());
    await withLease(
      { ...REQUEST, namespace },
      world,
      () => expect(take()).rejects.toMatchObject({ code: "CLUSTER_BUSY" }),
      quietRun(),
    );
    const spec = { leaseDurationSeconds: 2, renewTime: "2026-01-01T00:00:00.000000Z" };
    await leaseOf("controller", spec, { controlPlane, namespace });

    expect(await take()).toBe("taken");
  });

  it("is expired if it is not renewed, whatever the clocks say", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane, namespace } = world;
    const hour = 3_600_000;
    const expiryAfter = async (ms: number, clock: Partial<Clock> = {}): Promise<unknown> => {
      const other = { ...systemClock, nowMs: () => systemClock.nowMs() + ms, ...clock };
      return (await readLeaseHolder(namespace, { controlPlane, clock: other }, quietRun()))?.isExpired;
    };
    const atOnce = { pause: () => Promise.resolve() };
    await withLease(
      { ...REQUEST, namespace },
      { controlPlane, clock: systemClock },
      async () => {
        expect(await Promise.all([0, -hour, hour].map((ms) => expiryAfter(ms)))).toEqual([false, false, false]);
        // A clock whose instants are fast.
        expect(await expiryAfter(hour / 2, { speed: 600, ...atOnce })).toBe(false);
      },
      quietRun(),
    );
    await leaseOf(
      "gone",
      { leaseDurationSeconds: 15, renewTime: new Date().toISOString().replace("Z", "000Z") },
      world,
    );

    expect(await Promise.all([0, -hour, hour].map((ms) => expiryAfter(ms, atOnce)))).toEqual([false, true, true]);
  });

  it("is released even during a renewal", async (context) => {
    const world = await sharedWorld(context);
    const renewing = Promise.withResolvers<undefined>();
    let writes = 0;
    const controlPlane: ControlPlane = {
      ...world.controlPlane,
      apply: async (desired, expected, run) => {
        writes += 1;
        if (writes !== 2) return world.controlPlane.apply(desired, expected, run);
        await world.controlPlane.apply(desired, expected, quietRun());
        renewing.resolve(undefined);
        // The response never arrives.
        return new Promise((_, reject) => {
          run.signal.addEventListener("abort", () => {
            reject(run.signal.reason as Error);
          });
        });
      },
    };
    const request = { ...REQUEST, namespace: world.namespace };
    await withLease(request, { controlPlane, clock: systemClock }, () => renewing.promise, quietRun());

    expect(await holderIn(world)).toBe("");
  });

  it.for<[string, number]>([
    ["taken", 1],
    ["renewed", 2],
    ["released", 3],
  ])("is still held if the answer is lost by which it is %s", async ([, nth], context) => {
    const world = await sharedWorld(context);
    let writes = 0;
    const { controlPlane } = await troublesomeProxy(world.access, (_, method) =>
      method === "PATCH" && (writes += 1) === nth ? "break after" : "none",
    );
    const { namespace } = world;
    const logged: string[] = [];
    const log = { ...quietRun().log, info: (message: string) => void logged.push(message) };
    const wrote = (count: number): Promise<unknown> => eventually(() => writes >= count);
    const work = async (run: Run, held: () => AbortSignal): Promise<void> => {
      expect(await holderIn(world)).toBe("we");
      // The renewal, its repetition, and the one after the conflict.
      if (nth === 2) await wrote(4);
      expect([held().aborted, run.signal.aborted]).toEqual([false, false]);
    };
    if (nth === 3)
      await withLease({ ...REQUEST, namespace }, { controlPlane, clock: systemClock }, () => wrote(2), quietRun());
    else await withLease({ ...REQUEST, namespace }, { controlPlane, clock: systemClock }, work, { ...quietRun(), log });

    expect(await holderIn(world)).toBe("");
    expect(logged).toEqual([]);
  });

  it("is still held after another client labelled it, and lost after another process took it", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane, namespace, outside } = world;
    const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/kyma-modules`;
    const change = (content: object): Promise<unknown> => outside.must("PATCH", path, content, "merge-patch");
    const renewals = async (): Promise<unknown> => ((await outside.must("GET", path))["spec"] as LeaseSpec).renewTime;
    await withLease(
      { ...REQUEST, namespace },
      { controlPlane, clock: systemClock },
      async (_, held) => {
        const before = await renewals();
        await change({ metadata: { labels: { a: "b" } } });
        await eventually(async () => (await renewals()) !== before);
        expect(held().aborted).toBe(false);
        await change({ spec: { holderIdentity: "other" } });
        await eventually(() => held().aborted);
        expect(held().reason).toMatchObject({ code: "CLUSTER_BUSY" });
      },
      quietRun(),
    );

    expect(await holderIn(world)).toBe("other");
  });
});
