import { isRecord } from "../document/fields.ts";
import type { KubernetesObject } from "./object.ts";

/** One step of a path into an object: a field, or the item of a list-map with this key. */
type FieldStep = string | { readonly key: string; readonly value: string };
/** A path into an object. */
export type FieldPath = readonly FieldStep[];

/** One field in which a live object differs from the desired one. */
export interface Difference {
  readonly path: FieldPath;
  /** `missing`: wanted, not live. `changed`: both, not equal. `extra`: live, not wanted, and with an effect. */
  readonly kind: "missing" | "changed" | "extra";
  readonly wanted?: unknown;
  readonly found?: unknown;
}

/** The compared part of an object: what affects lifecycle-manager, or all metadata as well. */
export type Extent = "judged" | "everything";

/** Labels with this prefix control lifecycle-manager: a foreign `beta` uninstalls a module. */
export const STEERING_PREFIX = "operator.kyma-project.io/";

/** The lists that the API server merges by key, by kind and path. All other lists are compared as a whole. */
const LIST_MAPS: ReadonlyMap<string, string> = new Map([
  ["ModuleTemplate spec.resources", "name"],
  ["ModuleTemplate spec.info.icons", "name"],
  ["ModuleReleaseMeta spec.channels", "channel"],
]);

/** The metadata of the object in a template, of which the API server drops empty fields and rewrites times (1.36). */
const EMBEDDED_METADATA = "ModuleTemplate spec.data.metadata";

/** Values that the API server sets by default, by kind and path. Source: the CRDs of lifecycle-manager. */
const DEFAULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["ModuleReleaseMeta spec.beta", false],
  ["ModuleReleaseMeta spec.internal", false],
  // lifecycle-manager 1.7 sets it together with the finalizer of mandatory templates.
  ["ModuleTemplate spec.requiresDowntime", false],
  [EMBEDDED_METADATA, {}],
]);

/** Whether the API server, or lifecycle-manager, sets this value by default. */
export function isDefault(kind: string, path: FieldPath, found: unknown): boolean {
  const key = `${kind} ${fieldText(path)}`;
  return DEFAULTS.has(key) && isEqual(found, DEFAULTS.get(key));
}

/** The last comparison of each desired object: a controller plans the same objects again and again. */
const COMPARED = new WeakMap<
  KubernetesObject,
  { readonly live: KubernetesObject; readonly differences: readonly Difference[] }
>();

/** Like `compare`, but cached for the same two objects. */
export function compareOnce(desired: KubernetesObject, live: KubernetesObject): readonly Difference[] {
  const known = COMPARED.get(desired);
  if (known?.live === live) return known.differences;
  const differences = compare(desired, live);
  COMPARED.set(desired, { live, differences });
  return differences;
}

/**
 * Every field in which `live` differs from `desired`. An empty list means "unchanged".
 *
 * Desired fields must be live and equal (list-maps by key, other lists as a whole, null = absent). In `spec`, and among
 * the labels that control lifecycle-manager, only schema defaults may be live in addition. Foreign annotations, other
 * labels, finalizers and status are ignored.
 */
export function compare(
  desired: KubernetesObject,
  live: KubernetesObject,
  extent: Extent = "judged",
): readonly Difference[] {
  const { apiVersion: _a, kind, metadata, ...rest } = desired;
  const { labels, annotations } = metadata;
  const wanted = { metadata: { labels, annotations }, ...rest };
  const foreignLabels = Object.entries(live.metadata.labels ?? {}).filter(
    ([key]) => extent === "everything" || key.startsWith(STEERING_PREFIX),
  );
  const foreignAnnotations = extent === "everything" ? (live.metadata.annotations ?? {}) : {};
  return [
    ...lacking(kind, [], wanted, live),
    ...surplus(kind, ["metadata", "labels"], labels ?? {}, Object.fromEntries(foreignLabels)),
    ...surplus(kind, ["metadata", "annotations"], annotations ?? {}, foreignAnnotations),
    ...surplus(kind, ["spec"], desired["spec"], live["spec"]),
  ];
}

/** The parts of `wanted` that are not live. */
function lacking(kind: string, path: FieldPath, wanted: unknown, found: unknown): readonly Difference[] {
  // Nearly everything is equal: one comparison without paths is enough then.
  if (isAbsent(wanted) || isEqual(wanted, found)) return [];
  if (isAbsent(found)) return isDropped(kind, path, wanted) ? [] : [{ path, kind: "missing", wanted }];
  const pairs = pairUp(kind, path, wanted, found);
  if (pairs === undefined) return isSame(kind, path, wanted, found) ? [] : [{ path, kind: "changed", wanted, found }];
  return pairs.flatMap((pair) => lacking(kind, [...path, pair.step], pair.left, pair.right));
}

/** The live fields that are not in `wanted`. `lacking` reports fields with different values. */
function surplus(kind: string, path: FieldPath, wanted: unknown, found: unknown): readonly Difference[] {
  if (isAbsent(found) || isEqual(found, wanted) || isDefault(kind, path, found)) return [];
  const empty = Array.isArray(found) ? [] : {};
  const pairs = pairUp(kind, path, found, isAbsent(wanted) ? empty : wanted);
  const below = pairs?.flatMap((pair) => surplus(kind, [...path, pair.step], pair.right, pair.left)) ?? [];
  return isAbsent(wanted) && below.length === 0 ? [{ path, kind: "extra", found }] : below;
}

interface LeafPair {
  readonly step: FieldStep;
  readonly left: unknown;
  readonly right: unknown;
}

/** The members of `left` with those of `right`; `undefined` when the API server treats each side as one value. */
function pairUp(kind: string, path: FieldPath, left: unknown, right: unknown): readonly LeafPair[] | undefined {
  if (isRecord(left) && isRecord(right)) {
    return Object.entries(left).map(([step, value]) => ({ step, left: value, right: right[step] }));
  }
  const key = LIST_MAPS.get(`${kind} ${fieldText(path)}`);
  if (key === undefined || !Array.isArray(left) || !Array.isArray(right)) return undefined;
  const elements = new Map(right.filter(isRecord).map((element) => [element[key], element]));
  return left.filter(isRecord).map((element) => {
    const value = element[key];
    return { step: { key, value: String(value) }, left: element, right: elements.get(value) };
  });
}

/** Whether the API server would store both as the same value: it rewrites times to whole seconds in UTC. */
function isSame(kind: string, path: FieldPath, wanted: unknown, found: unknown): boolean {
  const isTime = `${kind} ${fieldText(path)}` === `${EMBEDDED_METADATA}.creationTimestamp`;
  return isTime ? wholeSeconds(wanted) === wholeSeconds(found) : isEqual(wanted, found);
}

function wholeSeconds(time: unknown): number {
  return Math.floor(Date.parse(String(time)) / 1000);
}

/** Whether the API server drops `value` at `path`: an empty text, list or object. */
function isDropped(kind: string, path: FieldPath, value: unknown): boolean {
  const isEmpty = value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  return isEmpty && `${kind} ${fieldText(path.slice(0, -1))}` === EMBEDDED_METADATA;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Deep equality of JSON values; null and absent members of objects are equal. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, index) => isEqual(element, b[index]));
  }
  if (isRecord(a) && isRecord(b)) {
    const isCovered = Object.keys(b).every((key) => Object.hasOwn(a, key) || isAbsent(b[key]));
    return isCovered && Object.keys(a).every((key) => isEqual(a[key], b[key]));
  }
  return a === b || (isAbsent(a) && isAbsent(b));
}

/** A path for display: `spec.channels[channel=fast].version`. */
export function fieldText(path: FieldPath): string {
  return path
    .map((step) => {
      if (typeof step !== "string") return `[${step.key}=${step.value}]`;
      return /^[\w-]+$/.test(step) ? `.${step}` : `["${step}"]`;
    })
    .join("")
    .slice(1);
}
