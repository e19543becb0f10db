import { describe, expect, it } from "vitest";
import { installOrder, isServedByPods, objectKey, objectText } from "../../src/kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";

function object(apiVersion: string, kind: string, namespace?: string): KubernetesObject {
  return { apiVersion, kind, metadata: { name: "a", ...(namespace !== undefined && { namespace }) } };
}

const DEPLOYMENT = object("apps/v1", "Deployment", "n");
const WEBHOOK = object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration");
const ROLE = object("rbac.authorization.k8s.io/v1", "ClusterRole");
const NAMESPACE = object("v1", "Namespace");
const DEFINITION = object("apiextensions.k8s.io/v1", "CustomResourceDefinition");

describe("the order of an installation", () => {
  it("begins with namespaces and definitions, and ends with kinds that affect every write", () => {
    expect(installOrder([WEBHOOK, DEPLOYMENT, ROLE, DEFINITION, NAMESPACE])).toEqual([
      [DEFINITION, NAMESPACE],
      [ROLE],
      [DEPLOYMENT],
      [WEBHOOK],
    ]);
  });

  it("recognizes objects that make the API server call pods", () => {
    expect([WEBHOOK, DEPLOYMENT].map(isServedByPods)).toEqual([true, false]);
  });

  it("identifies objects by group, kind, namespace and name", () => {
    expect([DEPLOYMENT, ROLE].map(objectKey)).toEqual([
      "apps/Deployment n/a",
      "rbac.authorization.k8s.io/ClusterRole /a",
    ]);
    expect([DEPLOYMENT, ROLE, object("v1", "Secret", "")].map(objectText)).toEqual([
      "Deployment n/a",
      "ClusterRole a",
      "Secret a",
    ]);
  });
});
