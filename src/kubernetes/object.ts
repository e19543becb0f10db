/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is a JSON object, and neither a list nor null. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One entry of `metadata.managedFields`: who set which fields. */
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

/** How the API server addresses a kind. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** The name of the one object that lists and watches are about; without it, all. A Role may allow that for one name. */
  readonly only?: string;
}

/** One object, by address. */
export interface ObjectRef {
  readonly resource: Resource;
  /** Empty for an object that stands in no namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** The state of an object that a change was planned on: nothing there, or exactly this one. */
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

/** The name under which every field is owned. Never changes: another name would leave the old fields behind. */
export const FIELD_MANAGER = "kyma-modules";

/** The annotation that holds the hash of what was wanted of an object, without the annotation itself. */
export const DESIRED_ANNOTATION = "kyma-modules/desired";
