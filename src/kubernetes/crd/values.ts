import type { Json } from "../object.ts";
import { refined, sample, samples, typed } from "./example.ts";
import { FORMATLESS, FORMATS, RANGES } from "./formats.ts";
import { called, quoted, type NodeCheck, type Note, type SchemaPair } from "./pair.ts";
import {
  INT_OR_STRING,
  isSet,
  valueKind,
  schemaKinds,
  listAt,
  lost,
  mayHold,
  numberAt,
  textAt,
  type Kind,
  type Schema,
} from "./schema.ts";

/** `type`, and `x-kubernetes-int-or-string`. */
export const types: NodeCheck = (pair) => {
  const [before, after] = [schemaKinds(pair.old), schemaKinds(pair.new)];
  const gone = before.filter(
    (kind) => !after.includes(kind) && mayHold(pair.old, (value) => valueKind(value) === kind),
  );
  const message = `${called(pair)} is ${typeName(pair.new)} now; it was ${typeName(pair.old)}.`;
  const at = ["type"];
  if (gone.length > 0) {
    return [{ check: "type-changed", message, at, values: () => gone.flatMap((kind) => ofKind(pair.old, kind)) }];
  }
  return after.length > before.length ? [{ check: "type-widened", message, at }] : [];
};

/** Whether two schemas share a type, so that more than their types can be compared. */
export function isComparable(pair: SchemaPair): boolean {
  const after = schemaKinds(pair.new);
  const isTyped = pair.new["type"] === undefined || pair.old["type"] !== undefined || pair.old[INT_OR_STRING] === true;
  return isTyped && schemaKinds(pair.old).some((kind) => after.includes(kind));
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

function ofKind(schema: Schema, kind: Kind): readonly Json[] {
  if (kind === "number") {
    // Not an integer: half way between two samples.
    const [first, second] = samples(schema, 2);
    return [typeof first === "number" && typeof second === "number" ? (first + second) / 2 : FREE.number];
  }
  if (textAt(schema, "type") === undefined && schema[INT_OR_STRING] !== true) return [FREE[kind]];
  return samples(typed(schema, kind), 3)
    .filter((value) => valueKind(value) === kind)
    .slice(0, 1);
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
  if (before === after || !schemaKinds(pair.new).includes("string")) return [];
  if (after === undefined)
    return [{ check: "pattern-removed", message: `${called(pair)} no longer has to match ${String(before)}.` }];
  const at = ["pattern"];
  if (before === undefined) {
    const message = `${called(pair)} has to match ${after} now; before, every text was accepted.`;
    return [
      {
        check: "pattern-added",
        message,
        at,
        values: () => [...odd(pair.old), ...samples(typed(pair.old, "string"), 3)].slice(0, 8),
      },
    ];
  }
  const message = `${called(pair)} has to match ${after} now; before, ${before}.`;
  return [{ check: "pattern-changed", message, at, values: () => matches(typed(pair.old, "string")) }];
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
  return [...new Set([...samples(old, 5), ...longer])].filter((value) => typeof value === "string");
}

/** `format`: the API server checks a few formats, the others are only for generated clients. */
export const formats: NodeCheck = (pair) => {
  const [before, after] = [textAt(pair.old, "format"), textAt(pair.new, "format")];
  if (before === after) return [];
  const message = `${called(pair)} has ${named(after)} now; it had ${named(before)}.`;
  const at = ["format"];
  const isText = schemaKinds(pair.new).includes("string");
  const checked: { has(format: string): boolean } = isText ? FORMATS : RANGES;
  if (after === undefined || !checked.has(after)) return [{ check: "format-changed", message, at }];
  return [
    {
      check: "format-narrowed",
      message,
      at,
      values: () => unfit(typed(pair.old, isText ? "string" : "integer"), after),
    },
  ];
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
