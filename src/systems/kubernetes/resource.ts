import { isRecord, isTexts, textAt } from "../../document/fields.ts";
import {
  FIELD_MANAGER,
  type KubernetesObject,
  type Metadata,
  type ObjectRef,
  type Resource,
} from "../../kubernetes/object.ts";
import { Fault } from "../../ports.ts";
import type { Access } from "./access.ts";
import { apiRoot } from "./request.ts";

/** The path of the objects of a kind, or of one of them; `namespace` is empty for those of all namespaces. */
export function resourcePath({ apiVersion, plural }: Resource, namespace: string, name?: string): string {
  const scope = namespace === "" ? "" : `/namespaces/${namespace}`;
  return `${apiRoot(apiVersion)}${scope}/${plural}${name === undefined ? "" : `/${name}`}`;
}

/** The query of a list or a watch of one object. */
export function selecting({ only }: Resource): Readonly<Record<string, string>> {
  return only === undefined ? {} : { fieldSelector: `metadata.name=${only}` };
}

/**
 * Parses one object; `undefined`: the body is something else. `isTrial`: an object that was only created for trial has no
 * `resourceVersion`.
 */
export function parseObject(
  body: unknown,
  { resource, namespace, name }: ObjectRef,
  isTrial = false,
): KubernetesObject | undefined {
  const { apiVersion, kind } = resource;
  if (!isRecord(body) || body["apiVersion"] !== apiVersion || body["kind"] !== kind) return undefined;
  const { metadata } = body;
  if (!isMetadata(metadata, isTrial) || metadata.name !== name) return undefined;
  return namespace === "" || metadata.namespace === namespace ? { ...body, apiVersion, kind, metadata } : undefined;
}

/**
 * Parses an object of a list or of a watch, or the result of an apply: one that stays in memory. An empty `namespace`
 * stands for any. Lists of built-in kinds leave out `apiVersion` and `kind` of their objects.
 *
 * Leaves `managedFields` out where they name only us: they are a third of an object, and only show which other clients
 * wrote. Empty `managedFields` are kept: then the unwanted fields have no owner, and an apply would not remove them.
 */
export function parseListed(body: unknown, resource: Resource, namespace: string): KubernetesObject | undefined {
  const { apiVersion, kind, only } = resource;
  const name = only ?? textAt(body, ["metadata", "name"]) ?? "";
  const typed = isRecord(body) ? { apiVersion, kind, ...body } : body;
  const object = parseObject(typed, { resource, namespace, name });
  if (object === undefined) return undefined;
  const { managedFields = [], ...metadata } = object.metadata;
  if (managedFields.length === 0) return { ...object, metadata: { ...metadata, managedFields } };
  const isOurs = managedFields.every(({ manager, operation }) => manager === FIELD_MANAGER && operation === "Apply");
  return isOurs ? { ...object, metadata } : object;
}

/** Whether a body is the answer to the deletion of an object: a Status, or the object while finalizers keep it. */
export function isDeletion(body: unknown, ref: ObjectRef): boolean {
  return textAt(body, ["kind"]) === "Status" || parseObject(body, ref) !== undefined;
}

/** The types of what is read of the metadata of any object. */
const METADATA: readonly (readonly [name: string, has: (value: unknown) => boolean])[] = [
  ["namespace", (value) => typeof value === "string"],
  ["labels", isTextMap],
  ["annotations", isTextMap],
  ["finalizers", isTexts],
  ["managedFields", (value) => Array.isArray(value) && value.every(isRecord)],
];

/** Whether a value is the metadata of an object. Without its version, an object would be written over unseen changes. */
function isMetadata(value: unknown, isTrial: boolean): value is Metadata {
  const needed = ["name", "uid", ...(isTrial ? [] : ["resourceVersion"])];
  if (!isRecord(value) || needed.some((name) => textAt(value, [name]) === undefined)) return false;
  return METADATA.every(([name, has]) => value[name] === undefined || has(value[name]));
}

function isTextMap(value: unknown): boolean {
  return isRecord(value) && isTexts(Object.values(value));
}

/** What is thrown for a kind that the API server does not know. */
export function kindMissing({ server }: Access, { kind, plural, apiVersion }: Resource): Fault {
  const crd = `${plural}.${apiVersion.split("/")[0] ?? ""}`;
  return new Fault(
    "CLUSTER_KIND_MISSING",
    `${server} does not know the kind ${kind} (${apiVersion}): install the CustomResourceDefinition ${crd} of lifecycle-manager first.`,
  );
}
