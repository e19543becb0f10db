import { fieldAt } from "../document/fields.ts";
import { isDefault, STEERING_PREFIX, type Extent, type FieldPath } from "./compare.ts";
import {
  isJsonObject,
  FIELD_MANAGER,
  type Json,
  type JsonObject,
  type KubernetesObject,
  type ManagedFieldsEntry,
} from "./object.ts";

const OUR_OPERATION = "Apply";

/** Whether an entry of `managedFields` is that of our server-side apply. */
function isOurs({ manager, operation, subresource }: ManagedFieldsEntry): boolean {
  return manager === FIELD_MANAGER && operation === OUR_OPERATION && subresource === undefined;
}

/** The names of the foreign managers that own the field at `path` or a field below it, without duplicates. */
export function fieldOwners(object: KubernetesObject, path: FieldPath): readonly string[] {
  return managerNames(foreignEntries(object).filter(({ fieldsV1 }) => owns(fieldsV1, path)));
}

function managerNames(entries: readonly ManagedFieldsEntry[]): readonly string[] {
  return [...new Set(entries.map(({ manager }) => manager ?? "unknown"))];
}

/**
 * The foreign manager that wrote last, which probably removed or overwrote a field that now has no owner. Only a hint,
 * since times may be absent, and all writes of a tool share one entry. Never our own manager.
 */
export function lastForeignManager(object: KubernetesObject): string | undefined {
  const entries = foreignEntries(object).flatMap(({ manager, time }) => (time === undefined ? [] : { manager, time }));
  return entries.toSorted((a, b) => b.time.localeCompare(a.time))[0]?.manager;
}

/**
 * The foreign managers that set a field of `spec` that we do not own, and that is no default: the content may not be what
 * we applied. A field that they only removed leaves no trace here.
 */
export function specAuthors(object: KubernetesObject): readonly string[] {
  const isChange = (path: readonly string[]): boolean => !isDefault(object.kind, path, fieldAt(object, path));
  const ours = object.metadata.managedFields?.find(isOurs)?.fieldsV1?.["f:spec"];
  return managerNames(foreignEntries(object).filter(({ fieldsV1 }) => exceeds(fieldsV1?.["f:spec"], ours, isChange)));
}

/**
 * Whether we are the only manager of an object's spec, or of a part of it; `undefined`: `managedFields` name no manager. An
 * object of a list has no `managedFields` if they name only us.
 */
export function managesSpec({ metadata: { managedFields } }: KubernetesObject): boolean | undefined {
  if (managedFields === undefined) return true;
  if (managedFields.length === 0) return undefined;
  const specOf = ({ fieldsV1 }: ManagedFieldsEntry): Json | undefined => fieldsV1?.["f:spec"];
  const theirs = managedFields.filter((entry) => !isOurs(entry)).map((entry) => members(specOf(entry)));
  return managedFields.filter(isOurs).some((entry) => exceeds(specOf(entry), theirs.reduce(merge, {})));
}

/** Whether a set of fields has a field that another set lacks, and that counts. */
function exceeds(
  fields: Json | undefined,
  others: Json | undefined,
  counts: (path: readonly string[]) => boolean = () => true,
  path: readonly string[] = ["spec"],
): boolean {
  if (fields === undefined) return false;
  if (others === undefined) return counts(path);
  return Object.entries(members(fields)).some(
    // Only an update also owns maps themselves.
    ([key, below]) => key !== "." && exceeds(below, members(others)[key], counts, [...path, key.slice(2)]),
  );
}

function foreignEntries(object: KubernetesObject): readonly ManagedFieldsEntry[] {
  return (object.metadata.managedFields ?? []).filter((entry) => !isOurs(entry) && entry.subresource === undefined);
}

function owns(fields: Json | undefined, path: FieldPath): boolean {
  let at = fields;
  for (const step of path) {
    if (!isJsonObject(at)) return false;
    const key = fieldKey(step);
    const next = at[key];
    // An atomic field is owned as a whole, without entries below it.
    if (next === undefined) return false;
    at = next;
    if (isJsonObject(at) && Object.keys(at).length === 0) return true;
  }
  return true;
}

function fieldKey(step: FieldPath[number]): string {
  return typeof step === "string" ? `f:${step}` : `k:${JSON.stringify({ [step.key]: step.value })}`;
}

/**
 * `metadata.managedFields` with the fields of other managers moved to our entry, so that the next apply removes unwanted
 * fields. Without this step, a forced apply takes over values, but leaves foreign fields and labels in place, and fails
 * to change `channels` to `mandatory`. client-go's `csaupgrade` does the same for kubectl's own entries.
 *
 * `judged` takes `spec` and the labels that control lifecycle-manager; `everything` takes all labels and annotations as
 * well. Finalizers, owner references and status keep their owners. `extra` are the fields to remove: they become ours
 * even without an owner, since the manager that set them may have cleared `managedFields`.
 */
export function takeOwnership(
  object: KubernetesObject,
  extent: Extent,
  extra: readonly FieldPath[],
): readonly ManagedFieldsEntry[] {
  const entries = object.metadata.managedFields ?? [];
  const taken = foreignEntries(object).map(({ fieldsV1 = {} }) => partition(fieldsV1, extent).taken);
  const ours = entries.find(isOurs);
  const fieldsV1 = [ours?.fieldsV1 ?? {}, ...taken, ...extra.map(fieldsAt)].reduce(merge, {});
  const rest = entries
    .filter((entry) => !isOurs(entry))
    .map((entry) =>
      entry.subresource === undefined ? { ...entry, fieldsV1: partition(entry.fieldsV1 ?? {}, extent).left } : entry,
    )
    .filter(({ fieldsV1: fields = {} }) => Object.keys(fields).length > 0);
  return [
    ...rest,
    {
      manager: FIELD_MANAGER,
      operation: OUR_OPERATION,
      apiVersion: object.apiVersion,
      ...ours,
      fieldsType: "FieldsV1",
      fieldsV1,
    },
  ];
}

/** The field at `path` in the notation of `managedFields`. Includes list items, which go with their last field. */
function fieldsAt(path: FieldPath): JsonObject {
  return path.reduceRight<JsonObject>(
    (below, step) => ({ [fieldKey(step)]: typeof step === "string" ? below : { ...ITSELF, ...below } }),
    {},
  );
}

/** The notation of `managedFields` for the ownership of a map or a list item itself, not only of its content. */
const ITSELF = { ".": {} };

interface OwnedParts {
  readonly taken: JsonObject;
  readonly left: JsonObject;
}

function partition(fields: JsonObject, extent: Extent): OwnedParts {
  const { "f:metadata": metadata, "f:spec": spec, ...others } = fields;
  const { "f:labels": labels, "f:annotations": annotations, ...metadataRest } = members(metadata);
  const [ofLabels, ofAnnotations] = [split(labels, extent, STEERING_PREFIX), split(annotations, extent)];
  const all = extent === "everything";
  return {
    taken: prune({
      "f:metadata": prune({ "f:labels": ofLabels.taken, "f:annotations": ofAnnotations.taken }),
      "f:spec": spec,
      ...(all && others),
    }),
    left: prune({
      "f:metadata": prune({ "f:labels": ofLabels.left, "f:annotations": ofAnnotations.left, ...metadataRest }),
      ...(!all && others),
    }),
  };
}

/** Splits labels or annotations: takes all of them, or those with `prefix`. */
function split(fields: Json | undefined, extent: Extent, prefix?: string): OwnedParts {
  const { ".": itself, ...entries } = members(fields);
  const part = (wanted: boolean): JsonObject => {
    const chosen = Object.fromEntries(
      Object.entries(entries).filter(([key]) => {
        const isTaken = extent === "everything" || (prefix !== undefined && key.startsWith(`f:${prefix}`));
        return isTaken === wanted;
      }),
    );
    return itself === undefined || Object.keys(chosen).length === 0 ? chosen : { ".": itself, ...chosen };
  };
  return { taken: part(true), left: part(false) };
}

function members(fields: Json | undefined): JsonObject {
  return isJsonObject(fields) ? fields : {};
}

/** Removes members that are absent or empty objects. */
function prune(fields: JsonObject): JsonObject {
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== undefined && !(isJsonObject(value) && Object.keys(value).length === 0),
  );
  return Object.fromEntries(kept);
}

function merge(a: JsonObject, b: JsonObject): JsonObject {
  const merged = Object.entries(b).map(([key, value]): [string, Json | undefined] => {
    const mine = a[key];
    return [key, isJsonObject(mine) && isJsonObject(value) ? merge(mine, value) : value];
  });
  return { ...a, ...Object.fromEntries(merged) };
}
