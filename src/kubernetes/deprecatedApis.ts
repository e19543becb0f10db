/** The deprecation and removal of an API version of some kinds, as minor versions of Kubernetes 1. */
export interface ApiLifecycle {
  readonly apiVersion: string;
  /** Empty: all kinds. */
  readonly kinds: readonly string[];
  readonly deprecated: number;
  /** The first version that does not serve it; `undefined` when unknown. */
  readonly removed: number | undefined;
  /** Empty: it has no replacement. */
  readonly replacement: string;
}

/** The newest minor version of Kubernetes 1 in the table. */
export const KNOWN_MINOR = 36;

/** The source of the table. */
export const LIFECYCLE_SOURCE =
  "https://kubernetes.io/docs/reference/using-api/deprecation-guide/ and the API lifecycle of k8s.io/api 0.36";

type ApiRow = readonly [apiVersion: string, kinds: string, deprecated: number, removed: number | undefined, to: string];

const WEBHOOKS = "MutatingWebhookConfiguration ValidatingWebhookConfiguration";
const ADMISSION_POLICIES = "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding";
const MUTATING_POLICIES = "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding";
const STORAGE = "CSIDriver CSINode StorageClass VolumeAttachment";
const DEVICES = "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice";

const ROWS: readonly ApiRow[] = [
  ["v1", "ComponentStatus", 19, undefined, ""],
  ["v1", "Endpoints", 33, undefined, "discovery.k8s.io/v1 EndpointSlice"],
  ["extensions/v1beta1", "Ingress", 14, 22, "networking.k8s.io/v1"],
  ["extensions/v1beta1", "NetworkPolicy", 9, 16, "networking.k8s.io/v1"],
  ["extensions/v1beta1", "PodSecurityPolicy", 11, 16, ""],
  ["extensions/v1beta1", "", 8, 16, "apps/v1"],
  ["apps/v1beta1", "", 8, 16, "apps/v1"],
  ["apps/v1beta2", "", 9, 16, "apps/v1"],
  ["admissionregistration.k8s.io/v1beta1", WEBHOOKS, 16, 22, "admissionregistration.k8s.io/v1"],
  ["admissionregistration.k8s.io/v1beta1", ADMISSION_POLICIES, 31, 34, "admissionregistration.k8s.io/v1"],
  ["admissionregistration.k8s.io/v1beta1", MUTATING_POLICIES, 37, 40, "admissionregistration.k8s.io/v1"],
  ["apiextensions.k8s.io/v1beta1", "", 16, 22, "apiextensions.k8s.io/v1"],
  ["apiregistration.k8s.io/v1beta1", "", 19, 22, "apiregistration.k8s.io/v1"],
  ["authentication.k8s.io/v1beta1", "TokenReview", 19, 22, "authentication.k8s.io/v1"],
  ["authentication.k8s.io/v1beta1", "SelfSubjectReview", 30, 33, "authentication.k8s.io/v1"],
  ["authorization.k8s.io/v1beta1", "", 19, 22, "authorization.k8s.io/v1"],
  ["autoscaling/v2beta1", "", 22, 25, "autoscaling/v2"],
  ["autoscaling/v2beta2", "", 23, 26, "autoscaling/v2"],
  ["batch/v1beta1", "", 21, 25, "batch/v1"],
  ["certificates.k8s.io/v1beta1", "CertificateSigningRequest", 19, 22, "certificates.k8s.io/v1"],
  ["certificates.k8s.io/v1beta1", "ClusterTrustBundle", 37, 40, ""],
  ["certificates.k8s.io/v1beta1", "PodCertificateRequest", 38, 41, ""],
  ["coordination.k8s.io/v1beta1", "Lease", 19, 22, "coordination.k8s.io/v1"],
  ["coordination.k8s.io/v1beta1", "LeaseCandidate", 36, 39, ""],
  ["discovery.k8s.io/v1beta1", "", 21, 25, "discovery.k8s.io/v1"],
  ["events.k8s.io/v1beta1", "", 22, 25, "events.k8s.io/v1"],
  ["flowcontrol.apiserver.k8s.io/v1beta1", "", 23, 26, "flowcontrol.apiserver.k8s.io/v1"],
  ["flowcontrol.apiserver.k8s.io/v1beta2", "", 26, 29, "flowcontrol.apiserver.k8s.io/v1"],
  ["flowcontrol.apiserver.k8s.io/v1beta3", "", 29, 32, "flowcontrol.apiserver.k8s.io/v1"],
  ["networking.k8s.io/v1beta1", "Ingress IngressClass", 19, 22, "networking.k8s.io/v1"],
  ["networking.k8s.io/v1beta1", "IPAddress ServiceCIDR", 34, 37, "networking.k8s.io/v1"],
  ["node.k8s.io/v1beta1", "", 22, 25, "node.k8s.io/v1"],
  ["policy/v1beta1", "PodSecurityPolicy", 21, 25, ""],
  ["policy/v1beta1", "", 21, 25, "policy/v1"],
  ["rbac.authorization.k8s.io/v1beta1", "", 17, 22, "rbac.authorization.k8s.io/v1"],
  ["resource.k8s.io/v1beta1", DEVICES, 35, 38, "resource.k8s.io/v1"],
  ["resource.k8s.io/v1beta2", DEVICES, 36, 39, "resource.k8s.io/v1"],
  ["scheduling.k8s.io/v1beta1", "PriorityClass", 14, 22, "scheduling.k8s.io/v1"],
  ["storage.k8s.io/v1beta1", STORAGE, 19, 22, "storage.k8s.io/v1"],
  ["storage.k8s.io/v1beta1", "CSIStorageCapacity", 24, 27, "storage.k8s.io/v1"],
  ["storage.k8s.io/v1beta1", "VolumeAttributesClass", 34, 37, "storage.k8s.io/v1"],
  ["storagemigration.k8s.io/v1beta1", "StorageVersionMigration", 38, 41, ""],
];

/** Every deprecated API version of Kubernetes. The first matching row counts. */
export const API_LIFECYCLES: readonly ApiLifecycle[] = ROWS.map(
  ([apiVersion, kinds, deprecated, removed, replacement]) => {
    return { apiVersion, kinds: kinds === "" ? [] : kinds.split(" "), deprecated, removed, replacement };
  },
);

/** The lifecycle of the API version of a kind; `undefined` when it is not deprecated, or not of Kubernetes. */
export function apiLifecycle(apiVersion: string, kind: string): ApiLifecycle | undefined {
  return API_LIFECYCLES.find(
    (row) => row.apiVersion === apiVersion && (row.kinds.length === 0 || row.kinds.includes(kind)),
  );
}

/** The minor version of a version such as `1.34`. */
export function kubernetesMinor(version: string): number {
  return Number(version.split(".")[1]);
}
