import { fieldAt } from "../../document/fields.ts";
import type { Json, JsonObject } from "../object.ts";
import type { Counterexample, Sought, Nesting, WantedPath } from "./change.ts";
import type { Check } from "./checks.ts";
import type { Definition } from "./definition.ts";
import type { Drawing } from "./draw.ts";
import { sample } from "./example.ts";
import { ruleTexts } from "./bases.ts";
import { surround, type Note, type SchemaPair } from "./pair.ts";
import { objectAt, jsonObject, schemaProperty, textsAt, type Schema } from "./schema.ts";

/** The first fields of an object. */
interface Head {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
}

/** The first fields of objects of one version of a definition. */
export function exampleHead({ group, kind, isNamespaced }: Definition, version: string): Head {
  const metadata = { name: "example", ...(isNamespaced && { namespace: "default" }) };
  return { apiVersion: `${group}/${version}`, kind, metadata };
}

/** The maximum number of objects to prove one change, since each takes time. */
const MOST = 10;

/** The maximum depth of a place: a deeper one needs a large object. */
const DEEPEST = 40;

/** The variations of a value's surroundings, if they have rules. */
const ATTEMPTS = [0, 1, 2, 3, 4];

/** The content that makes an object prove a note; `undefined` when unknown. */
export function soughtExample(
  pair: SchemaPair,
  { check, at = [], below = "", values, updates }: Note,
): Sought | undefined {
  const created = (values?.() ?? []).filter((value) => value !== undefined).slice(0, MOST);
  const updated = (updates?.() ?? []).slice(0, MOST);
  if (pair.depth > DEEPEST || created.length + updated.length === 0) return undefined;
  const field = /^\.(?!\*$)/.test(below) ? below.slice(1) : undefined;
  const place = { steps: stepsTo(pair), field, isAbsent: ABSENT.has(check), drawing: schemaDrawing(pair, at) };
  return { ...place, act: "create", values: created, updates: updated };
}

/** The checks that concern objects without a field. */
const ABSENT: ReadonlySet<Check> = new Set(["field-required", "default-added", "default-changed", "default-removed"]);

/** The name of an object, of whose metadata schemas and rules see nothing else. */
const NAME: Schema = { type: "string", pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", maxLength: 253 };

function schemaDrawing(pair: SchemaPair, at: WantedPath): Drawing {
  const hint = [
    ...[pair.new, pair.old].map((schema) => (fieldAt(schema, at.map(String)) ?? null) as Json),
    ...ruleTexts(pair.new),
    ...ruleTexts(pair.old),
  ];
  if (pair.field === ".metadata.name") return { schema: { ...NAME, ...pair.old }, hint };
  if (pair.parent !== undefined) return { schema: pair.old, hint };
  const name = { ...NAME, ...schemaProperty(objectAt(objectAt(pair.old, "properties"), "metadata"), "name") };
  const metadata = { type: "object", required: ["name"], properties: { name } };
  const properties = { ...objectAt(pair.old, "properties"), metadata };
  return { schema: { ...pair.old, properties, required: [...textsAt(pair.old, "required"), "metadata"] }, hint };
}

function stepsTo(pair: SchemaPair): readonly Nesting[] {
  const steps: Nesting[] = [];
  for (let place: SchemaPair | undefined = pair; place !== undefined; place = place.parent)
    if (place.within !== undefined) steps.push(place.within);
  return steps.reverse();
}

/** Objects with the values of a note at its place, and otherwise only the fields that the old version requires. */
export function drawCounterexamples(
  pair: SchemaPair,
  { values, updates }: Note,
  head: Head,
): readonly Counterexample[] {
  if (pair.depth > DEEPEST) return [];
  const [tried, replaced] = [values?.() ?? [], updates?.() ?? []];
  const attempts = isRuled(pair) ? ATTEMPTS : [0];
  const found = attempts.flatMap((attempt) => [
    ...tried.flatMap((value) => creation(objectWith(pair, value, head, attempt))),
    ...replaced.flatMap(([from, to]): readonly Counterexample[] => {
      const [old, wanted] = [from, to].map((value) => objectWith(pair, value, head, attempt));
      return old === undefined || wanted === undefined ? [] : [{ kind: "update", old, new: wanted }];
    }),
  ]);
  return found.slice(0, MOST);
}

/** Whether CEL rules apply to the surroundings of a place. */
function isRuled(pair: SchemaPair): boolean {
  let isFound = false;
  for (let place = pair.parent; place !== undefined; place = place.parent) isFound ||= ruleTexts(place.old).length > 0;
  return isFound;
}

function creation(object: JsonObject | undefined): readonly Counterexample[] {
  return object === undefined ? [] : [{ kind: "create", object }];
}

/** The objects that examples create. */
export function createdBy(examples: readonly Counterexample[]): readonly JsonObject[] {
  return examples.flatMap((example) => (example.kind === "update" ? [] : [example.object]));
}

/** The smallest object of a version. */
export function smallest(schema: Schema, head: Head): readonly Counterexample[] {
  const value = sample(schema);
  return value === undefined ? [] : creation(begun(value, head));
}

function objectWith(pair: SchemaPair, value: Json | undefined, head: Head, attempt: number): JsonObject | undefined {
  let whole = value;
  for (let place: SchemaPair | undefined = pair; place !== undefined; place = place.parent) {
    whole = surround(place, whole, attempt);
  }
  return whole === undefined ? undefined : begun(whole, head);
}

function begun(value: Json, { apiVersion, kind, metadata }: Head): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata: given, ...fields } = jsonObject(value);
  return { apiVersion, kind, metadata: { ...metadata, ...jsonObject(given) }, ...fields };
}
