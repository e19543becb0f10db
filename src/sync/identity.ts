import {
  RESOURCES,
  type Expected,
  type KubernetesObject,
  type ObjectRef,
  type Resource,
} from "../kubernetes/object.ts";

/** The very object, as it was read; or that there was none. */
export function identityOf(live: KubernetesObject | undefined): Expected {
  if (live === undefined) return "absent";
  const { uid = "", resourceVersion = "" } = live.metadata;
  return { uid, resourceVersion };
}

/** The address of an object of one of `RESOURCES`. */
export function referenceTo({ kind, metadata: { name, namespace = "" } }: KubernetesObject): ObjectRef {
  return { resource: resourceOf(kind), namespace, name };
}

/** The resource of a kind of `RESOURCES`. */
export function resourceOf(wanted: string): Resource {
  return Object.values(RESOURCES).find(({ kind }) => kind === wanted) ?? RESOURCES.moduleTemplate;
}
