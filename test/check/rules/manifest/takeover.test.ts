import { describe, expect, test } from "vitest";
import { BUMP, manifestPath, manifestText } from "../../../../src/check/example.ts";
import { manifestNamespace } from "../../../../src/check/rules/manifest/namespace.ts";
import { manifestTakeover } from "../../../../src/check/rules/manifest/takeover.ts";
import { rightsEveryone } from "../../../../src/check/rules/rights/everyone.ts";
import type { Rule } from "../../../../src/check/rule.ts";
import { mentions } from "../../../support/mentions.ts";
import { contextOf, said } from "../../contexts.ts";

/** What a rule says of the bump of the sample with more objects. */
async function saidOf(rule: Rule, ...objects: readonly object[]): Promise<readonly string[]> {
  const text = [manifestText("1.2.0"), ...objects.map((object) => `${JSON.stringify(object)}\n`)].join("---\n");
  return said(rule, await contextOf({ change: { ...BUMP, [manifestPath("1.2.0")]: text } }));
}

const RBAC = "rbac.authorization.k8s.io";
const ALL = { apiGroups: ["*"], resources: ["*/*"], apiVersions: ["*"], operations: ["*"] };
const SERVICE = { clientConfig: { service: { name: "a", namespace: "kyma-system" } } };
const webhook = (fields: object, kind = "Validating"): object => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: `${kind}WebhookConfiguration`,
  metadata: { name: "sample" },
  webhooks: [{ name: "a.example.com", rules: [ALL], ...SERVICE, ...fields }],
});
const service = (group?: string): object => ({
  apiVersion: "apiregistration.k8s.io/v1",
  kind: "APIService",
  metadata: { name: "v1.sample" },
  spec: { group, version: "v1" },
});
const namespace = (name: string, labels?: object): object => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, labels },
});
const definition = (clientConfig: object): object => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "others.example.com" },
  spec: { conversion: { strategy: "Webhook", webhook: { clientConfig } } },
});

describe("a take-over", () => {
  test.each<[what: string, object: object, message: unknown]>([
    ["an API group of Kubernetes", service("apps"), mentions("error", "APIService", "apps", "in place of Kubernetes")],
    ["the core group", service(), mentions("error", "APIService", "v1")],
    ["a group of its own", service("sample.example.com"), undefined],
    ["the metrics", service("metrics.k8s.io"), undefined],
    ["a webhook on everything", webhook({}), mentions("error", "ValidatingWebhookConfiguration", "stops everything")],
    ["a mutating one", webhook({ failurePolicy: "Fail" }, "Mutating"), mentions("error", "stops everything")],
    [
      "one on everything of the core group",
      webhook({ rules: [{ ...ALL, apiGroups: [""], resources: ["*"] }] }),
      mentions("error", "stops everything"),
    ],
    ["one that may fail", webhook({ failurePolicy: "Ignore" }), undefined],
    ["one on some kinds", webhook({ rules: [{ ...ALL, apiGroups: [""], resources: ["pods"] }] }), undefined],
    ["one on a group", webhook({ rules: [{ ...ALL, apiGroups: ["example.com"] }] }), undefined],
    ["one on chosen objects", webhook({ objectSelector: { matchLabels: { a: "b" } } }), undefined],
    [
      "one on chosen namespaces",
      webhook({ namespaceSelector: { matchExpressions: [{ key: "a", operator: "Exists" }] } }),
      undefined,
    ],
    ["one with conditions", webhook({ matchConditions: [{ name: "a", expression: "false" }] }), undefined],
    [
      "one on all namespaces but some",
      webhook({ namespaceSelector: { matchExpressions: [{ key: "a", operator: "NotIn", values: ["b"] }, {}] } }),
      mentions("error", "stops everything"),
    ],
    [
      "a webhook elsewhere",
      webhook({ failurePolicy: "Ignore", clientConfig: { url: "https://example.com/hook" } }),
      mentions("error", "https://example.com/hook"),
    ],
    ["an address that is none", webhook({ rules: [], clientConfig: { url: "x" } }), mentions("error", "to x")],
    ["a service by its address", webhook({ rules: [], clientConfig: { url: "https://a.b.svc:8443/x" } }), undefined],
    ["a conversion elsewhere", definition({ url: "https://example.com" }), mentions("error", "https://example.com")],
    ["a conversion here", definition({ service: { name: "a" } }), undefined],
    [
      "a label of kube-system",
      namespace("kube-system", { a: "b", "kubernetes.io/metadata.name": "kube-system" }),
      mentions("error", "Namespace kube-system", "label a"),
    ],
    [
      "the protection of kyma-system",
      namespace("kyma-system", { "pod-security.kubernetes.io/enforce": "privileged" }),
      mentions("error", "Namespace kyma-system", "pod-security.kubernetes.io/enforce"),
    ],
    ["kyma-system as modules have it", namespace("kyma-system", { "app.kubernetes.io/component": "a" }), undefined],
    ["a namespace of its own", namespace("sample", { "pod-security.kubernetes.io/enforce": "privileged" }), undefined],
    ["a namespace without labels", namespace("default"), undefined],
  ])("is known: %s", async (_, object, message) => {
    expect(await saidOf(manifestTakeover, object)).toEqual(message === undefined ? [] : [message]);
  });
});

describe("an object in a namespace of the cluster", () => {
  const binding = (name: string, at = "kube-system"): object => ({
    apiVersion: `${RBAC}/v1`,
    kind: "RoleBinding",
    metadata: { name: "sample", namespace: at },
    roleRef: { apiGroup: RBAC, kind: "Role", name },
    subjects: [],
  });

  test("is an error, but for the usual RoleBinding", async () => {
    const usual = "extension-apiserver-authentication-reader";
    const error = [mentions("error", "RoleBinding kube-system/sample", "does not create")];
    expect(await saidOf(manifestNamespace, binding(usual))).toEqual([]);
    expect(await saidOf(manifestNamespace, binding("other"))).toEqual(error);
    expect(await saidOf(manifestNamespace, namespace("kube-system"), binding("other"))).toEqual(error);
    expect(await saidOf(manifestNamespace, namespace("sample"), binding("other", "sample"))).toEqual([]);
    expect(await saidOf(manifestNamespace, binding(usual, "default"))).toEqual([
      mentions("error", "RoleBinding default/sample"),
    ]);
  });
});

describe("the secrets of everyone", () => {
  const bound = (roleRef: object, ...names: readonly string[]): object => ({
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "sample" },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", ...roleRef },
    subjects: names.map((name) => ({ apiGroup: RBAC, kind: name === "system:anonymous" ? "User" : "Group", name })),
  });
  const role = (resource: string, verb: string): object => ({
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRole",
    metadata: { name: "reader" },
    rules: [{ apiGroups: [""], resources: [resource], verbs: [verb], resourceNames: ["a"] }],
  });

  test.each(["system:anonymous", "system:authenticated", "system:unauthenticated", "system:serviceaccounts"])(
    "are an error for %s",
    async (holder) => {
      const message = mentions("error", "ClusterRoleBinding sample", holder, "secrets");
      expect(await saidOf(rightsEveryone, role("secrets", "get"), bound({ name: "reader" }, holder))).toEqual([
        message,
      ]);
      expect(await saidOf(rightsEveryone, role("secrets", "*"), bound({ name: "reader" }, holder))).toHaveLength(1);
      expect(await saidOf(rightsEveryone, bound({ name: "cluster-admin" }, holder))).toHaveLength(1);
      expect(await saidOf(rightsEveryone, role("configmaps", "get"), bound({ name: "reader" }, holder))).toEqual([]);
    },
  );

  test("are not those of a group", async () => {
    expect(await saidOf(rightsEveryone, role("secrets", "get"), bound({ name: "reader" }, "readers"))).toEqual([]);
  });
});
