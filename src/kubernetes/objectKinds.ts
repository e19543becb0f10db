import { fieldAt, textAt } from "../document/fields.ts";
import { apiLifecycle } from "./deprecatedApis.ts";
import type { ManifestObject } from "./manifest.ts";
import { apiGroup } from "./workload.ts";

/** Whether the objects of a kind are in namespaces. */
type Scope = "namespaced" | "cluster";

const NAMESPACED: Readonly<Record<string, string>> = {
  "": "Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount",
  apps: "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
  autoscaling: "HorizontalPodAutoscaler",
  batch: "CronJob Job",
  "coordination.k8s.io": "Lease LeaseCandidate",
  "discovery.k8s.io": "EndpointSlice",
  "events.k8s.io": "Event",
  "networking.k8s.io": "Ingress NetworkPolicy",
  policy: "PodDisruptionBudget",
  "rbac.authorization.k8s.io": "Role RoleBinding",
  "resource.k8s.io": "ResourceClaim ResourceClaimTemplate",
  "storage.k8s.io": "CSIStorageCapacity",
};

const CLUSTER: Readonly<Record<string, string>> = {
  "": "ComponentStatus Namespace Node PersistentVolume",
  "admissionregistration.k8s.io":
    "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration",
  "apiextensions.k8s.io": "CustomResourceDefinition",
  "apiregistration.k8s.io": "APIService",
  "certificates.k8s.io": "CertificateSigningRequest ClusterTrustBundle",
  "flowcontrol.apiserver.k8s.io": "FlowSchema PriorityLevelConfiguration",
  "networking.k8s.io": "IPAddress IngressClass ServiceCIDR",
  "node.k8s.io": "RuntimeClass",
  "rbac.authorization.k8s.io": "ClusterRole ClusterRoleBinding",
  "resource.k8s.io": "DeviceClass DeviceTaintRule ResourceSlice",
  "scheduling.k8s.io": "PriorityClass",
  "storage.k8s.io": "CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass",
};

const SCOPES: ReadonlyMap<string, Scope> = new Map([
  ...scopesIn(NAMESPACED, "namespaced"),
  ...scopesIn(CLUSTER, "cluster"),
]);

/** Groups whose kinds have not changed for years, and are all in v1: an unlisted kind is misspelt. */
const CLOSED_GROUPS = ["", "apps", "batch", "rbac.authorization.k8s.io", "apiextensions.k8s.io"];

function scopesIn(kinds: Readonly<Record<string, string>>, scope: Scope): readonly [string, Scope][] {
  return Object.entries(kinds).flatMap(([group, names]) =>
    names.split(" ").map((kind): [string, Scope] => [`${group}/${kind}`, scope]),
  );
}

/** The scope of a kind; `undefined` for kinds that are not Kubernetes' own. */
export function scopeOfKind(apiVersion: string, kind: string): Scope | undefined {
  return SCOPES.get(`${apiGroup(apiVersion)}/${kind}`);
}

/** Whether the group is one of Kubernetes' own but does not have this kind. */
export function isUnknownKind(apiVersion: string, kind: string): boolean {
  return CLOSED_GROUPS.includes(apiGroup(apiVersion)) && scopeOfKind(apiVersion, kind) === undefined;
}

/** What to write in place of a version that a group of Kubernetes' own never had; `undefined` for any other version. */
export function insteadOfUnknownVersion(apiVersion: string, kind: string): string | undefined {
  const group = apiGroup(apiVersion);
  const current = group === "" ? "v1" : `${group}/v1`;
  const isUnknown = CLOSED_GROUPS.includes(group) && apiVersion !== current && !apiLifecycle(apiVersion, kind);
  return isUnknown ? current : undefined;
}

/** The scopes of the kinds that a manifest defines itself, by `group/kind`. */
export function definedScopes(objects: readonly ManifestObject[]): ReadonlyMap<string, Scope> {
  return new Map(
    objects
      .filter(({ kind }) => kind === "CustomResourceDefinition")
      .map(({ value }): [string, Scope] => [
        `${textAt(value, ["spec", "group"]) ?? ""}/${textAt(value, ["spec", "names", "kind"]) ?? ""}`,
        fieldAt(value, ["spec", "scope"]) === "Cluster" ? "cluster" : "namespaced",
      ]),
  );
}
