import type { KubernetesObject } from "./object.ts";
import { apiGroup } from "./workload.ts";

/** Kinds that other objects need to be accepted, served or allowed. Kinds in neither list are installed between. */
const FIRST: readonly (readonly string[])[] = [
  ["/Namespace", "apiextensions.k8s.io/CustomResourceDefinition", "scheduling.k8s.io/PriorityClass"],
  [
    "/ServiceAccount",
    "rbac.authorization.k8s.io/ClusterRole",
    "rbac.authorization.k8s.io/Role",
    "rbac.authorization.k8s.io/ClusterRoleBinding",
    "rbac.authorization.k8s.io/RoleBinding",
  ],
  ["/ConfigMap", "/Secret", "/Service", "/PersistentVolumeClaim"],
];

/** Kinds that affect every later write, and depend on the objects before. */
const LAST: readonly string[] = [
  "admissionregistration.k8s.io/MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
  "apiregistration.k8s.io/APIService",
];

/** The objects of a manifest in groups to apply together, in this order. Removals go in the opposite order. */
export function installOrder(objects: readonly KubernetesObject[]): readonly (readonly KubernetesObject[])[] {
  const ranks = Map.groupBy(objects, (object) => {
    const kind = objectGroupKind(object);
    const first = FIRST.findIndex((kinds) => kinds.includes(kind));
    if (first !== -1) return first;
    return LAST.includes(kind) ? FIRST.length + 1 : FIRST.length;
  });
  return [...ranks].toSorted(([a], [b]) => a - b).map(([, group]) => group);
}

/** `apps/Deployment`; `/Namespace` of the core group. */
export function objectGroupKind({ apiVersion, kind }: Pick<KubernetesObject, "apiVersion" | "kind">): string {
  return `${apiGroup(apiVersion)}/${kind}`;
}

/** Whether this object makes the API server call pods, as a webhook or an aggregated API. */
export function isServedByPods(object: KubernetesObject): boolean {
  return LAST.includes(objectGroupKind(object));
}

/** The identity of an object, independent of its API version. */
export function objectKey(object: KubernetesObject): string {
  return `${objectGroupKind(object)} ${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}

/** An object for display: `Deployment kyma-system/manager`. */
export function objectText({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined || namespace === "" ? "" : `${namespace}/`}${name}`;
}
