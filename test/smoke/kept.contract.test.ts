import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { Fault, type Cluster } from "../../src/ports.ts";
import type { PathResult, StepResult } from "../../src/smoke/path.ts";
import type { Outside } from "../sync/outside.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import type { SampleVersion } from "./sampleModule.ts";
import { failureOf, openSmokeServer, stepsOf, tryModule, type Tried } from "./world.ts";

const smokeServer = openSmokeServer();

const CLAIM = "/api/v1/namespaces/default/configmaps/kyma-modules-smoke";
const MAPS = "/api/v1/namespaces/kyma-system/configmaps";
/** Two installs and an upgrade. */
const THREE_PATHS = { "1.0.0": {}, "1.1.0": {} };

/** Tries a module, by default its only install, on a cluster that is not the run's own. */
async function tryKept(
  context: TestContext,
  module: string,
  onStep: (result: StepResult) => void = () => undefined,
  versions: Tried["versions"] = { "1.0.0": {} },
): Promise<readonly PathResult[]> {
  const { supply } = await smokeServer(context);
  return tryModule({ module, versions, supply: { ...supply, isRenewable: false }, onStep });
}

/** Tries a module on a cluster that does not remove the first object with which the first path cleans up. */
async function tryLosing(
  context: TestContext,
  module: string,
  versions: Tried["versions"],
  onStep: (result: StepResult) => void = () => undefined,
): Promise<readonly PathResult[]> {
  const { supply } = await smokeServer(context);
  const taken = await supply.take([], quietRun());
  let paths = 0;
  let isLost = false;
  const remove: Cluster["remove"] = (...args) => {
    if (!isLost) return taken.cluster.remove(...args);
    isLost = false;
    return Promise.reject(new Fault("CLUSTER_UNREACHABLE", "The API server does not answer."));
  };
  const losing = { ...taken, cluster: { ...taken.cluster, remove } };
  return tryModule({
    ...{ module, versions },
    supply: { ...supply, isRenewable: false, take: () => Promise.resolve(losing) },
    onStep: (result) => {
      onStep(result);
      if (result.step === "manifests") paths += 1;
      if (result.step === "footprint" && paths === 1) isLost = true;
    },
  });
}

async function ensureHome(outside: Outside): Promise<void> {
  if (await hasHome(outside)) return;
  await outside.must("POST", "/api/v1/namespaces", { metadata: { name: "kyma-system" } });
}

async function hasHome({ send }: Outside): Promise<boolean> {
  return (await send("GET", "/api/v1/namespaces/kyma-system")).status === 200;
}

describe("a cluster that is kept", () => {
  it("loses kyma-system if only the run created it", async (context) => {
    const { outside } = await smokeServer(context);
    const results = await tryKept(context, "guest");

    expect(results.map(failureOf)).toEqual(results.map(() => [undefined, undefined, undefined]));
    expect(await hasHome(outside)).toBe(false);
  });

  long(
    "does not pass an uninstall beside leftovers of an earlier path, and keeps kyma-system for these",
    async (context) => {
      const { outside } = await smokeServer(context);
      const made: Promise<unknown>[] = [];
      const results = await tryKept(
        context,
        "messy",
        ({ step }) => {
          if (step === "use" && made.length === 0)
            made.push(outside.must("POST", MAPS, { metadata: { name: "litter" } }));
        },
        THREE_PATHS,
      );
      onTestFinished(async () => {
        await outside.must("DELETE", `${MAPS}/litter`);
      });
      const [first, ...later] = results;

      expect(failureOf(first).slice(0, 2)).toEqual(["uninstall", "ConfigMap kyma-system/litter"]);
      expect(later.map((result) => stepsOf(result).uninstall)).toEqual(["notChecked", "notChecked"]);
      expect(await hasHome(outside)).toBe(true);
      expect(later[0]?.steps.find(({ step }) => step === "uninstall")?.said).toContain("ConfigMap kyma-system/litter");
    },
  );

  long("keeps a kyma-system that was there before", async (context) => {
    const { outside } = await smokeServer(context);
    await ensureHome(outside);
    await tryKept(context, "visitor");

    expect(await hasHome(outside)).toBe(true);
  });

  it("serves one run at a time: a second one waits, and does not take the first one for killed", async (context) => {
    const second: Promise<readonly PathResult[]>[] = [];
    const first = await tryKept(context, "occupant", ({ step }) => {
      if (step === "install" && second.length === 0) second.push(tryKept(context, "queued"));
    });
    const results = [...first, ...(await Promise.all(second)).flat()];

    expect(results.map(({ path, world }) => [path.module, world])).toEqual([
      ...first.map(() => ["occupant", undefined]),
      ...first.map(() => ["queued", undefined]),
    ]);
    expect(results.map(failureOf)).toEqual(results.map(() => [undefined, undefined, undefined]));
  });

  long("is left to a run that took it over, as from a laptop that slept", async (context) => {
    const { outside } = await smokeServer(context);
    const taken: Promise<unknown>[] = [];
    const [first, ...later] = await tryKept(
      context,
      "sleeper",
      ({ step }) => {
        if (step !== "manifests" && taken.length === 0)
          taken.push(outside.send("PATCH", CLAIM, { data: { run: "2" } }, "merge-patch"));
      },
      THREE_PATHS,
    );
    const [answer] = (await Promise.all(taken)) as [{ readonly body: unknown }];

    expect(first?.world).toMatch(/^Another run .*\bhttps?:.* again\.$/);
    // What it brought is listed for the next run, which removes it.
    expect(answer).toMatchObject({
      body: { data: { run: "2", objects: expect.stringContaining("sleeper") as string } },
    });
    expect(later.map(failureOf)).toEqual(later.map(() => [undefined, undefined, undefined]));
  });

  it("loses what a killed run left there", async (context) => {
    const { outside } = await smokeServer(context);
    const maps = "/api/v1/namespaces/default/configmaps";
    await outside.must("POST", maps, { metadata: { name: "litter" } });
    const litter = { apiVersion: "v1", kind: "ConfigMap", name: "litter", namespace: "default" };
    const data = { objects: JSON.stringify([litter]), heartbeat: "7" };
    await outside.must("POST", maps, { metadata: { name: "kyma-modules-smoke" }, data });
    const results = await tryKept(context, "successor");

    expect(results.map(failureOf)).toEqual(results.map(() => [undefined, undefined, undefined]));
    for (const name of ["litter", "kyma-modules-smoke"])
      expect((await outside.send("GET", `${maps}/${name}`)).status).toBe(404);
  });

  it("keeps a failure whose clean-up meets a fault, and the next path continues it", async (context) => {
    const { outside } = await smokeServer(context);
    const made: Promise<unknown>[] = [];
    onTestFinished(async () => {
      await Promise.all(made);
      await outside.must("DELETE", "/api/v1/namespaces/default/configmaps/doom");
    });
    const unknown = { apiVersion: "example.com/v1", kind: "Unknown", metadata: { name: "doomed" } };
    const broken: SampleVersion = { objects: (good) => [...good, unknown] };
    const versions = { "1.0.0": broken, "1.1.0": {} };
    const [first, ...later] = await tryLosing(context, "doomed", versions, ({ step }) => {
      if (step === "install" && made.length === 0)
        made.push(outside.must("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "doom" } }));
    });

    expect(first?.world).toBeUndefined();
    expect(failureOf(first)[0]).toBe("install");
    expect(later.map(({ world }) => world)).toEqual(later.map(() => undefined));
    // What came during the first path is not taken for a part of the cluster.
    expect(later[0]?.steps.find(({ step }) => step === "uninstall")).toMatchObject({
      result: "notChecked",
      said: expect.stringContaining("ConfigMap default/doom") as string,
    });
    expect((await outside.send("GET", CLAIM)).status).toBe(404);
  });

  long("keeps a pass whose clean-up meets a fault", async (context) => {
    const { outside } = await smokeServer(context);
    const results = await tryLosing(context, "lucky", THREE_PATHS);

    expect(results.map(failureOf)).toEqual(results.map(() => [undefined, undefined, undefined]));
    expect(results.map(({ world }) => world)).toEqual(results.map(() => undefined));
    expect((await outside.send("GET", CLAIM)).status).toBe(404);
  });

  it("is not touched if its list of an earlier run's objects cannot be read", async (context) => {
    const { outside } = await smokeServer(context);
    const maps = "/api/v1/namespaces/default/configmaps";
    await outside.must("POST", maps, { metadata: { name: "kyma-modules-smoke" }, data: { objects: "[{" } });
    onTestFinished(async () => {
      await outside.must("DELETE", `${maps}/kyma-modules-smoke`);
    });
    const results = await tryKept(context, "late");

    expect(results.map(({ steps }) => steps)).toEqual(results.map(() => []));
    expect(results[0]?.world).toMatch(/^ConfigMap default\/kyma-modules-smoke .* Remove/);
  });

  it("does not blame a module while kyma-system is being deleted", async (context) => {
    const { outside } = await smokeServer(context);
    await ensureHome(outside);
    // Nothing finalizes namespaces here, so it stays.
    await outside.must("DELETE", "/api/v1/namespaces/kyma-system");
    const results = await tryKept(context, "early");

    expect(results.map(({ steps }) => steps)).toEqual(results.map(() => []));
    expect(results[0]?.world).toEqual(mentions("Namespace kyma-system", "being deleted", "Wait"));
  });
});
