import { fieldText } from "../../kubernetes/compare.ts";
import type { EditReport } from "./result.ts";
import { OWN_PREFIX } from "../template.ts";
import { fieldAt, isRecord, textAt } from "../../document/fields.ts";
import type { FieldEdit } from "../../document/yaml/edit.ts";

/** `edit` for display; `before` is the object that it changes. */
export function reportEdit(before: unknown, { path, value, because }: FieldEdit): EditReport {
  const was = textAt(before, path);
  const kind = value === undefined ? "removed" : was === undefined ? "filled" : "changed";
  return { kind, field: fieldText(path), was, value, because };
}

const SERVER_FIELDS: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "selfLink",
  "finalizers",
  "ownerReferences",
]);
const APPLY_SET_PREFIX = "applyset.kubernetes.io/";
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The edits that remove the fields of a control plane and of the tools that write to it. */
export function removeServerFields(object: unknown): readonly FieldEdit[] {
  const annotations = Object.keys(mapAt(object, ["metadata", "annotations"]));
  const ours = annotations.filter((key) => key === LAST_APPLIED || key.startsWith(OWN_PREFIX));
  const all = fieldAt(object, ["metadata", "annotations"]) !== undefined && ours.length === annotations.length;
  return [
    ...removals(object, ["status"], []),
    ...removals(
      object,
      ownKeys(object, ["metadata"]).filter((key) => SERVER_FIELDS.has(key)),
      ["metadata"],
    ),
    ...removals(
      object,
      ownKeys(object, ["metadata", "labels"]).filter((key) => key.startsWith(APPLY_SET_PREFIX)),
      ["metadata", "labels"],
    ),
    ...(all ? removals(object, ["annotations"], ["metadata"]) : removals(object, ours, ["metadata", "annotations"])),
  ];
}

function removals(object: unknown, keys: readonly string[], parent: readonly string[]): readonly FieldEdit[] {
  return keys
    .map((key) => [...parent, key])
    .filter((path) => fieldAt(object, path) !== undefined)
    .map((path) => ({ path, value: undefined, because: "belongs to a control plane, not to a file" }));
}

function ownKeys(object: unknown, path: readonly string[]): readonly string[] {
  return Object.keys(mapAt(object, path));
}

function mapAt(object: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  const map = fieldAt(object, path);
  return isRecord(map) ? map : {};
}

/**
 * The time of the last write of an object of a control plane, in Unix milliseconds: its creation, or the last write of a
 * field that a manager owns. `undefined` for an object without times. `generation` cannot be compared between control
 * planes.
 */
export function writtenMs(object: unknown): number | undefined {
  const entries = fieldAt(object, ["metadata", "managedFields"]);
  const fields = Array.isArray(entries) ? entries.map((entry: unknown) => textAt(entry, ["time"])) : [];
  const times = [textAt(object, ["metadata", "creationTimestamp"]), ...fields].map((time = "") => Date.parse(time));
  const known = times.filter((time) => Number.isFinite(time));
  return known.length === 0 ? undefined : Math.max(...known);
}
