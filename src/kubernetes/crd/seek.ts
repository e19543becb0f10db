import type { Sought, Nesting } from "./change.ts";
import { isJsonObject, type Json, type JsonObject } from "../object.ts";
import { basesFor, objectsBy, ruleTexts } from "./bases.ts";
import { sample, settle } from "./example.ts";
import { wantedField } from "./pair.ts";
import { distinct, objectAt, jsonObject, omit, schemaProperty, textsAt, type Schema } from "./schema.ts";

/** A place in objects, with its relevant field. */
export interface Spot extends Pick<Sought, "steps" | "field" | "isAbsent"> {
  /** Whether a value replaces the existing one as it is. */
  readonly isWhole?: boolean;
}

/** `object` with a value at a place. Missing parents are created, as small as the schema allows. */
export function graft(object: Json | undefined, spot: Spot, value: Json, schema: Schema): Json {
  const [step, ...steps] = spot.steps;
  if (step === undefined) return merged(object, value, spot, schema);
  const next = { ...spot, steps };
  if (step === "item") {
    const [first, ...others] = Array.isArray(object) ? (object as readonly Json[]) : [];
    return [graft(first, next, value, objectAt(schema, "items")), ...others];
  }
  const whole = isJsonObject(object) ? object : (basesFor(schema, step.name)[0] ?? {});
  const inner = wantedField(schema, step.name)?.schema ?? {};
  return { ...whole, [step.name]: graft(whole[step.name], next, value, inner) };
}

/** Merges `value` into the existing value, whose required fields are better than those that a schema alone suggests. */
function merged(object: Json | undefined, value: Json, { field, isAbsent, isWhole }: Spot, schema: Schema): Json {
  if (isWhole === true || !isJsonObject(value) || !isJsonObject(object)) return value;
  if (field !== undefined) return isAbsent ? omit(object, field) : defined({ ...object, [field]: value[field] });
  const required = textsAt(schema, "required").filter((name) => object[name] !== undefined);
  return { ...value, ...Object.fromEntries(required.map((name) => [name, object[name]])) };
}

/** Why an object was refused: the field in Kubernetes' notation, and the message. */
interface ValidationRefusal {
  readonly field: string;
  readonly message: string;
}

/**
 * Variants of a refused object that differ near the refused field; the value at the sought place stays. Fields that the
 * message or the rules there mention are added and removed, alone and together, and alternatives of unions are tried.
 */
export function variants(
  object: JsonObject,
  schema: Schema,
  { field, message }: ValidationRefusal,
  { steps, field: own, isAbsent }: Spot,
): readonly JsonObject[] {
  // Changes near the refused field are most likely to help.
  return pathIn(object, schema, field)
    .slice(0, MOST_PLACES)
    .flatMap(({ node, schema: here, at, refused }) => {
      const relation = nestingRelation(at, steps);
      if (relation.kind === "within") return [];
      const isPlace = relation.kind === "there";
      const kept = relation.kind === "above" ? relation.name : isPlace && !isAbsent ? own : undefined;
      const hidden = isPlace && isAbsent ? own : undefined;
      const words = `${message} ${ruleTexts(here).join(" ")}`;
      const forms = objectForms(node, here, { kept, refused, hidden, words });
      return forms.map((form) => jsonObject(replaced(object, at, form)));
    });
}

/** The refused place, and its parent. */
const MOST_PLACES = 2;

/** An object within an object. */
interface NestedObject {
  readonly node: JsonObject;
  readonly schema: Schema;
  readonly at: readonly (string | number)[];
  /** The refused field in it, or the field that leads there. */
  readonly refused: string | undefined;
}

/** The objects on the way to a field, the innermost first. */
function pathIn(object: JsonObject, root: Schema, field: string): readonly NestedObject[] {
  const parts = [...field.matchAll(/\[(\d+)\]|\[([^\]]+)\]|([^.[\]]+)/g)].map((match) => match.slice(1).join(""));
  const found: NestedObject[] = [];
  let here: Located = { value: object, schema: root };
  const at: (string | number)[] = [];
  for (const part of [...parts, undefined]) {
    const { value, schema } = here;
    if (isJsonObject(value)) found.push({ node: value, schema, at: [...at], refused: part });
    if (part === undefined || value === undefined) break;
    if (Array.isArray(value)) {
      at.push(Number(part));
      here = { value: (value as readonly Json[])[Number(part)], schema: objectAt(schema, "items") };
    } else {
      at.push(part);
      here = { value: jsonObject(value)[part], schema: wantedField(schema, part)?.schema ?? {} };
    }
  }
  return found.reverse();
}

/** A value, and its schema. */
interface Located {
  readonly value: Json | undefined;
  readonly schema: Schema;
}

/** The relation of a place in an object to the sought place. */
type Relation =
  /** It contains the sought place, below the field `name`. */
  | { readonly kind: "above"; readonly name: string | undefined }
  | { readonly kind: "there" }
  | { readonly kind: "within" }
  | { readonly kind: "elsewhere" };

function nestingRelation(at: readonly (string | number)[], steps: readonly Nesting[]): Relation {
  for (const [index, part] of at.entries()) {
    const step = steps[index];
    if (step === undefined) return { kind: "within" };
    if (step === "item" ? part !== 0 : part !== step.name) return { kind: "elsewhere" };
  }
  const next = steps[at.length];
  if (next === undefined) return { kind: "there" };
  return { kind: "above", name: next === "item" ? undefined : next.name };
}

interface SeekOptions {
  /** The field that must not change. */
  readonly kept: string | undefined;
  readonly refused: string | undefined;
  /** The field that must be absent. */
  readonly hidden: string | undefined;
  readonly words: string;
}

/** Variants of one object: with and without each field in the words, and with fields that unions and rules may demand. */
function objectForms(
  node: JsonObject,
  schema: Schema,
  { kept, refused, hidden, words }: SeekOptions,
): readonly JsonObject[] {
  const names = [...new Set([refused ?? "", ...(words.match(/\w+/g) ?? [])])]
    .filter((name) => schemaProperty(schema, name) !== undefined && name !== kept)
    .slice(0, MOST_NAMES);
  const isResource = HEAD.every((name) => Object.hasOwn(node, name));
  const fixed = [...(kept === undefined ? [] : [kept]), ...(isResource ? HEAD : [])];
  const pinned = Object.fromEntries(fixed.map((name) => [name, node[name]]));
  const required = [...textsAt(schema, "required"), ...fixed];
  const optional = Object.keys(node).filter((name) => !required.includes(name));
  const forms = [
    ...optional.slice(0, MOST_NAMES).map((name) => omit(node, name)),
    optional.reduce(omit, node),
    ...names.flatMap((name) =>
      schemaValues(objectAt(objectAt(schema, "properties"), name), words).map((value) => ({ ...node, [name]: value })),
    ),
    ...CHOICES.flatMap((choice) => objectsBy(settle(schema, choice, kept), words)),
  ];
  const whole = forms.map((form) =>
    defined({ ...form, ...pinned, ...(hidden !== undefined && { [hidden]: undefined }) }),
  );
  return distinct(whole).slice(0, MOST_FORMS);
}

/** The fields of every Kubernetes object. */
const HEAD = ["apiVersion", "kind", "metadata"];

/** Values of a field; the words may also mention fields in it. */
function schemaValues(schema: Schema, words: string): readonly Json[] {
  const plain = CHOICES.map((choice) => sample(schema, choice)).filter((value) => value !== undefined);
  return isJsonObject(plain[0]) ? [...plain, ...objectsBy(settle(schema, 0), words)] : plain;
}

const CHOICES = [0, 1];
const MOST_NAMES = 6;
const MOST_FORMS = 24;

function defined(form: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
}

function replaced(value: Json | undefined, [step, ...rest]: readonly (string | number)[], by: Json): Json {
  if (step === undefined) return by;
  if (typeof step === "number")
    return (value as readonly Json[]).map((item, index) => (index === step ? replaced(item, rest, by) : item));
  const object = jsonObject(value);
  return { ...object, [step]: replaced(object[step], rest, by) };
}
