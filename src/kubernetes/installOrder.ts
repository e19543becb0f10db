import type { KubernetesObject } from "./object.ts";
import { groupOf } from "./workload.ts";

/** What must be there before other objects are accepted, served or allowed; the rest stands between these. */
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

/** What acts on every write after it, and is answered by what stands before. */
const LAST: readonly string[] = [
  "admissionregistration.k8s.io/MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
  "apiregistration.k8s.io/APIService",
];

/** The objects of a manifest in groups: those of one may be applied at once, and removals go the other way round. */
export function installOrder(objects: readonly KubernetesObject[]): readonly (readonly KubernetesObject[])[] {
  const ranks = Map.groupBy(objects, rankOf);
  return [...ranks].toSorted(([a], [b]) => a - b).map(([, group]) => group);
}

function rankOf(object: KubernetesObject): number {
  const kind = groupKindOf(object);
  const first = FIRST.findIndex((kinds) => kinds.includes(kind));
  if (first !== -1) return first;
  return LAST.includes(kind) ? FIRST.length + 1 : FIRST.length;
}

/** `apps/Deployment`; `/Namespace` of the core group. */
export function groupKindOf({ apiVersion, kind }: Pick<KubernetesObject, "apiVersion" | "kind">): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

/** Whether the API server asks pods, or aggregates what they serve, because of this object. */
export function isServedByPods(object: KubernetesObject): boolean {
  return LAST.includes(groupKindOf(object));
}

/** What makes two objects one, whatever the version of the API. */
export function objectKey(object: KubernetesObject): string {
  return `${groupKindOf(object)} ${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}

/** `Deployment kyma-system/manager`, for people. */
export function objectText({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined || namespace === "" ? "" : `${namespace}/`}${name}`;
}
