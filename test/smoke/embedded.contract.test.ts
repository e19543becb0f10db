import { describe, expect, it, type TestContext } from "vitest";
import type { PathResult } from "../../src/smoke/path.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { configMap, crdVersion, definition, deployment, type SampleVersion, type Written } from "./sampleModule.ts";
import { failureOf, openSmokeServer, stepsOf, tryModule } from "./world.ts";

const smokeServer = openSmokeServer();

const GOOD: SampleVersion = {};

/** The good objects with `definition` in place of the definition. */
function defined(module: string, ...versions: readonly Written[]): SampleVersion {
  const { spec, ...rest } = definition(module) as { readonly spec: Written };
  const changed = { ...rest, spec: { ...spec, versions } };
  return { objects: (good) => good.map((one) => (one["kind"] === "CustomResourceDefinition" ? changed : one)) };
}

const adding = (...objects: readonly Written[]): SampleVersion => ({ objects: (good) => [...good, ...objects] });

async function upgraded(
  context: TestContext,
  module: string,
  to: SampleVersion,
  from = GOOD,
): Promise<PathResult | undefined> {
  const { supply } = await smokeServer(context);
  const [result] = await tryModule({ module, supply, versions: { "1.0.0": from, "1.1.0": to }, only: "upgrades" });
  return result;
}

const SIZE = { size: { type: "integer" } };

describe("a good module", () => {
  it("passes the steps that an API server alone can check", async (context) => {
    const { supply, outside } = await smokeServer(context);
    const sample = {
      apiVersion: "smoke.example.com/v1alpha1",
      kind: "Good",
      metadata: { name: "mine", namespace: "default" },
      spec: { mode: "plain" },
    };
    const versions = { "1.0.0": { samples: { "mine.yaml": sample } }, "1.1.0": adding(configMap("good-more")) };
    const results = await tryModule({ module: "good", supply, versions });

    const passed = { manifests: "passed", install: "passed", use: "passed", again: "passed", uninstall: "passed" };
    const install = { ...passed, dependencies: "passed", footprint: "notChecked" };
    const upgrade = { ...passed, upgrade: "passed", served: "passed", footprint: "notChecked" };
    expect(results.map((result) => [result.path.from?.version, result.path.to.version, stepsOf(result)])).toEqual([
      [undefined, "1.0.0", install],
      [undefined, "1.1.0", install],
      ["1.0.0", "1.1.0", upgrade],
    ]);
    expect(results[2]?.steps[2]).toMatchObject({
      unchecked: ["the state of Good kyma-system/default", "the state of Good default/mine"],
    });
    expect((await outside.send("GET", "/apis/smoke.example.com/v1alpha1/goods")).status).toBe(404);
    expect((await outside.send("GET", "/api/v1/namespaces/kyma-system/configmaps/good-settings")).status).toBe(404);
  });

  long("is not checked where pods run if it wants none", async (context) => {
    const { supply } = await smokeServer(context);
    const container = { name: "run", image: "registry.example.com/idle:1.0.0" };
    const job = {
      ...{ apiVersion: "batch/v1", kind: "Job", metadata: { name: "idle-manager", namespace: "kyma-system" } },
      spec: { suspend: true, template: { spec: { restartPolicy: "Never", containers: [container] } } },
    };
    const version: SampleVersion = { objects: () => [job], defaultCr: () => configMap("idle-settings") };
    const versions = { "1.0.0": version, "1.1.0": { ...version, samples: { "more.yaml": configMap("idle-more") } } };
    const results = await tryModule({ module: "idle", supply: { ...supply, pods: true }, versions });

    expect(results.map(stepsOf)).toMatchObject([
      { install: "notChecked", use: "passed", uninstall: "passed" },
      { install: "notChecked", use: "passed", uninstall: "passed" },
      { install: "passed", upgrade: "notChecked", served: "passed", uninstall: "passed" },
    ]);
    expect(results[0]?.steps[1]?.said).toEqual(mentions("Job kyma-system/idle-manager", "pods"));
  });

  long("may have objects in namespaces that it creates, and in those of the cluster", async (context) => {
    const own = { apiVersion: "v1", kind: "Namespace", metadata: { name: "roomy-system" } };
    const result = await upgraded(
      context,
      "roomy",
      adding(own, configMap("a", "roomy-system"), configMap("b", "kube-system")),
    );

    expect(failureOf(result)).toEqual([undefined, undefined, undefined]);
  });
});

/** A version of a definition that accepts objects of the name `default` only. */
function singleton(properties: Written): Written {
  const { schema, ...version } = crdVersion("v1alpha1", properties) as {
    readonly schema: { readonly openAPIV3Schema: Written };
  };
  const rules = [{ rule: "self.metadata.name == 'default'", message: "only one is allowed: name it default" }];
  return { ...version, schema: { openAPIV3Schema: { ...schema.openAPIV3Schema, "x-kubernetes-validations": rules } } };
}

describe("an upgrade", () => {
  it("passes for a kind that allows one object only, and fails on values that the new schema refuses", async (context) => {
    const [note, mode] = [{ type: "string" }, { type: "string", enum: ["plain", "loud"] }];
    const lonely = defined("lonely", singleton({ ...SIZE, mode, note }));
    const lonelier = defined("lonelier", singleton({ ...SIZE, mode, note }));
    const narrow = defined("lonelier", singleton({ ...SIZE, mode: { type: "string", enum: ["plain"] }, note }));

    expect(failureOf(await upgraded(context, "lonely", lonely, lonely))).toEqual([undefined, undefined, undefined]);
    expect(failureOf(await upgraded(context, "lonelier", narrow, lonelier))).toEqual([
      "served",
      "Lonelier kyma-system/default",
      'spec.mode: Unsupported value: "loud": supported values: "plain"',
    ]);
  });

  it("fails on a field that cannot change", async (context) => {
    const fixed: SampleVersion = {
      objects: (good) =>
        good.map((one) => (one["kind"] === "Deployment" ? deployment("fixed", { app: "other" }) : one)),
    };
    const result = await upgraded(context, "fixed", fixed);

    expect(failureOf(result)).toEqual([
      "upgrade",
      "Deployment kyma-system/fixed-manager",
      expect.stringMatching(/spec\.selector: .*field is immutable/),
    ]);
    expect(stepsOf(result)).toMatchObject({ use: "passed", served: "notChecked", uninstall: "notChecked" });
  });

  it("fails on a version that objects are stored in, and that the definition no longer has", async (context) => {
    expect(failureOf(await upgraded(context, "gone", defined("gone", crdVersion("v1beta1", SIZE))))).toEqual([
      "upgrade",
      "CustomResourceDefinition gones.smoke.example.com",
      expect.stringContaining("status.storedVersions"),
    ]);
  });

  it("fails on a field that the new version does not store", async (context) => {
    const losing = defined(
      "losing",
      crdVersion("v1alpha1", { ...SIZE, mode: { type: "string" } }, false),
      crdVersion("v1beta1", SIZE),
    );

    expect(failureOf(await upgraded(context, "losing", losing))).toEqual([
      "served",
      "Losing kyma-system/default",
      'spec.mode was "loud", and is gone; spec.note was "smoke", and is gone',
    ]);
  });

  it("fails on values that the new schema refuses", async (context) => {
    const mode = { type: "string", enum: ["plain"] };
    const result = await upgraded(
      context,
      "narrow",
      defined("narrow", crdVersion("v1alpha1", { ...SIZE, mode, note: { type: "string" } })),
    );

    expect(failureOf(result)).toEqual([
      "served",
      "Narrow kyma-system/default",
      expect.stringContaining('spec.mode: Unsupported value: "loud"'),
    ]);
  });

  it("fails on a definition that is stuck in Terminating", async (context) => {
    const stuck: SampleVersion = {
      defaultCr: (good) => ({
        ...good,
        metadata: { name: "default", namespace: "kyma-system", finalizers: ["example.com/wait"] },
      }),
    };
    const without: SampleVersion = {
      objects: (good) => good.filter(({ kind }) => kind !== "CustomResourceDefinition"),
    };

    expect(failureOf(await upgraded(context, "ending", without, stuck))).toEqual([
      "upgrade",
      "CustomResourceDefinition endings.smoke.example.com",
      expect.stringContaining("Terminating"),
    ]);
  });
});

describe("an install", () => {
  async function installed(
    context: TestContext,
    module: string,
    version: SampleVersion,
  ): Promise<PathResult | undefined> {
    const { supply } = await smokeServer(context);
    const [result] = await tryModule({ module, supply, versions: { "1.0.0": version } });
    return result;
  }

  it("fails on an object in a namespace that is not there", async (context) => {
    const result = await installed(context, "foreign", adding(configMap("astray", "elsewhere")));

    expect(failureOf(result)).toEqual(["install", "ConfigMap elsewhere/astray", 'namespaces "elsewhere" not found']);
    expect(result?.steps[1]?.remedy).toMatch(/Create .*\bnamespace\b/);
  });

  it("fails on a webhook that is called for everything", async (context) => {
    const rules = [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["CREATE"] }];
    const clientConfig = { service: { name: "missing", namespace: "kyma-system" } };
    const webhooks = [
      { name: "all.example.com", rules, clientConfig, sideEffects: "None", admissionReviewVersions: ["v1"] },
    ];
    const webhook = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "blocking" },
      webhooks,
    };

    expect(failureOf(await installed(context, "blocking", adding(webhook)))).toEqual([
      "install",
      "ValidatingWebhookConfiguration blocking",
      mentions("all.example.com", "every object"),
    ]);
  });

  it("fails on a field that the kind does not have, and on a kind that is not there", async (context) => {
    const odd = { ...configMap("odd"), datas: {} };
    const strange = { apiVersion: "strange.example.com/v1", kind: "Thing", metadata: { name: "a" } };

    expect(failureOf(await installed(context, "oddly", adding(odd)))).toEqual([
      "install",
      "ConfigMap kyma-system/odd",
      expect.stringContaining("datas"),
    ]);
    expect(failureOf(await installed(context, "strange", adding(strange)))).toEqual([
      "install",
      "Thing a",
      mentions("not know", "Thing (strange.example.com/v1)"),
    ]);
  });

  it("fails where the API server refuses the default CR", async (context) => {
    const wrong: SampleVersion = { defaultCr: (good) => ({ ...good, spec: { size: "large" } }) };

    expect(failureOf(await installed(context, "wrong", wrong))).toEqual([
      "use",
      "Wrong kyma-system/default",
      expect.stringContaining("spec.size"),
    ]);
  });
});
