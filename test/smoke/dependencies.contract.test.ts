import { describe, expect, it, type TestContext } from "vitest";
import type { StepResult } from "../../src/smoke/path.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { crdVersion, definition, kindOf, type SampleVersion, type Written } from "./sampleModule.ts";
import { openSmokeServer, tryModule, type Tried } from "./world.ts";

const smokeServer = openSmokeServer();

const API = { group: "smoke.example.com", version: "v1alpha1" };
const PAIR_ALONE = [mentions("managers", "together")];

/** A version that requires the kind of another module, and whose manifest has an object of it. */
function needing(provider: string): SampleVersion {
  const own = { apiVersion: `${API.group}/${API.version}`, kind: kindOf(provider) };
  const object = { ...own, metadata: { name: "wanted", namespace: "kyma-system" }, spec: { size: 1 } };
  return { requires: [{ ...API, kind: kindOf(provider) }], objects: (good) => [...good, object] };
}

/** A version that serves its kind in `v1beta1` alone. */
function moved(module: string): SampleVersion {
  const { spec, ...rest } = definition(module) as { readonly spec: Written };
  const versions = [crdVersion("v1beta1", { size: { type: "integer" } })];
  return {
    objects: (good) =>
      good.map((one) => (one["kind"] === "CustomResourceDefinition" ? { ...rest, spec: { ...spec, versions } } : one)),
    defaultCr: (good) => ({ ...good, apiVersion: "smoke.example.com/v1beta1", spec: { size: 1 } }),
  };
}

/** A version that does not bring its kind any more. */
const DROPPED: SampleVersion = {
  objects: (good) => good.filter(({ kind }) => kind !== "CustomResourceDefinition"),
  defaultCr: (good) => ({ ...good, apiVersion: "v1", kind: "ConfigMap", spec: undefined }),
};

/** The step of each install, in order of the versions. */
async function stepsOn(context: TestContext, tried: Omit<Tried, "supply">): Promise<readonly StepResult[]> {
  const { supply } = await smokeServer(context);
  const results = await tryModule({ only: "installs", ...tried, supply });
  return results.flatMap(({ steps }) => steps.filter(({ step }) => step === "dependencies"));
}

describe("dependencies", () => {
  it("pass with the provider that the channels offer, and remove it", async (context) => {
    const { outside } = await smokeServer(context);
    const versions = { "1.0.0": needing("giver") };
    const [step] = await stepsOn(context, { module: "taker", versions, beside: { giver: { "2.0.0": {} } } });

    expect(step).toMatchObject({ result: "passed", notes: ["with giver 2.0.0 (provider)"], unchecked: PAIR_ALONE });
    expect((await outside.send("GET", "/apis/smoke.example.com/v1alpha1/givers")).status).toBe(404);
    expect((await outside.send("GET", "/api/v1/namespaces/kyma-system/configmaps/giver-settings")).status).toBe(404);
  });

  it("pass with a consumer of what the version serves", async (context) => {
    const beside = { reader: { "3.0.0": needing("source") } };
    const [step] = await stepsOn(context, { module: "source", versions: { "1.0.0": {} }, beside });

    expect(step).toMatchObject({ result: "passed", notes: ["with reader 3.0.0 (consumer)"], unchecked: PAIR_ALONE });
  });

  it.for([
    ["in the version that a consumer requires", "mover", moved("mover")],
    ["at all", "dropper", DROPPED],
  ] as const)("fail where the new version does not serve the API %s", async ([, module, newer], context) => {
    const versions = { "1.0.0": {}, "1.1.0": newer };
    const beside = { user: { "1.0.0": needing(module) } };
    const steps = await stepsOn(context, { module, versions, beside });

    expect(steps.map(({ result }) => result)).toEqual(["passed", "failed"]);
    expect(steps[1]?.said).toEqual(
      mentions("user 1.0.0 (consumer)", `${kindOf(module)} (smoke.example.com/v1alpha1)`, "not served"),
    );
  });

  long("fail with a provider of the same channel that does not serve the API, and only there", async (context) => {
    const beside = { former: { "1.0.0": {}, "1.1.0": moved("former") } };
    const versions = {
      "1.0.0": { ...needing("former"), objects: (good: readonly Written[]) => good },
      "1.1.0": needing("former"),
    };
    const steps = await stepsOn(context, { module: "follower", versions, beside });

    expect(steps[0]).toMatchObject({ result: "passed", notes: ["with former 1.0.0 (provider)"] });
    expect(steps[0]?.unchecked).toContainEqual(
      mentions("former 1.1.0 (provider)", "Former (smoke.example.com/v1alpha1)", "another channel"),
    );
    expect(steps[1]).toMatchObject({ result: "failed", said: expect.stringContaining("former 1.1.0") as string });
  });

  long("pass where there is nothing to check, and say so", async (context) => {
    const [step] = await stepsOn(context, {
      module: "lonely",
      versions: { "1.0.0": {} },
      beside: { other: { "1.0.0": {} } },
    });

    expect(step).toMatchObject({
      result: "passed",
      notes: [mentions("no API", "no module")],
    });
    expect(step).not.toHaveProperty("unchecked");
  });

  it("are not checked where no channel offers a provider", async (context) => {
    const [step] = await stepsOn(context, { module: "orphan", versions: { "1.0.0": needing("nothing") } });

    expect(step).toMatchObject({
      result: "notChecked",
      said: expect.stringContaining("Nothing (smoke.example.com/v1alpha1)") as string,
    });
  });

  long("are not checked with a neighbour without a manifest", async (context) => {
    const beside = { hidden: { "1.0.0": { isElsewhere: true } } };
    const [step] = await stepsOn(context, { module: "seeker", versions: { "1.0.0": needing("hidden") }, beside });

    expect(step).toMatchObject({
      result: "notChecked",
      said: mentions("no manifest", "hidden 1.0.0"),
    });
  });
});
