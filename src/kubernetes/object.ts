/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is a JSON object, neither a list nor null. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One entry of `metadata.managedFields`: a manager and its fields. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: JsonObject;
  readonly subresource?: string;
}

/** The metadata that this project reads. */
export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Any Kubernetes object. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [key: string]: unknown;
}

/** The address of a kind in the API. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** The name of the only object to list and watch; without it, all objects. A Role can grant access to one name. */
  readonly only?: string;
}

/** One object, by address. */
export interface ObjectRef {
  readonly resource: Resource;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** The state of an object on which a change was planned: absent, or exactly this revision. */
export type Expected = "absent" | { readonly uid: string; readonly resourceVersion: string };

const GROUP_VERSION = "operator.kyma-project.io/v1beta2";

/** The kinds of lifecycle-manager, and the few of Kubernetes that `sync` reads or writes. */
export const RESOURCES: Readonly<Record<ResourceName, Resource>> = {
  moduleTemplate: { apiVersion: GROUP_VERSION, kind: "ModuleTemplate", plural: "moduletemplates" },
  moduleReleaseMeta: { apiVersion: GROUP_VERSION, kind: "ModuleReleaseMeta", plural: "modulereleasemetas" },
  kyma: { apiVersion: GROUP_VERSION, kind: "Kyma", plural: "kymas" },
  manifest: { apiVersion: GROUP_VERSION, kind: "Manifest", plural: "manifests" },
  configMap: { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps" },
  deployment: { apiVersion: "apps/v1", kind: "Deployment", plural: "deployments" },
  event: { apiVersion: "v1", kind: "Event", plural: "events" },
  lease: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", plural: "leases" },
};

type ResourceName =
  "moduleTemplate" | "moduleReleaseMeta" | "kyma" | "manifest" | "configMap" | "deployment" | "event" | "lease";

/** The field manager of all our fields. Must not change: a new name would not remove the fields of the old one. */
export const FIELD_MANAGER = "kyma-modules";

/** The annotation with the hash of the desired object, without the annotation itself. */
export const DESIRED_ANNOTATION = "kyma-modules/desired";
