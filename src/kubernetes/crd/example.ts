import type { Json, JsonObject } from "../object.ts";
import { FORMATS } from "./formats.ts";
import { textFor } from "./pattern.ts";
import {
  distinct,
  EMBEDDED,
  INT_OR_STRING,
  type Kind,
  schemaKinds,
  LIST_TYPE,
  listAt,
  canonicalMeaning,
  numberAt,
  objectAt,
  jsonObject,
  propertyNames,
  schemaProperty,
  type Schema,
  schemaAt,
  textAt,
  textsAt,
} from "./schema.ts";

/** The limits of a small object. */
const MOST = { depth: 40, values: 5000, fields: 200, items: 1000, characters: 10_000 } as const;

/** An object of Kubernetes that is embedded in another one. */
const RESOURCE = { apiVersion: "v1", kind: "ConfigMap" };

/**
 * A small value that a schema accepts, with required fields only. Another `choice` gives another value, if the schema
 * allows several. `undefined` when none is found. Ignores CEL rules, and tries one alternative of each union.
 */
export function sample(schema: Schema, choice = 0, room: Room = wholeRoom()): Json | undefined {
  if (room.depth > MOST.depth || room.values.left-- <= 0) return undefined;
  const whole = settle(schema, choice);
  const fixed = [whole["default"], ...listAt(whole, "enum")].filter((value) => value !== undefined && value !== null);
  if (fixed.length > choice || listAt(whole, "enum").length > 0) return fixed[choice % fixed.length];
  const [kind] = schemaKinds(whole);
  return kind === undefined ? undefined : SAMPLES[kind](whole, choice, { ...room, depth: room.depth + 1 });
}

/** Up to `count` different values that a schema accepts. */
export function samples(schema: Schema, count: number): readonly Json[] {
  const found = Array.from({ length: count }, (_, choice) => sample(schema, choice));
  return distinct(found.filter((value) => value !== undefined));
}

/** The schema with some of its keywords replaced, and without its default. */
export function refined(schema: Schema, keywords: JsonObject): Schema {
  return { ...schema, default: undefined, ...keywords };
}

/** The schema for values of one type only, if it allows several. */
export function typed(schema: Schema, kind: Kind): Schema {
  return { ...schema, type: textAt(schema, "type") ?? kind, [INT_OR_STRING]: undefined };
}

/**
 * A schema merged with one alternative of each union that allows a type of the schema: the one that requires `field`, or
 * else the one of `choice`.
 */
export function settle(schema: Schema, choice: number, field?: string): Schema {
  const bare = { ...schema, allOf: undefined, oneOf: undefined, anyOf: undefined };
  const parts = listAt(schema, "allOf");
  const unions = [listAt(schema, "oneOf"), listAt(schema, "anyOf")].filter((branches) => branches.length > 0);
  const kinds = schemaKinds(schema);
  const taken = unions.map((union) => {
    const branches = union.map(jsonObject).filter((branch) => schemaKinds(branch).some((kind) => kinds.includes(kind)));
    const named = branches.find((branch) => field !== undefined && textsAt(branch, "required").includes(field));
    return named ?? branches[choice % branches.length];
  });
  return [...parts, ...taken].reduce<Schema>((whole, part) => joined(whole, jsonObject(part)), bare);
}

/** A schema with the demands of both, as far as an example needs them. */
export function joined(schema: Schema, part: Schema): Schema {
  const names = propertyNames(part);
  const properties = Object.fromEntries(
    names.map((name) => [name, { ...schemaProperty(schema, name), ...schemaProperty(part, name) }]),
  );
  return {
    ...schema,
    ...part,
    ...tighterBounds(schema, part),
    required: [...new Set([...textsAt(schema, "required"), ...textsAt(part, "required")])],
    properties: { ...objectAt(schema, "properties"), ...properties },
  };
}

const LOWER_BOUNDS: readonly string[] = ["minimum", "minLength", "minItems", "minProperties"];
const UPPER_BOUNDS: readonly string[] = ["maximum", "maxLength", "maxItems", "maxProperties"];

function tighterBounds(...schemas: readonly Schema[]): JsonObject {
  const given = (keyword: string): readonly number[] =>
    schemas.map((schema) => numberAt(schema, keyword)).filter((bound) => bound !== undefined);
  const bounds = [
    ...LOWER_BOUNDS.map((keyword) => [keyword, Math.max(...given(keyword))] as const),
    ...UPPER_BOUNDS.map((keyword) => [keyword, Math.min(...given(keyword))] as const),
  ];
  return Object.fromEntries(bounds.filter(([, bound]) => Number.isFinite(bound)));
}

/** The remaining budget of an example, since nested lists would soon exceed the memory. */
interface Room {
  readonly depth: number;
  /** Shared by all values of one example. */
  readonly values: { left: number };
}

/** The whole budget of one example. */
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
  const isEmbedded = schema[EMBEDDED] === true;
  const base = isEmbedded ? { ...RESOURCE, metadata: { name: "example" } } : {};
  const required = textsAt(schema, "required").filter(
    (name) => !Object.hasOwn(base, name) && schemaProperty(schema, name)?.["default"] === undefined,
  );
  const names = [...(isEmbedded ? restricted(schema) : []), ...required, ...further(schema, required, choice)];
  const fields = names.map((name) => {
    const field = schemaProperty(schema, name) ?? schemaAt(schema, "additionalProperties") ?? {};
    return [name, sample(field, choice, room)] as const;
  });
  return fields.some(([, value]) => value === undefined) ? undefined : { ...base, ...Object.fromEntries(fields) };
}

const ANY_TEXT = canonicalMeaning({ type: "string" });

/** The fields that say what an embedded object is, if its schema restricts them. */
function restricted(schema: Schema): readonly string[] {
  return Object.keys(RESOURCE).filter((name) => {
    const own = schemaProperty(schema, name);
    return own !== undefined && canonicalMeaning(own) !== ANY_TEXT;
  });
}

/** Optional fields: as many as `minProperties` demands, or one to make another object for another `choice`. */
function further(schema: Schema, required: readonly string[], choice: number): readonly string[] {
  const missing = Math.max(0, (numberAt(schema, "minProperties") ?? 0) - required.length);
  const wanted = Math.max(missing, required.length === 0 ? Math.sign(choice) : 0);
  // Most objects need none, and a search through thousands of fields takes time.
  if (wanted === 0) return [];
  const named = propertyNames(schema).filter((name) => !required.includes(name));
  const all = [...named, ...(schemaAt(schema, "additionalProperties") === undefined ? [] : MADE_UP)];
  const shift = missing === 0 ? Math.max(0, choice - 1) % Math.max(1, all.length) : 0;
  return all.slice(shift, shift + wanted);
}

/** Keys for maps. */
const MADE_UP: readonly string[] = Array.from({ length: MOST.fields }, (_, index) => `example-${index + 1}`);

/**
 * A number that the bounds of a schema allow, as near to 1 as possible. Another `choice` gives another number.
 * `undefined` when there is none.
 */
function numberSample(schema: Schema, choice: number): number | undefined {
  const isInteger = !schemaKinds(schema).includes("number");
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

/** The smallest multiple of `step` from the minimum on, else the largest up to the maximum; `choice` steps further. */
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
