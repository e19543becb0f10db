import { fieldText } from "../../kubernetes/compare.ts";
import type { EditReport } from "./result.ts";
import { OWN_PREFIX } from "../template.ts";

/** One change of an object: a field that is set to a text, or removed. */
export interface Edit {
  /** Keys of maps. */
  readonly path: readonly string[];
  /** `undefined` removes the field. */
  readonly value: string | undefined;
  /** Where the value is from, or why it changes; for people. */
  readonly because: string;
}

/** Whether `value` is a map. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at `path`; `undefined` where there is none. */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, key) => (isRecord(at) ? at[key] : undefined), value);
}

/** The text at `path`; `undefined` for an empty one, for what is no text, and where there is nothing. */
export function textAt(value: unknown, path: readonly string[]): string | undefined {
  const text = fieldAt(value, path);
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** `value` after `edits`, one after the other. Maps that are missing on the way are made. */
export function applyEdits(value: unknown, edits: readonly Edit[]): unknown {
  return edits.reduce((edited, { path, value: wanted }) => withField(edited, path, wanted), value);
}

function withField(value: unknown, [key, ...rest]: readonly string[], wanted: string | undefined): unknown {
  if (key === undefined) return wanted;
  const map = isRecord(value) ? value : {};
  const child = withField(map[key], rest, wanted);
  if (child !== undefined) return { ...map, [key]: child };
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
}

/** `edit` for people; `before` is the object that it changes. */
export function reportEdit(before: unknown, { path, value, because }: Edit): EditReport {
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

/** The edits that take out what belongs to a control plane or to a tool that wrote there, and to no file. */
export function removeServerFields(object: unknown): readonly Edit[] {
  const annotations = Object.keys(mapAt(object, ["metadata", "annotations"]));
  const ours = annotations.filter((key) => key === LAST_APPLIED || key.startsWith(OWN_PREFIX));
  const all = fieldAt(object, ["metadata", "annotations"]) !== undefined && ours.length === annotations.length;
  return [
    ...removals(object, ["status"], []),
    ...removals(
      object,
      keysOf(object, ["metadata"]).filter((key) => SERVER_FIELDS.has(key)),
      ["metadata"],
    ),
    ...removals(
      object,
      keysOf(object, ["metadata", "labels"]).filter((key) => key.startsWith(APPLY_SET_PREFIX)),
      ["metadata", "labels"],
    ),
    ...(all ? removals(object, ["annotations"], ["metadata"]) : removals(object, ours, ["metadata", "annotations"])),
  ];
}

function removals(object: unknown, keys: readonly string[], parent: readonly string[]): readonly Edit[] {
  return keys
    .map((key) => [...parent, key])
    .filter((path) => fieldAt(object, path) !== undefined)
    .map((path) => ({ path, value: undefined, because: "it belongs to a control plane, not to a file" }));
}

function keysOf(object: unknown, path: readonly string[]): readonly string[] {
  return Object.keys(mapAt(object, path));
}

function mapAt(object: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  const map = fieldAt(object, path);
  return isRecord(map) ? map : {};
}

/**
 * When an object of a control plane was last written, Unix milliseconds: its creation, or the last write of a field
 * that somebody owns. `undefined` for an object that carries no time. `generation` is no time, and is not comparable
 * between control planes.
 */
export function writtenMs(object: unknown): number | undefined {
  const entries = fieldAt(object, ["metadata", "managedFields"]);
  const fields = Array.isArray(entries) ? entries.map((entry: unknown) => textAt(entry, ["time"])) : [];
  const times = [textAt(object, ["metadata", "creationTimestamp"]), ...fields].map((time = "") => Date.parse(time));
  const known = times.filter((time) => Number.isFinite(time));
  return known.length === 0 ? undefined : Math.max(...known);
}
