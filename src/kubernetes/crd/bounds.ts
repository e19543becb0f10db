import type { Json, JsonObject } from "../object.ts";
import type { Bound } from "./checks.ts";
import { refined, samples, typed } from "./example.ts";
import { called, type NodeCheck, type Note, type SchemaPair } from "./pair.ts";
import { isSet, type Kind, valueKind, schemaKinds, mayHold, numberAt, type Schema } from "./schema.ts";

/** A keyword that bounds a value. */
interface BoundKeyword {
  readonly bound: Bound;
  readonly keyword: string;
  readonly opposite: string;
  /** 1 when a larger bound is looser, -1 when a smaller one is. */
  readonly sign: 1 | -1;
  readonly kinds: readonly [Kind, ...Kind[]];
  /** Whether the bound itself may be excluded: `exclusiveMaximum`. */
  readonly exclusive?: { readonly own: string; readonly opposite: string };
}

const BELOW = { own: "exclusiveMaximum", opposite: "exclusiveMinimum" };
const ABOVE = { own: "exclusiveMinimum", opposite: "exclusiveMaximum" };
const NUMBERS: BoundKeyword["kinds"] = ["integer", "number"];

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

function boundLimit(schema: Schema, { keyword, sign, exclusive }: BoundKeyword): Limit {
  // Lengths begin at 0, so that `minLength: 0` is not a bound.
  const none = sign === -1 && exclusive === undefined ? 0 : sign * Infinity;
  const limit = sign * (numberAt(schema, keyword) ?? none);
  return { limit, isExcluded: exclusive !== undefined && isSet(schema, exclusive.own) };
}

function compareBound(pair: SchemaPair, keyword: BoundKeyword): readonly Note[] {
  const [before, after] = [boundLimit(pair.old, keyword), boundLimit(pair.new, keyword)];
  const difference =
    after.limit === before.limit ? Number(before.isExcluded) - Number(after.isExcluded) : after.limit - before.limit;
  const isBounded = before.limit !== Infinity || after.limit !== Infinity;
  if (difference === 0 || !isBounded || !schemaKinds(pair.new).some((kind) => keyword.kinds.includes(kind))) return [];
  const message = `${called(pair)} has ${phrase(keyword, after)} now; it had ${phrase(keyword, before)}.`;
  const at = [keyword.keyword];
  if (difference > 0) return [{ check: `${keyword.bound}-widened`, message, at }];
  const isRefused = (value: Json): boolean => isBeyond(value, keyword, after);
  if (!mayHold(pair.old, isRefused)) return [];
  const values = (): readonly Json[] => samples(beyond(pair.old, keyword, after), 3).filter(isRefused);
  return [{ check: `${keyword.bound}-narrowed`, message, at, values }];
}

function isBeyond(value: Json, { sign, kinds }: BoundKeyword, { limit, isExcluded }: Limit): boolean {
  if (!kinds.some((kind) => kind === valueKind(value))) return false;
  const size = sign * valueSize(value);
  return size > limit || (isExcluded && size === limit);
}

/** A number itself; the length of a text, and the number of items or fields. */
function valueSize(value: Json): number {
  if (typeof value === "number") return value;
  return (typeof value === "string" ? Array.from(value) : Object.keys(Object(value) as object)).length;
}

function phrase({ keyword, sign }: BoundKeyword, { limit, isExcluded }: Limit): string {
  if (limit === Infinity) return `no ${keyword}`;
  return `the ${keyword} ${sign * limit}${isExcluded ? " (itself excluded)" : ""}`.replace(" -0", " 0");
}

/** The old schema, restricted to values beyond the new bound. */
function beyond(old: Schema, { opposite, sign, kinds, exclusive }: BoundKeyword, { limit, isExcluded }: Limit): Schema {
  const bound = sign * limit;
  const opposed: JsonObject =
    exclusive === undefined ? { [opposite]: bound + sign } : { [opposite]: bound, [exclusive.opposite]: !isExcluded };
  return refined(typed(old, kinds[0]), opposed);
}

/** `multipleOf`. */
export function multiples(pair: SchemaPair): readonly Note[] {
  const [before, after] = [numberAt(pair.old, "multipleOf"), numberAt(pair.new, "multipleOf")];
  if (before === after || !schemaKinds(pair.new).includes("integer")) return [];
  const message = `${called(pair)} has to be a multiple of ${after ?? "nothing"} now; before, of ${before ?? "nothing"}.`;
  const isWider = after === undefined || (before !== undefined && before % after === 0);
  if (isWider) return [{ check: "multiple-of-widened", message }];
  return [
    {
      check: "multiple-of-narrowed",
      message,
      at: ["multipleOf"],
      values: () => samples(typed(pair.old, "integer"), 10).filter((value) => Number(value) % after !== 0),
    },
  ];
}
