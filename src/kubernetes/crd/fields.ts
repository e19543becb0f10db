import type { Json } from "../object.ts";
import { basesFor } from "./bases.ts";
import { refined, sample } from "./example.ts";
import { called, wantedField, quoted, type NodeCheck, type Note, type SchemaPair } from "./pair.ts";
import {
  isSet,
  schemaKinds,
  canonicalMeaning,
  objectAt,
  omit,
  PRESERVE,
  propertyNames,
  schemaProperty,
  schemaAt,
  textsAt,
  type Schema,
} from "./schema.ts";

/** Removed, added and required fields. */
export const fields: NodeCheck = (pair) => {
  if (!schemaKinds(pair.new).includes("object")) return [];
  const names = propertyNames(pair.old, pair.new);
  const required = [...new Set([...textsAt(pair.old, "required"), ...textsAt(pair.new, "required")])].sort();
  const needs = [needed(pair.old), needed(pair.new)] as const;
  return [...names.flatMap((name) => presence(pair, name)), ...required.flatMap((name) => need(pair, name, needs))];
};

function presence(pair: SchemaPair, name: string): readonly Note[] {
  const [before, after] = [schemaProperty(pair.old, name), schemaProperty(pair.new, name)];
  const below = `.${name}`;
  const field = called(pair, below);
  if (before === undefined) {
    return [{ check: "field-added", message: `${field} is new.`, below, at: ["properties", name] }];
  }
  if (after !== undefined) return [];
  const rest = wantedField(pair.new, name);
  if (rest === undefined) {
    const message = `${field} was removed: the API server refuses it or drops it silently; before, it was kept.`;
    const place = { below, at: ["properties"] };
    return [{ check: "field-removed", message, ...place, values: () => withField(pair.old, name, sample(before)) }];
  }
  const message = `${field} has no schema anymore; every value is kept there now.`;
  return rest.steps[0] === PRESERVE ? [{ check: "field-unspecified", message, below, at: rest.steps }] : [];
}

/** Small objects of a schema with one additional field. */
function withField(schema: Schema, name: string, value: Json | undefined): readonly (Json | undefined)[] {
  return value === undefined ? [] : basesFor(schema, name).map((base) => ({ ...base, [name]: value }));
}

/** The fields without which an object is refused: required ones without a default, which is set before validation. */
function needed(schema: Schema): ReadonlySet<string> {
  return new Set(textsAt(schema, "required").filter((name) => schemaProperty(schema, name)?.["default"] === undefined));
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
    return [{ check: "field-optional", message: `${field} is optional now.`, below, at: ["properties", name] }];
  const isListed = textsAt(pair.old, "required").includes(name);
  const cause = isListed ? "its default was removed" : "before, it was optional";
  const message = `${field} is required now; ${cause}.`;
  return [{ check: "field-required", message, below, at: ["required"], values: () => without(pair.old, name) }];
}

/** Small objects of a schema without a field. */
function without(schema: Schema, name: string): readonly Json[] {
  const bases = basesFor(refined(schema, {}), name);
  return bases.map((base) => omit(base, name));
}

/** `default`. `fields` reports that a default makes a required field optional. */
export const defaults: NodeCheck = (pair) => [
  ...propertyNames(pair.old, pair.new).flatMap((name) => {
    const [before, after] = [schemaProperty(pair.old, name), schemaProperty(pair.new, name)];
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

/** `values`: objects without the field. The default is set before validation, and a rule may refuse the result. */
function filled(
  pair: SchemaPair,
  { default: before }: Schema,
  { default: after }: Schema,
  { below, at, values }: Required<Pick<Note, "below" | "at">> & Pick<Note, "values">,
): readonly Note[] {
  if (canonicalMeaning(before) === canonicalMeaning(after)) return [];
  const [had, has] = [before, after].map((value) => (value === undefined ? undefined : quoted(value)));
  const check = has === undefined ? "default-removed" : had === undefined ? "default-added" : "default-changed";
  const message = `${called(pair, below)} has ${has === undefined ? "no default" : `the default ${has}`} now; it had ${had ?? "none"}.`;
  return [{ check, message, below, at: [...at, "default"], ...(values && { values }) }];
}

/** The treatment of fields without a schema: dropped, validated as values of a map, or kept unchanged. */
type Others = "dropped" | "judged" | "kept";

function unlistedFields(schema: Schema): Others {
  if (schemaAt(schema, "additionalProperties") !== undefined) return "judged";
  return isSet(schema, PRESERVE) ? "kept" : "dropped";
}

/** `additionalProperties` and `x-kubernetes-preserve-unknown-fields`. */
export const otherFields: NodeCheck = (pair) => {
  const isObject = schemaKinds(pair.old).includes("object") && schemaKinds(pair.new).includes("object");
  return isObject ? TRANSITIONS[`${unlistedFields(pair.old)} ${unlistedFields(pair.new)}`](pair) : [];
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
    const message = `${called(pair)} keeps only fields of the schema now; before, every field was kept.`;
    return [
      {
        check: "map-closed",
        message,
        values: () => withField(pair.old, UNKNOWN, sample(objectAt(pair.old, "additionalProperties"))),
      },
    ];
  },
  "kept dropped": (pair) => {
    const message = `${called(pair)} loses unknown fields now; before, they were kept.`;
    return [{ check: "unknown-fields-dropped", message, values: () => withField(pair.old, UNKNOWN, "example") }];
  },
  "kept judged": (pair) => {
    const message = `${called(pair)} validates unknown fields with additionalProperties now; before, every value was kept.`;
    return [
      {
        check: "unknown-fields-constrained",
        message,
        at: ["additionalProperties"],
        values: () => ([{}, "example", 1] as const).flatMap((value) => withField(pair.old, UNKNOWN, value)),
      },
    ];
  },
};

/** `nullable`: the API server drops a field whose null is not accepted, and refuses such an item of a list. */
export const nullability: NodeCheck = (pair) => {
  const [before, after] = [isSet(pair.old, "nullable"), isSet(pair.new, "nullable")];
  if (before === after) return [];
  if (after) return [{ check: "null-accepted", message: `${called(pair)} may be null now.`, at: ["nullable"] }];
  const message = `${called(pair)} may no longer be ${quoted(null)}`;
  const { parent, within } = pair;
  // Before validation, and only where the field is not required.
  if (parent !== undefined && typeof within === "object" && !needed(parent.new).has(within.name))
    return [{ check: "null-dropped", message: `${message}: the API server drops it.` }];
  return [{ check: "null-refused", message: `${message}.`, values: () => [null] }];
};
