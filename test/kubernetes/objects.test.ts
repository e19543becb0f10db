import { describe, expect, test } from "vitest";
import { API_LIFECYCLES, KNOWN_MINOR, apiLifecycle, kubernetesMinor } from "../../src/kubernetes/deprecatedApis.ts";
import { definedScopes, isUnknownKind, scopeOfKind } from "../../src/kubernetes/objectKinds.ts";
import {
  annotationKeyRule,
  labelKeyRule,
  labelValueRule,
  nameRule,
  namespaceRule,
  objectProblems,
} from "../../src/kubernetes/objectProblems.ts";
import { mentions } from "../support/mentions.ts";
import { objectIn, objectsIn, podOf } from "./pods.ts";

function whatIsWrong(text: string): readonly string[] {
  return objectProblems(objectIn(text)).map(({ path, what }) => `${path.join(".")}: ${what}`);
}

describe("an object is refused that", () => {
  test.each([
    ["has no kind", "apiVersion: v1\nmetadata: { name: a }\n", [mentions("kind:", "kind", "missing")]],
    [
      "has neither",
      "metadata: { name: a }\n",
      [mentions("apiVersion:", "apiVersion", "missing"), mentions("kind:", "kind", "missing")],
    ],
    ["is of no kind", "apiVersion: v1\nkind: Pdo\nmetadata: { name: a }\n", [mentions("kind:", "v1", "Pdo")]],
    [
      "is of a version that Kubernetes never had",
      "apiVersion: apps/v2\nkind: Deployment\nmetadata: { name: a }\n",
      [mentions("apiVersion:", "apps/v2")],
    ],
    [
      "is of such a version in the core group",
      "apiVersion: v2\nkind: Secret\nmetadata: { name: a }\n",
      [mentions("apiVersion:", "v2")],
    ],
    ["has no name", "apiVersion: v1\nkind: Secret\n", [mentions("metadata.name:", "metadata.name", "missing")]],
    [
      "has a wrong name",
      "apiVersion: v1\nkind: Secret\nmetadata: { name: A_b }\n",
      [mentions("metadata.name:", "name A_b", "refused")],
    ],
    [
      "has a wrong namespace",
      "apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: a.b }\n",
      [mentions("metadata.namespace:", "namespace a.b", "refused")],
    ],
    [
      "has wrong labels",
      "apiVersion: v1\nkind: Secret\nmetadata: { name: a, labels: { -x: z, x: true } }\n",
      [mentions("metadata.labels.-x:", "label -x", "refused"), mentions("metadata.labels.x:", "value", "refused")],
    ],
    [
      "has wrong annotations",
      "apiVersion: v1\nkind: Secret\nmetadata: { name: a, annotations: { -x: z, x: 1 } }\n",
      [
        mentions("metadata.annotations.-x:", "annotation -x", "refused"),
        mentions("metadata.annotations.x:", "annotation x", "not text"),
      ],
    ],
    [
      "has too large annotations",
      `apiVersion: v1\nkind: Secret\nmetadata: { name: a, annotations: { x: ${"a".repeat(300_000)} } }\n`,
      [mentions("metadata.annotations:", "too large")],
    ],
    [
      "has pods with a wrong label",
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec: { template: { metadata: { labels: { x: -y } }, spec: {} } }\n",
      [mentions("spec.template.metadata.labels.x:", "value", "refused")],
    ],
  ])("%s", (_, text, expected) => {
    expect(whatIsWrong(text)).toEqual(expected);
  });

  test("but the label of a pod is reported once", () => {
    expect(objectProblems(podOf("{}", "{ -x: z }"))).toHaveLength(1);
  });
});

test.each([
  ["Secret", "a.b-c", true],
  ["Secret", "a..b", false],
  ["Secret", "a".repeat(254), false],
  ["Service", "1a", false],
  ["Service", "a1", true],
  ["Namespace", "a.b", false],
  ["ClusterRole", "system:Reader", true],
  ["ClusterRole", "a/b", false],
  ["ClusterRole", "..", false],
  ["CronJob", "a".repeat(53), false],
])("a %s called %s", (kind, name, isAllowed) => {
  expect(nameRule(kind, name) === undefined).toBe(isAllowed);
});

test("keys and values of labels and annotations follow the rules of Kubernetes", () => {
  const allowed = ["app", "app.kubernetes.io/name", "a_B.c"].map(labelKeyRule);
  expect(allowed).toEqual([undefined, undefined, undefined]);
  for (const key of ["", "A.io/x", "a/b/c", "/x", "x/"]) expect(labelKeyRule(key)).not.toBeUndefined();
  expect(annotationKeyRule("A.io/X")).toBeUndefined();
  expect([labelValueRule(""), labelValueRule("1.0")]).toEqual([undefined, undefined]);
  expect([labelValueRule("a b"), labelValueRule(1)]).not.toContain(undefined);
  expect(namespaceRule("kyma-system")).toBeUndefined();
});

test("an object of a version that Kubernetes had once, or of another group, is not refused", () => {
  const versions = ["apps/v1", "apps/v1beta2", "rbac.authorization.k8s.io/v1beta1", "autoscaling/v2", "example.com/v2"];
  const kinds = ["Deployment", "Deployment", "Role", "HorizontalPodAutoscaler", "Sample"];
  expect(
    versions.flatMap((version, at) =>
      whatIsWrong(`apiVersion: ${version}\nkind: ${String(kinds[at])}\nmetadata: { name: a }\n`),
    ),
  ).toEqual([]);
});

test("kinds have a scope, also those of a manifest", () => {
  expect([scopeOfKind("v1", "Pod"), scopeOfKind("v1", "Node"), scopeOfKind("example.com/v1", "Pod")]).toEqual([
    "namespaced",
    "cluster",
    undefined,
  ]);
  expect([isUnknownKind("apps/v1", "Pod"), isUnknownKind("example.com/v1", "Pod")]).toEqual([true, false]);
  const definition = (spec: string): string =>
    `---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: a.b }\nspec: ${spec}\n`;
  const objects = objectsIn(
    definition("{ group: a, names: { kind: B }, scope: Cluster }") +
      definition("{ group: a, names: { kind: C } }") +
      definition("{}") +
      "---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\nspec: { group: a, names: { kind: D } }\n",
  );
  expect([...definedScopes(objects)]).toEqual([
    ["a/B", "cluster"],
    ["a/C", "namespaced"],
    ["/", "namespaced"],
  ]);
});

test("gives the removal of API versions", () => {
  expect(apiLifecycle("policy/v1beta1", "PodDisruptionBudget")).toMatchObject({
    removed: 25,
    replacement: "policy/v1",
  });
  expect(apiLifecycle("policy/v1beta1", "PodSecurityPolicy")).toMatchObject({ removed: 25, replacement: "" });
  expect(apiLifecycle("storage.k8s.io/v1beta1", "Other")).toBeUndefined();
  expect(apiLifecycle("apps/v1", "Deployment")).toBeUndefined();
  expect(kubernetesMinor(`1.${KNOWN_MINOR}`)).toBe(KNOWN_MINOR);
  for (const { deprecated, removed } of API_LIFECYCLES) expect(removed ?? Infinity).toBeGreaterThan(deprecated);
});
