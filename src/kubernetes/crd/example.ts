import type { Json, JsonObject } from "../object.ts";
import { FORMATS } from "./formats.ts";
import { textFor } from "./pattern.ts";
import {
  distinct,
  EMBEDDED,
  type Kind,
  kindsOf,
  LIST_TYPE,
  listAt,
  numberAt,
  objectAt,
  objectOf,
  propertyNames,
  propertyOf,
  type Schema,
  schemaAt,
  textAt,
  textsAt,
} from "./schema.ts";

/** Beyond it an example is no longer a small object. */
const MOST = { depth: 40, values: 5000, fields: 200, items: 1000, characters: 10_000 } as const;

/** An object of Kubernetes that stands in another one. */
const RESOURCE = { apiVersion: "v1", kind: "ConfigMap" };

/**
 * A small value that a schema accepts: required fields only. Values of different `choice` differ, where the schema
 * leaves a choice. `undefined` where none is found; CEL rules are not understood, and of unions one alternative is tried.
 */
export function sample(schema: Schema, choice = 0, room: Room = wholeRoom()): Json | undefined {
  if (room.depth > MOST.depth || room.values.left-- <= 0) return undefined;
  const whole = settle(schema, choice);
  const fixed = fixedValues(whole);
  if (fixed.length > choice || listAt(whole, "enum").length > 0) return fixed[choice % fixed.length];
  const [kind] = kindsOf(whole);
  return kind === undefined ? undefined : SAMPLES[kind](whole, choice, { ...room, depth: room.depth + 1 });
}

/** Up to `count` different values that a schema accepts. */
export function samples(schema: Schema, count: number): readonly Json[] {
  const found = Array.from({ length: count }, (_, choice) => sample(schema, choice));
  return distinct(found.filter((value) => value !== undefined));
}

/** The schema with some of its keywords replaced, to ask for a sample that fulfils both. */
export function refined(schema: Schema, keywords: JsonObject): Schema {
  return { ...schema, default: undefined, ...keywords };
}

/** A schema with one alternative of each union made part of it: the one that speaks of `field`, or the first. */
export function settle(schema: Schema, choice: number, field?: string): Schema {
  const bare = { ...schema, allOf: undefined, oneOf: undefined, anyOf: undefined };
  const parts = listAt(schema, "allOf");
  const unions = [listAt(schema, "oneOf"), listAt(schema, "anyOf")].filter((branches) => branches.length > 0);
  const taken = unions.map((branches) => {
    const named = branches.find(
      (branch) => field !== undefined && textsAt(objectOf(branch), "required").includes(field),
    );
    return named ?? branches[choice % branches.length];
  });
  return [...parts, ...taken].reduce<Schema>((whole, part) => joined(whole, objectOf(part)), bare);
}

/** A schema that demands what both demand, as far as an example needs it. */
export function joined(schema: Schema, part: Schema): Schema {
  const names = propertyNames(part);
  const properties = Object.fromEntries(
    names.map((name) => [name, { ...propertyOf(schema, name), ...propertyOf(part, name) }]),
  );
  return {
    ...schema,
    ...part,
    required: [...new Set([...textsAt(schema, "required"), ...textsAt(part, "required")])],
    properties: { ...objectAt(schema, "properties"), ...properties },
  };
}

/** Values that the schema itself names. */
function fixedValues(schema: Schema): readonly Json[] {
  const values = [schema["default"], ...listAt(schema, "enum")];
  return values.filter((value) => value !== undefined && value !== null);
}

/** How much more an example may hold: lists in lists in lists would soon be too much for any memory. */
export interface Room {
  readonly depth: number;
  /** Shared by everything in one example. */
  readonly values: { left: number };
}

/** Room for one example. */
export function wholeRoom(): Room {
  return { depth: 0, values: { left: MOST.values } };
}

type MakeSample = (schema: Schema, choice: number, room: Room) => Json | undefined;

const SAMPLES: Readonly<Record<Kind, MakeSample>> = {
  boolean: (_schema, choice) => choice % 2 === 0,
  integer: numberSample,
  number: numberSample,
  string: textSample,
  array: listSample,
  object: objectSample,
};

function textSample(schema: Schema, choice: number): string | undefined {
  const min = numberAt(schema, "minLength") ?? 0;
  const max = numberAt(schema, "maxLength") ?? Infinity;
  if (min > MOST.characters) return undefined;
  const pattern = textAt(schema, "pattern");
  const text = pattern === undefined ? plainText(schema, choice, min, max) : textFor(pattern, min, choice);
  return text !== undefined && text.length >= min && text.length <= max ? text : undefined;
}

function plainText(schema: Schema, choice: number, min: number, max: number): string | undefined {
  const format = FORMATS.get(textAt(schema, "format") ?? "");
  if (format !== undefined) return format[choice % format.length];
  const letter = String.fromCharCode(97 + (choice % 26));
  return `${letter}${"x".repeat(choice / 26)}-example`.slice(0, max).padEnd(min, "a");
}

function listSample(schema: Schema, choice: number, room: Room): readonly Json[] | undefined {
  const count = Math.max(numberAt(schema, "minItems") ?? 0, Math.sign(choice));
  const items = objectAt(schema, "items");
  if (count > MOST.items) return undefined;
  const isPlain = mayRepeat(schema);
  const values = Array.from({ length: count }, (_, index) => sample(items, isPlain ? choice : choice + index, room));
  return values.includes(undefined) ? undefined : (values as readonly Json[]);
}

/** Whether two items of a list may be equal. */
export function mayRepeat(schema: Schema): boolean {
  return (textAt(schema, LIST_TYPE) ?? "atomic") === "atomic" && schema["uniqueItems"] !== true;
}

function objectSample(schema: Schema, choice: number, room: Room): JsonObject | undefined {
  const count = Math.max(listAt(schema, "required").length, numberAt(schema, "minProperties") ?? 0);
  if (count > MOST.fields) return undefined;
  const base = schema[EMBEDDED] === true ? { ...RESOURCE, metadata: { name: "example" } } : {};
  const required = textsAt(schema, "required").filter(
    (name) => !Object.hasOwn(base, name) && !hasDefault(schema, name),
  );
  const names = [...required, ...further(schema, required, choice)];
  const fields = names.map((name) => [name, sample(fieldSchema(schema, name), choice, room)] as const);
  return fields.some(([, value]) => value === undefined) ? undefined : { ...base, ...Object.fromEntries(fields) };
}

/** Optional fields: as many as `minProperties` demands, and one more where another object is asked for. */
function further(schema: Schema, required: readonly string[], choice: number): readonly string[] {
  const missing = Math.max(0, (numberAt(schema, "minProperties") ?? 0) - required.length);
  const wanted = Math.max(missing, required.length === 0 ? Math.sign(choice) : 0);
  // Most objects need none, and to look through thousands of fields for nothing takes its time.
  if (wanted === 0) return [];
  const named = propertyNames(schema).filter((name) => !required.includes(name));
  const all = [...named, ...(schemaAt(schema, "additionalProperties") === undefined ? [] : MADE_UP)];
  const shift = missing === 0 ? Math.max(0, choice - 1) % Math.max(1, all.length) : 0;
  return all.slice(shift, shift + wanted);
}

/** Keys for maps. */
const MADE_UP: readonly string[] = Array.from({ length: MOST.fields }, (_, index) => `example-${index + 1}`);

function fieldSchema(schema: Schema, name: string): Schema {
  return propertyOf(schema, name) ?? schemaAt(schema, "additionalProperties") ?? {};
}

function hasDefault(schema: Schema, name: string): boolean {
  return propertyOf(schema, name)?.["default"] !== undefined;
}

/**
 * A number that the bounds of a schema allow, as near to 1 as they let it be. Numbers of different `choice` differ.
 * `undefined` where there is none.
 */
function numberSample(schema: Schema, choice: number): number | undefined {
  const isInteger = !kindsOf(schema).includes("number");
  const step = numberAt(schema, "multipleOf") ?? 1;
  const value = nearOne(schema, step, choice);
  if (fits(schema, value) && (!isInteger || Number.isInteger(value))) return value;
  const between = (Number(schema["minimum"]) + Number(schema["maximum"])) / 2;
  return !isInteger && numberAt(schema, "multipleOf") === undefined && fits(schema, between) ? between : undefined;
}

/** Whether a number is within the bounds of a schema. */
function fits(schema: Schema, value: number): boolean {
  const minimum = numberAt(schema, "minimum") ?? -Infinity;
  const maximum = numberAt(schema, "maximum") ?? Infinity;
  const isAbove = schema["exclusiveMinimum"] === true ? value > minimum : value >= minimum;
  return isAbove && (schema["exclusiveMaximum"] === true ? value < maximum : value <= maximum);
}

/** The multiple of `step` that is allowed from below, else from above, else the first one. */
function nearOne(schema: Schema, step: number, choice: number): number {
  const minimum = numberAt(schema, "minimum");
  const maximum = numberAt(schema, "maximum");
  if (minimum !== undefined) {
    const first = Math.ceil(minimum / step);
    const isBarred = schema["exclusiveMinimum"] === true && first * step === minimum;
    return (first + Number(isBarred) + choice) * step;
  }
  if (maximum === undefined || maximum > (choice + 1) * step) return (choice + 1) * step;
  const last = Math.floor(maximum / step);
  const isBarred = schema["exclusiveMaximum"] === true && last * step === maximum;
  return (last - Number(isBarred) - choice) * step;
}
