import type { JsonObject } from "../object.ts";
import type { Bound } from "./checks.ts";
import { refined, samples } from "./example.ts";
import { called, type NodeCheck, type Note, type SchemaPair } from "./pair.ts";
import { isSet, kindsOf, numberAt, type Kind, type Schema } from "./schema.ts";

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

/** `multipleOf` and `uniqueItems`. */
export const steps: NodeCheck = (pair) => [...multiples(pair), ...uniqueness(pair)];

function multiples(pair: SchemaPair): readonly Note[] {
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

function uniqueness(pair: SchemaPair): readonly Note[] {
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
