import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, type TestContext } from "vitest";
import { parseLandscapeName } from "../../../src/catalogue/names.ts";
import { textAt } from "../../../src/document/fields.ts";
import { Fault, type ControlPlane } from "../../../src/ports.ts";
import { keepLandscape, type ControllerReport } from "../../../src/sync/controller/controller.ts";
import { TIMING } from "../../../src/sync/controller/pass.ts";
import { Wake } from "../../../src/sync/controller/wake.ts";
import { systemClock } from "../../../src/systems/clock.ts";
import { quietRun } from "../../support/quietRun.ts";
import { catalogueOf } from "../catalogueFiles.ts";
import { writeKyma } from "../fleet.ts";
import { eventually, sharedWorld, type World } from "../world.ts";

const CATALOGUE = catalogueOf({ channels: { fast: { certs: "1.0.0" } } });

interface Kept {
  readonly world: World;
  /** How often the write was refused. */
  readonly refusals: () => number;
  /** Lets the write through, and serves another commit. */
  readonly repair: () => void;
  readonly reports: readonly ControllerReport[];
}

/** Keeps a landscape whose API server refuses to write a ConfigMap, with this error. */
async function keptWithout(configMap: string, context: TestContext, error?: Error): Promise<Kept> {
  const world = await sharedWorld(context);
  let [isRefused, refusals, commit] = [true, 0, "a".repeat(40)];
  const apply: ControlPlane["apply"] = (desired, ...rest) => {
    if (!isRefused || desired.kind !== "ConfigMap" || desired.metadata.name !== configMap)
      return world.controlPlane.apply(desired, ...rest);
    refusals += 1;
    return Promise.reject(error ?? new Fault("CLUSTER_FORBIDDEN", `ConfigMap ${configMap}: not allowed`));
  };
  const controlPlane = { ...world.controlPlane, apply };
  const reports: ControllerReport[] = [];
  const name = parseLandscapeName("dev");
  if (name === undefined) throw new Error("dev is a name");
  const wake = new Wake(systemClock);
  const stop = new AbortController();
  const kept = keepLandscape(
    {
      ...{ name, namespace: world.namespace, controlPlane },
      choose: () => Promise.resolve({ serves: { commit, catalogue: CATALOGUE }, held: undefined }),
      prepare: (serves) => world.prepare(serves.catalogue, { claim: { revision: serves.commit }, controlPlane }),
      fetchSoon: () => undefined,
    },
    wake,
    {
      ...{ clock: systemClock, random: Math.random, holder: "controller", timing: { ...TIMING, fleetMs: 50 } },
      ...{ onReport: (_, report) => void reports.push(report), onSeen: () => undefined },
    },
    { ...quietRun(), signal: stop.signal },
  );
  onTestFinished(async () => {
    stop.abort();
    await kept.catch(() => undefined);
  });
  const repair = (): void => {
    [isRefused, commit] = [false, "b".repeat(40)];
    wake.raise();
  };
  return { world, refusals: () => refusals, repair, reports };
}

it.for(["kyma-modules", "kyma-modules-entries", "kyma-modules-status"])(
  "an error of this program ends a pass, is told where it is, and is tried again: %s",
  async (configMap, context) => {
    const bug = new TypeError("Cannot read properties of undefined (reading 'name')");
    const { world, refusals, repair, reports } = await keptWithout(configMap, context, bug);
    await eventually(() => refusals() === 2);

    expect(reports).toContainEqual({
      ...{ kind: "failed", retryMs: expect.any(Number) as unknown },
      fault: expect.objectContaining({ code: "INTERNAL", retry: true, cause: bug }) as unknown,
    });
    repair();
    await eventually(async () => (await world.read("metas", "certs")) !== undefined);
  },
);

it.for(["kyma-modules", "kyma-modules-entries"])(
  "a refusal that concerns everything is told, and is not repeated at each change of a cluster: %s",
  async (configMap, context) => {
    const { world, refusals, repair } = await keptWithout(configMap, context);
    await eventually(() => refusals() === 1);
    for (let round = 0; round < 6; round++) {
      await writeKyma(world, `k-${round}`, []);
      await sleep(200);
    }

    expect(refusals()).toBe(1);
    const status = await world.read("configmaps", "kyma-modules-status");
    expect(textAt(status, ["data", "failures"])).toBe(`everything: ConfigMap ${configMap}: not allowed`);
    repair();
    await eventually(async () => (await world.read("metas", "certs")) !== undefined);
    const told = async (): Promise<unknown> =>
      textAt(await world.read("configmaps", "kyma-modules-status"), ["data", "failures"]);
    await expect.poll(told).toBeUndefined();
  },
);
