import { dump } from "js-yaml";
import type { JsonObject, Json } from "../../src/kubernetes/object.ts";

/** One version of a sample module; `index` decides on the shape of its CustomResourceDefinition. */
export interface SampleVersion {
  readonly index: number;
  readonly module: string;
  readonly version: string;
}

/** Fields of the smallest definition; the largest has about three times as many. */
const LEAST_FIELDS = 50;

/**
 * The raw manifest of a version: a definition of 50 to 150 fields that no other module has, every tenth of them under a
 * CEL rule, a Deployment, and the rights that it needs. It fits the template of `sampleTemplate`.
 * `revision` changes the definition compatibly: one optional field more for each.
 */
export function sampleManifest(sample: SampleVersion, revision = 0): string {
  const { module, version } = sample;
  const name = `${module}-manager`;
  const metadata = { name, namespace: "kyma-system", labels: { "app.kubernetes.io/name": module } };
  const account = { kind: "ServiceAccount", name, namespace: "kyma-system" };
  const role = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
  const objects: readonly JsonObject[] = [
    definition(sample, revision),
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name }, rules: rights(sample) },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name },
      subjects: [account],
      roleRef: role,
    },
    { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: deployment(module, version) },
  ];
  return objects.map((object) => dump(object, { lineWidth: 120, noRefs: true })).join("---\n");
}

/** `sample-aaab` → `SampleAaab`. */
function kindOf(module: string): string {
  return module
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function pluralOf(module: string): string {
  return `${kindOf(module).toLowerCase()}s`;
}

function definition({ index, module }: SampleVersion, revision: number): JsonObject {
  const [kind, plural] = [kindOf(module), pluralOf(module)];
  const count = LEAST_FIELDS + ((index * 37) % 101) + revision;
  const properties = Object.fromEntries(
    Array.from({ length: count }, (_, place): [string, Json] => [`field${place}`, field(place + index)]),
  );
  const spec = {
    type: "object",
    description: `What ${kind} shall do.`,
    properties: { logLevel: { type: "string", enum: ["info", "debug"], default: "info" }, ...properties },
    "x-kubernetes-validations": celRules(index, count),
  };
  const status = { type: "object", properties: { state: { type: "string" } }, required: ["state"] };
  const texts = { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: { type: "object" } };
  const openAPIV3Schema = { type: "object", properties: { ...texts, spec, status } };
  const version = { served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.operator.kyma-project.io` },
    spec: {
      group: "operator.kyma-project.io",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: "Namespaced",
      versions: [{ name: "v1alpha1", ...version }],
    },
  };
}

/** Six shapes in turn, so that every constraint that definitions usually have is there. */
function field(turn: number): JsonObject {
  const description = "What the field says, in the one or two lines that most fields of real definitions have.";
  const text = { type: "string", maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" };
  const shapes: readonly JsonObject[] = [
    { type: "integer", format: "int32", minimum: turn % 7, maximum: 1000 + turn },
    text,
    { type: "boolean", default: turn % 4 === 0 },
    { type: "array", maxItems: 16, items: text },
    { type: "object", maxProperties: 16, additionalProperties: text },
    {
      type: "object",
      properties: { name: text, size: { type: "string", enum: ["small", "large"] }, weight: { type: "integer" } },
      required: ["name"],
    },
  ];
  return { description, ...shapes[turn % shapes.length] };
}

/** Rules about the integers among the first fields. */
function celRules(index: number, count: number): readonly JsonObject[] {
  const integers = Array.from({ length: count }, (_, place) => place).filter((place) => (place + index) % 6 === 0);
  return integers.slice(0, Math.ceil(count / 10)).map((place) => ({
    rule: `!has(self.field${place}) || self.field${place} != 13 || self.logLevel == 'debug'`,
    message: `field${place} may be 13 only in debugging`,
  }));
}

function rights({ module }: SampleVersion): readonly JsonObject[] {
  const resources = [pluralOf(module), `${pluralOf(module)}/status`, `${pluralOf(module)}/finalizers`];
  return [
    { apiGroups: ["operator.kyma-project.io"], resources, verbs: ["get", "list", "watch", "update", "patch"] },
    { apiGroups: [""], resources: ["configmaps", "services"], verbs: ["get", "list", "watch", "create", "update"] },
    { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "list", "watch", "create", "update"] },
  ];
}

function deployment(module: string, version: string): JsonObject {
  const labels = { "app.kubernetes.io/name": module };
  const securityContext = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    runAsNonRoot: true,
    seccompProfile: { type: "RuntimeDefault" },
  };
  const container = {
    name: "manager",
    image: `europe-docker.pkg.dev/kyma-project/prod/${module}-manager:${version}`,
    args: ["--leader-elect"],
    resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "10m", memory: "64Mi" } },
    securityContext,
  };
  const spec = { serviceAccountName: `${module}-manager`, containers: [container] };
  return { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
}
