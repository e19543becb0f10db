import { FIELD_MANAGER, type KubernetesObject, type Resource } from "../../kubernetes/object.ts";
import { Fault } from "../../ports.ts";
import type { Access } from "./access.ts";
import { rootOf } from "./request.ts";

/** The path of the objects of a kind, or of one of them; `namespace` is empty for those of all namespaces. */
export function pathOf({ apiVersion, plural }: Resource, namespace: string, name?: string): string {
  const scope = namespace === "" ? "" : `/namespaces/${namespace}`;
  return `${rootOf(apiVersion)}${scope}/${plural}${name === undefined ? "" : `/${name}`}`;
}

/** The query of a list or a watch of one object. */
export function selecting({ only }: Resource): Readonly<Record<string, string>> {
  return only === undefined ? {} : { fieldSelector: `metadata.name=${only}` };
}

/** The object in a body. Those of a list carry neither `apiVersion` nor `kind`. */
export function asObject(body: unknown, { apiVersion, kind }: Resource): KubernetesObject {
  return { ...(body as KubernetesObject), apiVersion, kind };
}

/**
 * An object of a list or of a watch, or the result of an apply: one that stays in memory. Without `managedFields` where
 * they name only us: they are a third of an object, and only show which other clients wrote. Empty `managedFields` are
 * kept: then the unwanted fields have no owner, and an apply would not remove them.
 */
export function asListed(body: unknown, resource: Resource): KubernetesObject {
  const object = asObject(body, resource);
  const { managedFields = [], ...metadata } = object.metadata;
  if (managedFields.length === 0) return { ...object, metadata: { ...metadata, managedFields } };
  const isOurs = managedFields.every(({ manager, operation }) => manager === FIELD_MANAGER && operation === "Apply");
  return isOurs ? { ...object, metadata } : object;
}

/** What is thrown for a kind that the API server does not know. */
export function kindMissing({ server }: Access, { kind, plural, apiVersion }: Resource): Fault {
  const crd = `${plural}.${apiVersion.split("/")[0] ?? ""}`;
  return new Fault(
    "CLUSTER_KIND_MISSING",
    `${server} does not know the kind ${kind} (${apiVersion}): install the CustomResourceDefinition ${crd} of lifecycle-manager first.`,
  );
}
