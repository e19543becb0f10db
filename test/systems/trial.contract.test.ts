import { expect, test, type TestContext } from "vitest";
import type { TrialServer } from "../../src/ports.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { trialServer } from "../../src/systems/kubernetes/trial.ts";
import { mentions } from "../support/mentions.ts";
import { needControlPlane } from "../support/needControlPlane.ts";
import { quietRun } from "../support/quietRun.ts";

const run = quietRun();

async function sharedTrial(context: TestContext, mayInstall: boolean): Promise<TrialServer> {
  const { kubeconfig } = needControlPlane(context);
  return trialServer(await openAccess({ kubeconfig }), mayInstall);
}

const configMap = (fields: object): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "sample", namespace: "default" },
  ...fields,
});

test("returns the server's verdicts with reasons, in the order of the objects", async (context) => {
  const trial = await sharedTrial(context, false);
  const verdicts = await trial.judge(
    [
      configMap({ data: { a: "b" } }),
      configMap({ dta: { a: "b" } }),
      configMap({ metadata: { name: "No Name", namespace: "default" } }),
      { apiVersion: "example.com/v1", kind: "Nothing", metadata: { name: "a" } },
      configMap({ metadata: { name: "a", namespace: "nowhere" } }),
      { kind: "ConfigMap" },
      "text",
    ],
    run,
  );
  expect(verdicts).toEqual([
    { kind: "accepted" },
    {
      kind: "refused",
      causes: [{ field: "", reason: "BadRequest", message: expect.stringContaining('"dta"') as string }],
    },
    { kind: "refused", causes: [expect.objectContaining({ field: "metadata.name", reason: "FieldValueInvalid" })] },
    { kind: "not-evaluated", why: mentions("Nothing (example.com/v1)") },
    { kind: "not-evaluated", why: mentions("namespace nowhere") },
    { kind: "not-evaluated", why: mentions("apiVersion", "kind", "name") },
    { kind: "not-evaluated", why: mentions("apiVersion", "kind", "name") },
  ]);
});

test("stores nothing in a dry run", async (context) => {
  const trial = await sharedTrial(context, false);
  const object = configMap({ metadata: { name: "trial-twice", namespace: "default" } });
  expect(await trial.judge([object], run)).toEqual([{ kind: "accepted" }]);
  expect(await trial.judge([object], run)).toEqual([{ kind: "accepted" }]);
});

test("installs definitions and namespaces if allowed, and judges custom resources by them", async (context) => {
  const trial = await sharedTrial(context, true);
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "trials.trial.example.com" },
    spec: {
      group: "trial.example.com",
      scope: "Namespaced",
      names: { kind: "Trial", listKind: "TrialList", plural: "trials", singular: "trial" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: { spec: { type: "object", properties: { size: { type: "integer", maximum: 3 } } } },
            },
          },
        },
      ],
    },
  };
  const resource = (size: number): object => ({
    apiVersion: "trial.example.com/v1",
    kind: "Trial",
    metadata: { name: "sample", namespace: "trial-namespace" },
    spec: { size },
  });
  expect(await trial.judge([resource(1), definition, resource(4)], run)).toEqual([
    { kind: "accepted" },
    { kind: "accepted" },
    { kind: "refused", causes: [expect.objectContaining({ field: "spec.size" })] },
  ]);
});
