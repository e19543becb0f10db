import { fieldAt, isRecord } from "../document/fields.ts";
import type { ManifestObject } from "./manifest.ts";
import type { YamlPath } from "../document/yaml/tree.ts";

/** Any map of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The pod template of a workload, or the pod itself. */
export interface PodTemplate {
  /** The path of its `metadata` and `spec` in the object. */
  readonly path: readonly string[];
  readonly spec: Fields;
  readonly annotations: Fields;
}

/** One container of a pod. */
export interface Container {
  /** Its path in the object. */
  readonly path: YamlPath;
  readonly list: "containers" | "initContainers" | "ephemeralContainers";
  readonly name: string;
  readonly value: Fields;
}

const TEMPLATE_PATHS: ReadonlyMap<string, readonly string[]> = new Map([
  ["/Pod", []],
  ["/PodTemplate", ["template"]],
  ["/ReplicationController", ["spec", "template"]],
  ["apps/Deployment", ["spec", "template"]],
  ["apps/StatefulSet", ["spec", "template"]],
  ["apps/DaemonSet", ["spec", "template"]],
  ["apps/ReplicaSet", ["spec", "template"]],
  ["batch/Job", ["spec", "template"]],
  ["batch/CronJob", ["spec", "jobTemplate", "spec", "template"]],
]);

const CONTAINER_LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;

/** The API group in `apiVersion`; empty for the core group. */
export function apiGroup(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(apiVersion.indexOf("/"), 0));
}

/** The identity of an object: group, kind, namespace and name, independent of its API version. */
export function objectIdentity({ apiVersion, kind, namespace, name }: ManifestObject): string {
  return `${apiGroup(apiVersion)}/${kind} ${namespace}/${name}`;
}

/** Whether an object is the namespace of all modules, which lifecycle-manager never deletes. */
export function isModulesNamespace({ kind, name }: Pick<ManifestObject, "kind" | "name">): boolean {
  return kind === "Namespace" && name === "kyma-system";
}

/** An object for display: `Deployment kyma-system/sample-manager`. */
export function namedObject({ kind, namespace, name }: Pick<ManifestObject, "kind" | "namespace" | "name">): string {
  return `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}

/** The pods that `object` creates; `undefined` for a kind without pods, and for an object without their spec. */
export function workloadPodTemplate(object: ManifestObject): PodTemplate | undefined {
  const path = TEMPLATE_PATHS.get(`${apiGroup(object.apiVersion)}/${object.kind}`);
  if (path === undefined) return undefined;
  const spec = fieldAt(object.value, [...path, "spec"]);
  const annotations = fieldAt(object.value, [...path, "metadata", "annotations"]);
  return isRecord(spec) ? { path, spec, annotations: isRecord(annotations) ? annotations : {} } : undefined;
}

/** All containers of a pod, in the order in which they start. */
export function podContainers({ path, spec }: PodTemplate): readonly Container[] {
  return CONTAINER_LISTS.flatMap((list) =>
    mapsAt(spec, list).map(({ index, value }) => {
      return { path: [...path, "spec", list, index], list, name: String(value["name"]), value };
    }),
  );
}

/** The maps in the list under `key`, with their indexes; empty when there is no list. */
export function mapsAt(value: Fields, key: string): readonly { readonly index: number; readonly value: Fields }[] {
  const list = value[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index) => (isRecord(item) ? [{ index, value: item }] : []));
}

/** The texts in the list at `path`; empty when there is no list. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  const list = fieldAt(value, path);
  return Array.isArray(list) ? list.filter((item: unknown) => typeof item === "string") : [];
}
