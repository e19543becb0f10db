import type { Json } from "../object.ts";
import { basesFor } from "./bases.ts";
import { refined, sample } from "./example.ts";
import { called, fieldOf, quoted, type NodeCheck, type Note, type SchemaPair } from "./pair.ts";
import {
  isSet,
  kindsOf,
  meaningOf,
  objectAt,
  omit,
  PRESERVE,
  propertyNames,
  propertyOf,
  schemaAt,
  textsAt,
  type Schema,
} from "./schema.ts";

/** Fields that are gone, new, or needed. */
export const fields: NodeCheck = (pair) => {
  if (!kindsOf(pair.new).includes("object")) return [];
  const names = propertyNames(pair.old, pair.new);
  const required = [...new Set([...textsAt(pair.old, "required"), ...textsAt(pair.new, "required")])].sort();
  const needs = [needed(pair.old), needed(pair.new)] as const;
  return [...names.flatMap((name) => presence(pair, name)), ...required.flatMap((name) => need(pair, name, needs))];
};

function presence(pair: SchemaPair, name: string): readonly Note[] {
  const [before, after] = [propertyOf(pair.old, name), propertyOf(pair.new, name)];
  const below = `.${name}`;
  const field = called(pair, below);
  if (before === undefined) {
    return [{ check: "field-added", message: `${field} is new.`, below, at: ["properties", name] }];
  }
  if (after !== undefined) return [];
  const rest = fieldOf(pair.new, name);
  if (rest === undefined) return [removed(pair, name, before)];
  const message = `${field} is not described any more; every value is kept there now.`;
  return rest.steps[0] === PRESERVE ? [{ check: "field-unspecified", message, below, at: rest.steps }] : [];
}

function removed(pair: SchemaPair, name: string, schema: Schema): Note {
  const below = `.${name}`;
  const message = `${called(pair, below)} is gone: the API server refuses it or drops it silently; before, it was kept.`;
  const at = ["properties"];
  return { check: "field-removed", message, below, at, values: () => withField(pair.old, name, sample(schema)) };
}

/** Small objects of a schema with one more field. */
function withField(schema: Schema, name: string, value: Json | undefined): readonly (Json | undefined)[] {
  return value === undefined ? [] : basesFor(schema, name).map((base) => ({ ...base, [name]: value }));
}

/** The fields without which an object is refused: a default is filled in before anything is judged. */
function needed(schema: Schema): ReadonlySet<string> {
  const isNeeded = (name: string): boolean => propertyOf(schema, name)?.["default"] === undefined;
  return new Set(textsAt(schema, "required").filter(isNeeded));
}

function need(
  pair: SchemaPair,
  name: string,
  [before, after]: readonly [ReadonlySet<string>, ReadonlySet<string>],
): readonly Note[] {
  const below = `.${name}`;
  const field = called(pair, below);
  if (before.has(name) === after.has(name)) return [];
  if (before.has(name))
    return [{ check: "field-optional", message: `${field} may be left out now.`, below, at: ["properties", name] }];
  const isListed = textsAt(pair.old, "required").includes(name);
  const cause = isListed ? "its default, which was filled in, is gone" : "before, it could be left out";
  const values = (): readonly Json[] => without(pair.old, name);
  return [{ check: "field-required", message: `${field} is required now; ${cause}.`, below, at: ["required"], values }];
}

/** Small objects of a schema without a field. */
function without(schema: Schema, name: string): readonly Json[] {
  const bases = basesFor(refined(schema, {}), name);
  return bases.map((base) => omit(base, name));
}

/** `default`. That a default makes a required field dispensable is a matter of `required`. */
export const defaults: NodeCheck = (pair) => [
  ...propertyNames(pair.old, pair.new).flatMap((name) => {
    const [before, after] = [propertyOf(pair.old, name), propertyOf(pair.new, name)];
    const place = { below: `.${name}`, at: ["properties", name], values: () => without(pair.old, name) };
    return before && after ? filled(pair, before, after, place) : [];
  }),
  ...(
    [
      ["items", "[]"],
      ["additionalProperties", ".*"],
    ] as const
  ).flatMap(([keyword, below]) => {
    const [before, after] = [schemaAt(pair.old, keyword), schemaAt(pair.new, keyword)];
    return before && after ? filled(pair, before, after, { below, at: [keyword] }) : [];
  }),
];

/** `values`: what is filled in before anything is judged; a rule may refuse what comes of it. */
function filled(
  pair: SchemaPair,
  { default: before }: Schema,
  { default: after }: Schema,
  { below, at, values }: Required<Pick<Note, "below" | "at">> & Pick<Note, "values">,
): readonly Note[] {
  if (meaningOf(before) === meaningOf(after)) return [];
  const [had, has] = [before, after].map((value) => (value === undefined ? undefined : quoted(value)));
  const check = has === undefined ? "default-removed" : had === undefined ? "default-added" : "default-changed";
  const message = `${called(pair, below)} has ${has === undefined ? "no default" : `the default ${has}`} now; it had ${had ?? "none"}.`;
  return [{ check, message, below, at: [...at, "default"], ...(values && { values }) }];
}

/** What becomes of the fields that no schema names: dropped, judged as values of a map, or kept as they are. */
type Others = "dropped" | "judged" | "kept";

function othersOf(schema: Schema): Others {
  if (schemaAt(schema, "additionalProperties") !== undefined) return "judged";
  return isSet(schema, PRESERVE) ? "kept" : "dropped";
}

/** `additionalProperties` and `x-kubernetes-preserve-unknown-fields`. */
export const otherFields: NodeCheck = (pair) => {
  const isObject = kindsOf(pair.old).includes("object") && kindsOf(pair.new).includes("object");
  return isObject ? TRANSITIONS[`${othersOf(pair.old)} ${othersOf(pair.new)}`](pair) : [];
};

const UNKNOWN = "example-unknown";

const same: NodeCheck = () => [];
const kept: NodeCheck = (pair) => [
  { check: "unknown-fields-kept", message: `${called(pair)} keeps unknown fields of any value now.`, at: [PRESERVE] },
];

const TRANSITIONS: Readonly<Record<`${Others} ${Others}`, NodeCheck>> = {
  "dropped dropped": same,
  "judged judged": same,
  "kept kept": same,
  "dropped kept": kept,
  "judged kept": kept,
  "dropped judged": (pair) => [
    { check: "map-opened", message: `${called(pair)} accepts fields of any name now.`, at: ["additionalProperties"] },
  ],
  "judged dropped": (pair) => {
    const values = (): readonly (Json | undefined)[] =>
      withField(pair.old, UNKNOWN, sample(objectAt(pair.old, "additionalProperties")));
    const message = `${called(pair)} keeps only the fields that the schema names now; before, every field was kept.`;
    return [{ check: "map-closed", message, values }];
  },
  "kept dropped": (pair) => {
    const values = (): readonly (Json | undefined)[] => withField(pair.old, UNKNOWN, "example");
    const message = `${called(pair)} loses unknown fields now; before, they were kept.`;
    return [{ check: "unknown-fields-dropped", message, values }];
  },
  "kept judged": (pair) => {
    const values = (): readonly (Json | undefined)[] =>
      ([{}, "example", 1] as const).flatMap((value) => withField(pair.old, UNKNOWN, value));
    const message = `${called(pair)} judges unknown fields by additionalProperties now; before, every value was kept.`;
    return [{ check: "unknown-fields-constrained", message, at: ["additionalProperties"], values }];
  },
};

/** `nullable`: the API server drops a field with a null that is not accepted, and refuses such an item of a list. */
export const nullability: NodeCheck = (pair) => {
  const [before, after] = [isSet(pair.old, "nullable"), isSet(pair.new, "nullable")];
  if (before === after) return [];
  if (after) return [{ check: "null-accepted", message: `${called(pair)} may be null now.`, at: ["nullable"] }];
  const message = `${called(pair)} may not be ${quoted(null)} any more`;
  if (isDropped(pair)) return [{ check: "null-dropped", message: `${message}: the API server drops it.` }];
  return [{ check: "null-refused", message: `${message}.`, values: () => [null] }];
};

/** Whether a null is dropped before anything is judged, and nobody misses it. */
function isDropped({ parent, within }: SchemaPair): boolean {
  return parent !== undefined && typeof within === "object" && !needed(parent.new).has(within.name);
}
