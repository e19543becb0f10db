import { expect, it, onTestFinished } from "vitest";
import { parseLandscapeName } from "../../../src/catalogue/names.ts";
import { keepLandscape, type ControllerReport } from "../../../src/sync/controller/controller.ts";
import { TIMING } from "../../../src/sync/controller/pass.ts";
import { Wake } from "../../../src/sync/controller/wake.ts";
import { systemClock } from "../../../src/systems/clock.ts";
import { quietRun } from "../../support/quietRun.ts";
import { catalogueOf } from "../catalogueFiles.ts";
import { entrySummary } from "../planning.ts";
import { eventually, sharedWorld } from "../world.ts";

const landscape = (name: string, after?: object): object => ({
  ...{ name, controlPlane: { context: name }, namespace: "kcp-system", lifecycleManager: "version-templates" },
  ...(after !== undefined && { after }),
});
const CATALOGUE = catalogueOf({
  channels: { fast: { certs: "1.0.0" } },
  everywhere: ["fast"],
  settings: { landscapes: [landscape("dev"), landscape("elsewhere", { landscape: "dev", soak: "1h" })] },
});

it("a controller with the address of another repository's landscape writes nothing into its set", async (context) => {
  const world = await sharedWorld(context);
  await world.sync(CATALOGUE);
  const before = await world.read("configmaps", "kyma-modules-entries");
  const name = parseLandscapeName("dev");
  if (name === undefined) throw new Error("dev is a name");
  const reports: ControllerReport["kind"][] = [];
  const stop = new AbortController();
  const { controlPlane, namespace } = world;
  const kept = keepLandscape(
    {
      ...{ name, namespace, controlPlane },
      choose: () => Promise.resolve({ serves: { commit: "a".repeat(40), catalogue: CATALOGUE }, held: undefined }),
      prepare: () => world.prepare(CATALOGUE, { claim: { repository: "org/other" }, controlPlane }),
      fetchSoon: () => undefined,
    },
    new Wake(systemClock),
    {
      ...{ clock: systemClock, random: Math.random, holder: "controller", timing: TIMING },
      ...{ onReport: (_, { kind }) => void reports.push(kind), onSeen: () => undefined },
    },
    { ...quietRun(), signal: stop.signal },
  );
  onTestFinished(async () => {
    stop.abort();
    await kept.catch(() => undefined);
  });
  await eventually(() => reports.includes("passed"));

  expect(await world.read("configmaps", "kyma-modules-entries")).toEqual(before);
  const { plan } = await world.prepare(CATALOGUE);
  expect([plan.parent.kind, entrySummary(plan)]).toEqual(["unchanged", []]);
});
