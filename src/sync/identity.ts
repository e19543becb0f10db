import {
  RESOURCES,
  type Expected,
  type KubernetesObject,
  type ObjectRef,
  type Resource,
} from "../kubernetes/object.ts";

/** The precondition for a write: the object is still as it was read, or still absent. */
export function expectedObject(live: KubernetesObject | undefined): Expected {
  if (live === undefined) return "absent";
  const { uid = "", resourceVersion = "" } = live.metadata;
  return { uid, resourceVersion };
}

/** The reference to an object of one of `RESOURCES`. */
export function referenceTo({ kind, metadata: { name, namespace = "" } }: KubernetesObject): ObjectRef {
  return { resource: namedResource(kind), namespace, name };
}

/** The resource in `RESOURCES` with a kind. */
export function namedResource(wanted: string): Resource {
  return Object.values(RESOURCES).find(({ kind }) => kind === wanted) ?? RESOURCES.moduleTemplate;
}
