import type { ErrorObject } from "ajv";
import { counted } from "../counted.ts";
import { TEXT_FORMATS } from "./formats.ts";

/** One problem with a value. */
export interface SchemaProblem {
  /** The place of the value; for an unknown property its key, for a missing property its parent. */
  readonly path: readonly (string | number)[];
  /** The expected and the actual value, in one sentence without a capital letter and a full stop. */
  readonly message: string;
  readonly remedy: string;
}

/**
 * Turns the errors of ajv into problems: the most specific one for each place. Errors that only repeat another are
 * skipped (`if` fails whenever something within it fails).
 *
 * Takes:  the errors of a compiler in verbose mode, and the validated value.
 */
export function schemaProblems(errors: readonly ErrorObject[], value: unknown): readonly SchemaProblem[] {
  const places = new Map<string, { readonly rank: number; readonly problem: SchemaProblem }>();
  for (const error of errors) {
    const explain = EXPLANATIONS[error.keyword];
    if (explain === undefined) continue;
    const { key, path, message, remedy } = { ...schemaPlace(error, value), ...explain(error) };
    const rank = RANKS.indexOf(error.keyword);
    const known = places.get(key);
    if (known === undefined || rank < known.rank) places.set(key, { rank, problem: { path, message, remedy } });
  }
  return [...places.values()].map(({ problem }) => problem);
}

/** Of several errors at one place, the first in this order is reported. Keywords that are not listed come first. */
const RANKS = ["type", "pattern", "format", "minLength", "maxLength"];

interface Explanation {
  readonly message: string;
  readonly remedy: string;
}

interface SchemaPlace {
  /** Equal for errors about the same value. Two missing properties of one parent have different keys. */
  readonly key: string;
  readonly path: readonly (string | number)[];
}

function schemaPlace({ instancePath, params, propertyName }: ErrorObject, value: unknown): SchemaPlace {
  const path = pointerPath(instancePath, value);
  const { additionalProperty, missingProperty, index, i } = fieldsOf(params);
  const child = [propertyName, additionalProperty, index, i].find(isKey);
  const place = child === undefined ? path : [...path, child];
  return { key: JSON.stringify([place, missingProperty]), path: place };
}

const isKey = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number";

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? { ...value } : {});

/** A JSON Pointer as a path. Only the value shows whether a segment is an index or a key of digits. */
function pointerPath(pointer: string, value: unknown): readonly (string | number)[] {
  const path: (string | number)[] = [];
  let at = value;
  for (const segment of pointer.split("/").slice(1)) {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    path.push(Array.isArray(at) ? Number(key) : key);
    // Not `fieldsOf`, which copies: a hundred thousand errors can have the same list as parent.
    at = isObject(at) ? (at as Readonly<Record<string, unknown>>)[key] : undefined;
  }
  return path;
}

const EXPLANATIONS: Readonly<Record<string, (error: ErrorObject) => Explanation>> = {
  type: (error) => expectation(error, `must be ${TYPES[textOf(error.schema)] ?? "of another type"}`),
  pattern: (error) => expectation(error, `must match ${textOf(error.schema)}`),
  format: (error) => {
    const name = textOf(error.schema);
    return expectation(error, `must be ${TEXT_FORMATS[name]?.expected ?? name}`);
  },
  const: (error) => expectation(error, `must be ${show(error.schema)}`),
  enum: (error) => choice(error, "be one of", Array.isArray(error.schema) ? error.schema : []),
  additionalProperties: (error) => {
    const known = Object.keys(fieldsOf(fieldsOf(error.parentSchema)["properties"]));
    const key = fieldsOf(error.params)["additionalProperty"];
    return choice({ ...error, data: key }, "be one of the properties", known);
  },
  required: ({ params, parentSchema }) => {
    const name = textOf(fieldsOf(params)["missingProperty"]);
    const rule = told(parentSchema, "errorMessage") ?? `must have the property ${name}`;
    return { message: `${rule}, but has none`, remedy: `Add ${name}.` };
  },
  minLength: (error) => length(error, "at least", "character"),
  maxLength: (error) => length(error, "at most", "character"),
  minItems: (error) => length(error, "at least", "item"),
  minimum: (error) => expectation(error, `must be at least ${show(error.schema)}`),
  exclusiveMinimum: (error) => expectation(error, `must be more than ${show(error.schema)}`),
  minProperties: (error) => ruled(error, "must not be empty", "has none"),
  maxProperties: (error) =>
    ruled(error, "must have fewer properties", `has ${Object.keys(fieldsOf(error.data)).join(", ")}`),
  not: ({ parentSchema }) => ({
    message: told(parentSchema, "errorMessage") ?? "must not be set",
    remedy: "Remove it.",
  }),
  uniqueItems: ({ params }) => repeated("is equal to it", fieldsOf(params)["j"]),
  "x-kubernetes-list-map-keys": ({ params }) => {
    const { key, first } = fieldsOf(params);
    return repeated(`has the same key ${textOf(key)}`, first);
  },
};

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  object: "a map of properties",
  array: "a list",
  integer: "a whole number",
  number: "a number",
};

/** The rule in the words of the schema, else `rule`; then the actual value. */
function expectation(error: ErrorObject, rule: string): Explanation {
  const message = `${told(error.parentSchema, "patternErrorMessage") ?? rule}, but is ${show(error.data)}`;
  return { message, remedy: remedyFor(error) };
}

/** The message that a schema has for people in `keyword`. */
function told(schema: unknown, keyword: "patternErrorMessage" | "errorMessage"): string | undefined {
  const text = fieldsOf(schema)[keyword];
  return typeof text === "string" ? text : undefined;
}

function remedyFor({ keyword, schema, data, parentSchema }: ErrorObject): string {
  const isScalar = typeof data === "number" || typeof data === "boolean";
  const pattern = textOf(fieldsOf(parentSchema)["pattern"]);
  // Not for a value that quotes would not make valid: "1.51" is not a version either.
  if (keyword === "type" && schema === "string" && isScalar && new RegExp(pattern, "u").test(String(data)))
    return "Put the value in quotes.";
  return data === null ? "Fill it in, or remove it." : "Correct the value.";
}

function choice({ data }: ErrorObject, verb: string, allowed: readonly unknown[]): Explanation {
  const nearest = allowed.find((candidate) => isKey(data) && isNear(textOf(candidate), String(data)));
  const message = `must ${verb} ${allowed.map((item) => textOf(item) || '""').join(", ")}, but is ${show(data)}`;
  return { message, remedy: nearest === undefined ? "Use one of these." : `Write ${textOf(nearest)}.` };
}

/** Whether the texts differ by one changed, added, missing or swapped character at most, ignoring case. */
function isNear(left: string, right: string): boolean {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [restA, restB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB === `${restA.charAt(1)}${restA.charAt(0)}`;
}

function length({ schema, data }: ErrorObject, bound: string, unit: string): Explanation {
  const actual = Array.isArray(data) ? data.length : Array.from(String(data)).length;
  return {
    message: `must have ${bound} ${counted(Number(schema), unit)}, but has ${counted(actual, unit)}`,
    remedy: "Correct the value.",
  };
}

function ruled({ parentSchema }: ErrorObject, rule: string, actual: string): Explanation {
  return {
    message: `${told(parentSchema, "errorMessage") ?? rule}, but ${actual}`,
    remedy: "Change it as the rule demands.",
  };
}

function repeated(how: string, first: unknown): Explanation {
  return { message: `must differ from item ${Number(first) + 1}, but ${how}`, remedy: "Remove one of the two." };
}

const textOf = (value: unknown): string => (isKey(value) ? String(value) : "");

/** The maximum length of a quoted value, in characters: no message may grow with the file. */
const SHOWN = 60;

/** A value for display; long texts are cut. */
function show(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "a map of properties";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return "empty";
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
