import { STEERING_PREFIX, type Extent, type FieldPath } from "./compare.ts";
import {
  isJsonObject,
  FIELD_MANAGER,
  type Json,
  type JsonObject,
  type KubernetesObject,
  type ManagedFieldsEntry,
} from "./object.ts";

const OUR_OPERATION = "Apply";

/** Whether an entry of `managedFields` is the one that our server-side apply writes. */
function isOurs({ manager, operation, subresource }: ManagedFieldsEntry): boolean {
  return manager === FIELD_MANAGER && operation === OUR_OPERATION && subresource === undefined;
}

/** The foreign managers that own the field at `path` or something below it, by name, without duplicates. */
export function ownersOf(object: KubernetesObject, path: FieldPath): readonly string[] {
  const owners = foreignEntries(object).filter(({ fieldsV1 }) => owns(fieldsV1, path));
  return [...new Set(owners.map(({ manager }) => manager ?? "unknown"))];
}

/**
 * Who probably removed or overwrote a field that nobody owns any more: the foreign manager that wrote last. Times may
 * be absent, and the names of a tool that wrote twice are folded into one entry, so it is a hint. Never ours.
 */
export function lastForeignManager(object: KubernetesObject): string | undefined {
  const entries = foreignEntries(object).flatMap(({ manager, time }) => (time === undefined ? [] : { manager, time }));
  return entries.toSorted((a, b) => b.time.localeCompare(a.time))[0]?.manager;
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
    // An atomic field is owned as a whole: nothing stands below it.
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
 * `metadata.managedFields` after the fields that others set have become ours, so that the next apply removes what is
 * not wanted. Without this step, apply with force takes values over but leaves foreign fields and labels in place, and
 * refuses to turn `channels` into `mandatory`. client-go's `csaupgrade` does the same for kubectl's own entries.
 *
 * `judged` takes `spec` and the labels that steer lifecycle-manager; `everything` takes all labels and annotations as
 * well. Finalizers, owner references and status stay whose they are. `extra` is what shall go: fields there become ours
 * even when nobody owns them, since whoever set them may have cleared `managedFields`.
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

/** The field at `path`, as `managedFields` writes it. An element of a list goes with its last field, and so is owned, too. */
function fieldsAt(path: FieldPath): JsonObject {
  return path.reduceRight<JsonObject>(
    (below, step) => ({ [fieldKey(step)]: typeof step === "string" ? below : { ...ITSELF, ...below } }),
    {},
  );
}

/** How `managedFields` says that a map or an element of a list is owned itself, and not only what it holds. */
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

/** Labels or annotations: all of them are taken, or those below `prefix`. */
function split(fields: Json | undefined, extent: Extent, prefix?: string): OwnedParts {
  const { ".": itself, ...entries } = members(fields);
  const isTaken = (key: string): boolean =>
    extent === "everything" || (prefix !== undefined && key.startsWith(`f:${prefix}`));
  const part = (wanted: boolean): JsonObject => {
    const chosen = Object.fromEntries(Object.entries(entries).filter(([key]) => isTaken(key) === wanted));
    return itself === undefined || Object.keys(chosen).length === 0 ? chosen : { ".": itself, ...chosen };
  };
  return { taken: part(true), left: part(false) };
}

function members(fields: Json | undefined): JsonObject {
  return isJsonObject(fields) ? fields : {};
}

/** Without members that are absent or empty objects. */
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
