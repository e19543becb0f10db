import { canonicalJson } from "../../document/canonical.ts";
import { compareText } from "../../document/order.ts";
import { isJsonObject, type Json, type JsonObject } from "../object.ts";

/** One node of an OpenAPI v3 schema, as parsed; malformed parts count as absent. */
export type Schema = JsonObject;

/** The extension that keeps fields without a schema. */
export const PRESERVE = "x-kubernetes-preserve-unknown-fields";
/** The extension that allows both an integer and text. */
export const INT_OR_STRING = "x-kubernetes-int-or-string";
/** The extension that makes a value an embedded Kubernetes object. */
export const EMBEDDED = "x-kubernetes-embedded-resource";
/** The extension for the merge strategy of a list: `atomic` (also when absent), `set` or `map`. */
export const LIST_TYPE = "x-kubernetes-list-type";
/** The extension that names the key fields of a list of type `map`. */
export const LIST_MAP_KEYS = "x-kubernetes-list-map-keys";
/** The extension for the merge strategy of an object: `granular` (also when absent) or `atomic`. */
export const MAP_TYPE = "x-kubernetes-map-type";
/** The extension that holds CEL rules. */
export const VALIDATIONS = "x-kubernetes-validations";

/** The schema of a place without a schema whose values are kept. */
export const ANYTHING: Schema = { [PRESERVE]: true };

/** `value` as a JSON object; empty when it is not one. */
export function jsonObject(value: unknown): JsonObject {
  const json = value as Json | undefined;
  return isJsonObject(json) ? json : {};
}

/** A member that is an object; empty otherwise. Ignores members of the prototype. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  return Object.hasOwn(object, key) ? jsonObject(object[key]) : {};
}

/** An object without a member. */
export function omit(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** A member that is a list; empty otherwise. */
export function listAt(object: JsonObject, key: string): readonly Json[] {
  const value = object[key];
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The texts in a member that is a list. */
export function textsAt(object: JsonObject, key: string): readonly string[] {
  return listAt(object, key).filter((value) => typeof value === "string");
}

/** A member that is text and not empty. */
export function textAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A member that is a number. */
export function numberAt(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  return typeof value === "number" ? value : undefined;
}

/** Whether a member is true. */
export function isSet(object: JsonObject, key: string): boolean {
  return object[key] === true;
}

/** The schema below a keyword such as `items`; `true` and an empty schema accept anything. */
export function schemaAt(schema: Schema, keyword: string): Schema | undefined {
  const value = schema[keyword];
  if (value === true) return ANYTHING;
  return isJsonObject(value) ? value : undefined;
}

/** The schema of a property; `undefined` when there is none. */
export function schemaProperty(schema: Schema, name: string): Schema | undefined {
  const properties = objectAt(schema, "properties");
  return Object.hasOwn(properties, name) ? jsonObject(properties[name]) : undefined;
}

/** The names of all properties of the schemas, in alphabetical order. */
export function propertyNames(...schemas: readonly Schema[]): readonly string[] {
  const names = new Set(schemas.flatMap((schema) => Object.keys(objectAt(schema, "properties"))));
  return [...names].sort(compareText);
}

/** The allowed JSON types of a value; an integer is a number as well. */
export function schemaKinds(schema: Schema): readonly Kind[] {
  if (isSet(schema, INT_OR_STRING)) return ["integer", "string"];
  const type = textAt(schema, "type");
  if (type === undefined) return KINDS;
  return KINDS.filter((kind) => kind === type || (kind === "integer" && type === "number"));
}

/** The JSON type of a value: a number only if it is not an integer; `undefined` for null. */
export function valueKind(value: Json): Kind | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : (typeof value as Kind);
}

/** Whether `holds` is true for a value of the enum, if the schema has one. */
export function mayHold(schema: Schema, holds: (value: Json) => boolean): boolean {
  const values = listAt(schema, "enum");
  return values.length === 0 || values.some(holds);
}

/** A JSON type, with its name in OpenAPI. */
export type Kind = "array" | "boolean" | "integer" | "number" | "object" | "string";

const KINDS: readonly Kind[] = ["object", "string", "integer", "number", "boolean", "array"];

/** The elements of `before` that are not in `after`, compared without annotations. */
export function lost(before: readonly Json[], after: readonly Json[]): readonly Json[] {
  const kept = new Set(after.map(canonicalMeaning));
  return before.filter((value) => !kept.has(canonicalMeaning(value)));
}

/** The values without duplicates, compared without annotations. */
export function distinct<T extends Json>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [canonicalMeaning(value), value])).values()];
}

/** Keywords that do not restrict a value. */
const ANNOTATIONS = new Set(["description", "title", "example", "externalDocs"]);

/** A text that is equal only for schemas with the same demands. */
export function canonicalMeaning(value: Json | undefined): string {
  return canonicalJson(withoutAnnotations(value, false));
}

function withoutAnnotations(value: Json | undefined, isMap: boolean): unknown {
  if (Array.isArray(value)) return (value as readonly Json[]).map((element) => withoutAnnotations(element, false));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([key]) => isMap || !ANNOTATIONS.has(key));
  // The keys of `properties` are names of fields, and a field can be called `description`.
  return Object.fromEntries(
    members.map(([key, member]) => [key, withoutAnnotations(member, !isMap && key === "properties")]),
  );
}
