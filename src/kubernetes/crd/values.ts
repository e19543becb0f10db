import type { Json, JsonObject } from "../object.ts";
import type { Bound } from "./checks.ts";
import { refined, sample, samples } from "./example.ts";
import { FORMATLESS, FORMATS, RANGES } from "./formats.ts";
import { called, quoted, type NodeCheck, type Note, type SchemaPair } from "./pair.ts";
import { INT_OR_STRING, isSet, kindsOf, listAt, lost, numberAt, textAt, type Kind, type Schema } from "./schema.ts";

/** `type`, and `x-kubernetes-int-or-string`. */
export const types: NodeCheck = (pair) => {
  const [before, after] = [kindsOf(pair.old), kindsOf(pair.new)];
  const gone = before.filter((kind) => !after.includes(kind));
  const message = `${called(pair)} is ${typeName(pair.new)} now; it was ${typeName(pair.old)}.`;
  const at = ["type"];
  if (gone.length > 0) {
    return [{ check: "type-changed", message, at, values: () => gone.map((kind) => ofKind(pair.old, kind)) }];
  }
  return after.length > before.length ? [{ check: "type-widened", message, at }] : [];
};

/** Whether two schemas share a type, so that more than their types can be compared. */
export function isComparable(pair: SchemaPair): boolean {
  const after = kindsOf(pair.new);
  const isTyped = pair.new["type"] === undefined || pair.old["type"] !== undefined || pair.old[INT_OR_STRING] === true;
  return isTyped && kindsOf(pair.old).some((kind) => after.includes(kind));
}

function typeName(schema: Schema): string {
  if (schema[INT_OR_STRING] === true) return "an integer or a string";
  const type = textAt(schema, "type");
  if (type === undefined) return "of any type";
  return `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
}

/** Values without restrictions, by type. */
const FREE: Readonly<Record<Kind, Json>> = {
  object: {},
  string: "example",
  integer: 1,
  number: 0.5,
  boolean: true,
  array: [],
};

function ofKind(schema: Schema, kind: Kind): Json | undefined {
  if (kind === "number") {
    // Not an integer: half way between two samples.
    const [first, second] = samples(schema, 2);
    return typeof first === "number" && typeof second === "number" ? (first + second) / 2 : FREE.number;
  }
  if (textAt(schema, "type") === undefined && schema[INT_OR_STRING] !== true) return FREE[kind];
  return sample({ ...schema, type: kind, [INT_OR_STRING]: undefined });
}

/** `enum`. */
export const enums: NodeCheck = (pair) => {
  const [before, after] = [listAt(pair.old, "enum"), listAt(pair.new, "enum")];
  if (before.length === 0) return after.length === 0 ? [] : [enumAdded(pair, after)];
  const message = (text: string): string => `${called(pair)} ${text} now.`;
  if (after.length === 0) return [{ check: "enum-widened", message: message("accepts values beside its enum") }];
  const [gone, come] = [lost(before, after), lost(after, before)];
  const notes: Note[] = [];
  if (gone.length > 0) {
    const text = message(`no longer accepts ${listed(gone)}; only ${listed(after)}`);
    notes.push({ check: "enum-narrowed", message: text, at: ["enum"], values: () => gone.slice(0, 3) });
  }
  if (come.length > 0) {
    const text = message(`accepts ${listed(come)} as well`);
    notes.push({ check: "enum-widened", message: text, at: ["enum"] });
  }
  return notes;
};

/** Some values in a sentence. */
function listed(values: readonly Json[]): string {
  const shown = values.slice(0, 8).map(quoted).join(", ");
  return values.length > 8 ? `${shown} and ${values.length - 8} more` : shown;
}

function enumAdded(pair: SchemaPair, after: readonly Json[]): Note {
  const message = `${called(pair)} accepts only ${listed(after)} now; it accepted every value.`;
  return {
    check: "enum-added",
    message,
    at: ["enum"],
    values: () => lost(samples(pair.old, after.length + 2), after).slice(0, 3),
  };
}

/** `pattern`. Does not decide whether one expression matches less than another: see `SchemaChange.certain`. */
export const patterns: NodeCheck = (pair) => {
  const [before, after] = [textAt(pair.old, "pattern"), textAt(pair.new, "pattern")];
  if (before === after || !kindsOf(pair.new).includes("string")) return [];
  if (after === undefined)
    return [{ check: "pattern-removed", message: `${called(pair)} no longer has to match ${String(before)}.` }];
  const at = ["pattern"];
  if (before === undefined) {
    const message = `${called(pair)} has to match ${after} now; before, every text was accepted.`;
    return [
      { check: "pattern-added", message, at, values: () => [...odd(pair.old), ...samples(pair.old, 3)].slice(0, 8) },
    ];
  }
  const message = `${called(pair)} has to match ${after} now; before, ${before}.`;
  return [{ check: "pattern-changed", message, at, values: () => matches(pair.old) }];
};

/** Texts that many patterns refuse, with a length that the schema allows. */
function odd(schema: Schema): readonly Json[] {
  if (textAt(schema, "format") !== undefined || listAt(schema, "enum").length > 0) return [];
  const { minLength, maxLength } = schema;
  return ["", "!", "A", "a", "1", "!-?", "x".repeat(100)].filter(
    ({ length }) => length >= Number(minLength ?? 0) && length <= Number(maxLength ?? Infinity),
  );
}

/** Texts that the old pattern matches: short and long, with different characters and by different alternatives. */
function matches(old: Schema): readonly Json[] {
  const min = Number(old["minLength"] ?? 0);
  const longer = [min + 1, min + 5, min + 40].map((minLength) => sample(refined(old, { minLength })));
  const found = [...samples(old, 5), ...longer].filter((value) => value !== undefined);
  return [...new Set(found)];
}

/** `format`: the API server checks a few formats, the others are only for generated clients. */
export const formats: NodeCheck = (pair) => {
  const [before, after] = [textAt(pair.old, "format"), textAt(pair.new, "format")];
  if (before === after) return [];
  const message = `${called(pair)} has ${named(after)} now; it had ${named(before)}.`;
  const at = ["format"];
  const checked: { has(format: string): boolean } = kindsOf(pair.new).includes("string") ? FORMATS : RANGES;
  if (after === undefined || !checked.has(after)) return [{ check: "format-changed", message, at }];
  return [{ check: "format-narrowed", message, at, values: () => unfit(pair.old, after) }];
};

function named(format: string | undefined): string {
  return format === undefined ? "no format" : `the format ${format}`;
}

/** Values that the old schema accepts, probably without the new format. */
function unfit(old: Schema, format: string): readonly Json[] {
  const limit = RANGES.get(format);
  if (limit !== undefined) return samples(refined(old, { minimum: limit }), 1);
  const isFree = textAt(old, "pattern") === undefined && !FORMATS.has(textAt(old, "format") ?? "");
  return [...(isFree ? [FORMATLESS] : []), ...samples(old, 3)];
}

/** A keyword that bounds a value. */
interface BoundKeyword {
  readonly bound: Bound;
  readonly keyword: string;
  readonly opposite: string;
  /** 1 when a larger bound is looser, -1 when a smaller one is. */
  readonly sign: 1 | -1;
  readonly kinds: readonly Kind[];
  /** Whether the bound itself may be excluded: `exclusiveMaximum`. */
  readonly exclusive?: { readonly own: string; readonly opposite: string };
}

const BELOW = { own: "exclusiveMaximum", opposite: "exclusiveMinimum" };
const ABOVE = { own: "exclusiveMinimum", opposite: "exclusiveMaximum" };
const NUMBERS: readonly Kind[] = ["integer", "number"];

const KEYWORDS: readonly BoundKeyword[] = [
  { bound: "maximum", keyword: "maximum", opposite: "minimum", sign: 1, kinds: NUMBERS, exclusive: BELOW },
  { bound: "minimum", keyword: "minimum", opposite: "maximum", sign: -1, kinds: NUMBERS, exclusive: ABOVE },
  { bound: "max-length", keyword: "maxLength", opposite: "minLength", sign: 1, kinds: ["string"] },
  { bound: "min-length", keyword: "minLength", opposite: "maxLength", sign: -1, kinds: ["string"] },
  { bound: "max-items", keyword: "maxItems", opposite: "minItems", sign: 1, kinds: ["array"] },
  { bound: "min-items", keyword: "minItems", opposite: "maxItems", sign: -1, kinds: ["array"] },
  { bound: "max-properties", keyword: "maxProperties", opposite: "minProperties", sign: 1, kinds: ["object"] },
  { bound: "min-properties", keyword: "minProperties", opposite: "maxProperties", sign: -1, kinds: ["object"] },
];

/** Upper and lower bounds of numbers, lengths, items and properties. */
export const bounds: NodeCheck = (pair) => KEYWORDS.flatMap((keyword) => compareBound(pair, keyword));

/** A bound of a schema, scaled so that a looser bound is greater. */
interface Limit {
  readonly limit: number;
  readonly isExcluded: boolean;
}

function limitOf(schema: Schema, { keyword, sign, exclusive }: BoundKeyword): Limit {
  // Lengths begin at 0, so that `minLength: 0` is not a bound.
  const none = sign === -1 && exclusive === undefined ? 0 : sign * Infinity;
  const limit = sign * (numberAt(schema, keyword) ?? none);
  return { limit, isExcluded: exclusive !== undefined && isSet(schema, exclusive.own) };
}

function compareBound(pair: SchemaPair, keyword: BoundKeyword): readonly Note[] {
  const [before, after] = [limitOf(pair.old, keyword), limitOf(pair.new, keyword)];
  const difference =
    after.limit === before.limit ? Number(before.isExcluded) - Number(after.isExcluded) : after.limit - before.limit;
  const isBounded = before.limit !== Infinity || after.limit !== Infinity;
  if (difference === 0 || !isBounded || !kindsOf(pair.new).some((kind) => keyword.kinds.includes(kind))) return [];
  const message = `${called(pair)} has ${phrase(keyword, after)} now; it had ${phrase(keyword, before)}.`;
  const at = [keyword.keyword];
  if (difference > 0) return [{ check: `${keyword.bound}-widened`, message, at }];
  return [
    { check: `${keyword.bound}-narrowed`, message, at, values: () => samples(beyond(pair.old, keyword, after), 3) },
  ];
}

function phrase({ keyword, sign }: BoundKeyword, { limit, isExcluded }: Limit): string {
  if (limit === Infinity) return `no ${keyword}`;
  return `the ${keyword} ${sign * limit}${isExcluded ? " (itself excluded)" : ""}`.replace(" -0", " 0");
}

/** The old schema, restricted to values beyond the new bound. */
function beyond(old: Schema, { opposite, sign, exclusive }: BoundKeyword, { limit, isExcluded }: Limit): Schema {
  const bound = sign * limit;
  const opposed: JsonObject =
    exclusive === undefined ? { [opposite]: bound + sign } : { [opposite]: bound, [exclusive.opposite]: !isExcluded };
  return refined(old, opposed);
}

/** `multipleOf`. */
export function multiples(pair: SchemaPair): readonly Note[] {
  const [before, after] = [numberAt(pair.old, "multipleOf"), numberAt(pair.new, "multipleOf")];
  if (before === after || !kindsOf(pair.new).includes("integer")) return [];
  const message = `${called(pair)} has to be a multiple of ${after ?? "nothing"} now; before, of ${before ?? "nothing"}.`;
  const isWider = after === undefined || (before !== undefined && before % after === 0);
  if (isWider) return [{ check: "multiple-of-widened", message }];
  return [
    {
      check: "multiple-of-narrowed",
      message,
      at: ["multipleOf"],
      values: () => samples(pair.old, 10).filter((value) => Number(value) % after !== 0),
    },
  ];
}

/** `uniqueItems`. */
export function uniqueness(pair: SchemaPair): readonly Note[] {
  const [before, after] = [isSet(pair.old, "uniqueItems"), isSet(pair.new, "uniqueItems")];
  if (before === after) return [];
  if (before) return [{ check: "unique-items-removed", message: `${called(pair)} may hold equal items now.` }];
  const message = `The items of ${called(pair)} have to differ now; before, they could be equal.`;
  return [{ check: "unique-items-added", message, at: ["uniqueItems"], values: () => samples(twice(pair.old), 1) }];
}

/** The old schema with at least two items, which a sample makes equal. */
export function twice(old: Schema): Schema {
  return refined(old, { minItems: Math.max(2, numberAt(old, "minItems") ?? 0) });
}
