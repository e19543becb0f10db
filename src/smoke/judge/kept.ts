import { canonicalJson } from "../../document/canonical.ts";
import { isRecord } from "../../document/fields.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { ApplyRefusal } from "../../ports.ts";

/** An object that a user wrote. */
export interface UsedObject {
  /** As the user wrote it, with later changes. */
  readonly wrote: KubernetesObject;
  /** The object as it was stored then. */
  readonly stored: KubernetesObject;
  /** Why the schema refused a second object with this content, such as a rule for the name; `undefined` if it did not. */
  readonly copyRefusal?: ApplyRefusal | undefined;
}

/** A field that is not what the user wrote. */
interface LostField {
  /** `spec.size`. */
  readonly field: string;
  readonly was: unknown;
  /** `undefined` where the field is gone. */
  readonly is: unknown;
}

/** Every field that the user wrote, and that reads otherwise now; labels and annotations included. */
export function lostFields({ wrote, stored }: UsedObject, now: KubernetesObject): readonly LostField[] {
  return writtenLeaves(wrote).flatMap((path): readonly LostField[] => {
    const [was, is] = [valueAt(stored, path), valueAt(now, path)];
    // A field that was never stored as it was written was already changed by the old version.
    if (was === undefined || canonicalJson(was) === canonicalJson(is)) return [];
    return [{ field: fieldText(path), was, is }];
  });
}

type Path = readonly (string | number)[];

function writtenLeaves({
  apiVersion: _a,
  kind: _k,
  metadata,
  status: _s,
  ...content
}: KubernetesObject): readonly Path[] {
  const { labels = {}, annotations = {} } = metadata;
  return pathLeaves({ metadata: { labels, annotations }, ...content }, []);
}

function pathLeaves(value: unknown, path: Path): readonly Path[] {
  const members = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : [];
  if (members.length === 0) {
    // In Kubernetes, null means absent; an empty map or list contains nothing.
    const isEmpty = value === null || value === undefined || typeof value === "object";
    return path.length === 0 || isEmpty ? [] : [path];
  }
  return members.flatMap(([key, member]: [string | number, unknown]) => pathLeaves(member, [...path, key]));
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((at, key) => (isRecord(at) || Array.isArray(at) ? (at as JsonMembers)[key] : undefined), value);
}

type JsonMembers = Readonly<Record<string | number, unknown>>;

function fieldText(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : /^[\w-]+$/.test(step) ? `.${step}` : `["${step}"]`))
    .join("")
    .replace(/^\./, "");
}

/** `spec.size was 3, and is gone`. */
export function lostText({ field, was, is }: LostField): string {
  return `${field} was ${JSON.stringify(was)}, and ${is === undefined ? "is gone" : `is ${JSON.stringify(is)}`}`;
}
