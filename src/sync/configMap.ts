import { RESOURCES, type KubernetesObject, type ObjectRef } from "../kubernetes/object.ts";

/** A ConfigMap with `data`, in the namespace of a landscape. */
export function configMap(name: string, namespace: string, data: Readonly<Record<string, string>>): KubernetesObject {
  const { apiVersion, kind } = RESOURCES.configMap;
  return { apiVersion, kind, metadata: { name, namespace }, data };
}

/** The reference to a ConfigMap. */
export function configMapRef(name: string, namespace: string): ObjectRef {
  return { resource: RESOURCES.configMap, namespace, name };
}

/** The data of a ConfigMap; empty for one that does not exist. */
export function configMapData(live: KubernetesObject | undefined): Readonly<Record<string, string>> {
  return (live?.["data"] ?? {}) as Readonly<Record<string, string>>;
}
