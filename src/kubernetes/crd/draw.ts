import type { Json, JsonObject } from "../object.ts";
import { mayRepeat, sample, settle, typed } from "./example.ts";
import { FORMATS } from "./formats.ts";
import { hintsIn, type Hints } from "./hints.ts";
import { textFor } from "./pattern.ts";
import {
  distinct,
  EMBEDDED,
  schemaKinds,
  listAt,
  numberAt,
  objectAt,
  jsonObject,
  propertyNames,
  schemaAt,
  textAt,
  textsAt,
  type Kind,
  type Schema,
} from "./schema.ts";

/** What to draw values from. */
export interface Drawing {
  /** The schema that values have to fit. */
  readonly schema: Schema;
  /** Rules, and values of keywords. What they speak of is drawn more often: see `hintsIn`. */
  readonly hint: Json;
}

/** Up to `count` different values that a schema probably accepts; the same ones for the same arguments. */
export function drawnValues({ schema, hint }: Drawing, count: number): readonly Json[] {
  const hints = hintsIn(hint);
  const values = Array.from({ length: count }, (_, seed) => draw(schema, new DrawnSource(seed, hints)));
  return distinct(values.filter((value) => value !== undefined));
}

/** A sequence of choices that look random, and are the same for the same seed. */
class DrawnSource {
  readonly hints: Hints;
  /** Whether fields are drawn that no hint names. */
  readonly isWide: boolean;
  /** What was drawn for the same object: rules compare fields. */
  readonly texts: string[] = [];
  readonly numbers: number[] = [];
  /** How many more values may be drawn. */
  left = 500;
  #state: number;

  constructor(seed: number, hints: Hints) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1);
    this.hints = hints;
    this.isWide = seed % 3 === 2;
  }

  /** An integer from 0 up to `count`, without `count`. The generator is called mulberry32. */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  }

  /** One of several values; `undefined` if there is none. */
  pick<T>(values: readonly T[]): T | undefined {
    return values[this.below(Math.max(1, values.length))];
  }
}

function draw(schema: Schema, source: DrawnSource): Json | undefined {
  if (source.left-- <= 0) return undefined;
  const whole = settle(schema, source.below(4));
  const listed = listAt(whole, "enum");
  if (listed.length > 0) return source.pick(listed);
  const kind = source.pick(schemaKinds(whole));
  return kind === undefined ? undefined : DRAWS[kind](typed(whole, kind), source);
}

type DrawKind = (schema: Schema, source: DrawnSource) => Json | undefined;

const DRAWS: Readonly<Record<Kind, DrawKind>> = {
  boolean: (_schema, source) => source.below(2) === 0,
  integer: (schema, source) => drawNumber({ ...schema, multipleOf: numberAt(schema, "multipleOf") ?? 1 }, source),
  number: drawNumber,
  string: drawText,
  array: drawList,
  object: drawObject,
};

function drawNumber(schema: Schema, source: DrawnSource): number {
  const bounds = ["minimum", "maximum"].flatMap((keyword) => numberAt(schema, keyword) ?? []);
  const value = Number(source.pick([...bounds, ...source.hints.numbers, source.below(10), ...source.numbers]));
  const step = numberAt(schema, "multipleOf");
  const drawn = step === undefined ? value : Math.round(value / step) * step;
  source.numbers.push(drawn);
  return drawn;
}

/** Texts that many rules refuse. */
const ODD = ["", "A", "1", "-", "a.b", "a b", "é", "a/b"];
/** The limits of a drawn value; larger ones would need more time than they are worth. */
const MOST = { characters: 5000, items: 40 } as const;

function drawText(schema: Schema, source: DrawnSource): string {
  const formatted = source.pick(FORMATS.get(textAt(schema, "format") ?? "") ?? []);
  if (formatted !== undefined) return formatted;
  const pattern = textAt(schema, "pattern") ?? "^[a-z]+$";
  const usual = (least: number): string => textFor(pattern, least, () => source.below(1000)) ?? "";
  const hint = source.pick(source.hints.texts) ?? "";
  const length = Math.min(MOST.characters, Math.max(0, Math.ceil(Number(source.pick(source.hints.numbers)))));
  const long = usual(length);
  const texts = [hint, hint + usual(0), usual(0) + hint, usual(0), long, long.slice(0, length), source.pick(ODD)];
  const text = String(source.pick([...texts, ...source.texts.slice(-2)]));
  const least = Math.min(MOST.characters, numberAt(schema, "minLength") ?? 0);
  const drawn = text.slice(0, numberAt(schema, "maxLength")).padEnd(least, "a");
  source.texts.push(drawn);
  return drawn;
}

/** How many items or fields: few, or as many as a hint says. */
function drawCount(schema: Schema, keyword: "Items" | "Properties", source: DrawnSource): number {
  const hinted = source.hints.numbers.filter((count) => Number.isInteger(count) && count >= 0);
  const least = Math.max(Number(source.pick([0, 1, 2, 3, ...hinted])), numberAt(schema, `min${keyword}`) ?? 0);
  return Math.min(MOST.items, least, numberAt(schema, `max${keyword}`) ?? MOST.items);
}

function drawList(schema: Schema, source: DrawnSource): Json {
  const items = schemaAt(schema, "items") ?? {};
  const values = Array.from({ length: drawCount(schema, "Items", source) }, () => draw(items, source));
  const found = values.filter((value) => value !== undefined);
  return mayRepeat(schema) ? found : distinct(found);
}

function drawObject(schema: Schema, source: DrawnSource): JsonObject {
  const base = schema[EMBEDDED] === true ? jsonObject(sample(schema)) : {};
  const required = textsAt(schema, "required");
  const properties = objectAt(schema, "properties");
  const names = propertyNames(schema).filter((name) => {
    if (required.includes(name)) return objectAt(properties, name)["default"] === undefined || source.below(2) === 0;
    return source.hints.words.has(name) ? source.below(4) > 0 : source.isWide && source.below(5) === 0;
  });
  const others = schemaAt(schema, "additionalProperties");
  const count = others === undefined ? 0 : drawCount(schema, "Properties", source);
  const keys = Array.from({ length: count }, () => drawText({}, source));
  const fields = [
    ...names.map((name) => [name, objectAt(properties, name)] as const),
    ...keys.map((key) => [key, jsonObject(others)] as const),
  ].flatMap(([name, field]) => {
    const value = draw(field, source);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...base, ...Object.fromEntries(fields) };
}
