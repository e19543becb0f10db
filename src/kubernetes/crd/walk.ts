import type { Json } from "../object.ts";
import { bounds, multiples } from "./bounds.ts";
import { combinations } from "./composition.ts";
import { joined, refined, sample } from "./example.ts";
import { defaults, fields, nullability, otherFields } from "./fields.ts";
import {
  asEmbedded,
  asResource,
  called,
  wantedField,
  isEmbedded,
  type NodeCheck,
  type Note,
  type SchemaPair,
} from "./pair.ts";
import { rules } from "./rules.ts";
import {
  EMBEDDED,
  LIST_MAP_KEYS,
  LIST_TYPE,
  MAP_TYPE,
  objectAt,
  jsonObject,
  propertyNames,
  type Schema,
  schemaAt,
  textAt,
  textsAt,
} from "./schema.ts";
import { enums, formats, isComparable, patterns, twice, types, uniqueness } from "./values.ts";

/** The checks for two schemas with comparable values. */
const CHECKS_OF_A_NODE: readonly NodeCheck[] = [
  types,
  nullability,
  fields,
  otherFields,
  defaults,
  enums,
  patterns,
  formats,
  bounds,
  multiples,
  uniqueness,
  combinations,
  embedding,
  listTypes,
  mapTypes,
  rules,
];

/** A note, and its place. */
export interface PlacedNote {
  readonly pair: SchemaPair;
  readonly note: Note;
}

/** A pair of schemas of whole objects: the root of a walk. */
export function rootPair(old: Schema, wanted: Schema, steps: SchemaPair["steps"]): SchemaPair {
  const place = { field: "", steps, parent: undefined, within: undefined, depth: 0, isStatus: false };
  return { ...place, old: asResource(old), new: asResource(wanted) };
}

/** All differences at or below a pair, parents first, fields by name. Without recursion, since schemas can be deep. */
export function walk(root: SchemaPair, hasStatus: boolean): readonly PlacedNote[] {
  const found: PlacedNote[] = [];
  const waiting: SchemaPair[] = [root];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const current = pair;
    const isSameKind = isComparable(pair);
    const checks = isSameKind ? CHECKS_OF_A_NODE : [types];
    for (const check of checks) found.push(...check(current).map((note) => ({ pair: current, note })));
    if (isSameKind) waiting.push(...below(pair, hasStatus).reverse());
  }
  return found;
}

function below(pair: SchemaPair, hasStatus: boolean): SchemaPair[] {
  const { old, new: wanted } = pair;
  const found: SchemaPair[] = [];
  for (const name of propertyNames(old, wanted)) {
    const [before, after] = [wantedField(old, name), wantedField(wanted, name)];
    if (before === undefined || after === undefined) continue;
    const isStatus = pair.isStatus || (hasStatus && pair.parent === undefined && name === "status");
    const place = { field: `${pair.field}.${name}`, steps: after.steps, within: { name }, isStatus };
    found.push(child(pair, place, before.schema, after.schema));
  }
  return [...found, ...inside(pair, "items"), ...inside(pair, "additionalProperties")];
}

function inside(pair: SchemaPair, keyword: "items" | "additionalProperties"): readonly SchemaPair[] {
  const [old, wanted] = [schemaAt(pair.old, keyword), schemaAt(pair.new, keyword)];
  if (old === undefined || wanted === undefined) return [];
  const isItem = keyword === "items";
  const place = { field: `${pair.field}${isItem ? "[]" : ".*"}`, steps: [keyword], isStatus: pair.isStatus };
  return [child(pair, { ...place, within: isItem ? "item" : { name: "example-key" } }, old, wanted)];
}

function child(
  parent: SchemaPair,
  place: Pick<SchemaPair, "field" | "steps" | "within" | "isStatus">,
  old: Schema,
  wanted: Schema,
): SchemaPair {
  const isResource = isEmbedded(old) && isEmbedded(wanted);
  const schemas = isResource ? { old: asEmbedded(old), new: asEmbedded(wanted) } : { old, new: wanted };
  return { ...place, ...schemas, parent, depth: parent.depth + 1 };
}

function embedding(pair: SchemaPair): readonly Note[] {
  const [before, after] = [isEmbedded(pair.old), isEmbedded(pair.new)];
  if (before === after) return [];
  if (before)
    return [
      { check: "embedded-resource-removed", message: `${called(pair)} no longer has to be a Kubernetes object.` },
    ];
  const message = `${called(pair)} has to be a Kubernetes object with apiVersion and kind now; before, any object was accepted.`;
  return [{ check: "embedded-resource-added", message, at: [EMBEDDED], values: () => [sample(pair.old)] }];
}

function listTypes(pair: SchemaPair): readonly Note[] {
  const [before, after] = [schemaListType(pair.old), schemaListType(pair.new)];
  if (before === after) return after === "map" ? listMapKeys(pair) : [];
  const at = [LIST_TYPE];
  const message = `${called(pair)} is a list of type ${after} now; it was of type ${before}.`;
  if (before !== "atomic") return [{ check: "list-type-changed", message, at }];
  return [{ check: "list-type-narrowed", message, at, values: () => [sample(twice(pair.old))] }];
}

function schemaListType(schema: Schema): string {
  return textAt(schema, LIST_TYPE) ?? "atomic";
}

function listMapKeys(pair: SchemaPair): readonly Note[] {
  const [before, after] = [textsAt(pair.old, LIST_MAP_KEYS), textsAt(pair.new, LIST_MAP_KEYS)];
  const gone = before.filter((key) => !after.includes(key));
  if (gone.length === 0 && before.length === after.length) return [];
  const message = `The items of ${called(pair)} are identified by ${after.join(", ")} now; before, by ${before.join(", ")}.`;
  const at = [LIST_MAP_KEYS];
  if (gone.length === 0) return [{ check: "list-map-keys-changed", message, at }];
  return [{ check: "list-map-keys-narrowed", message, at, values: () => [differingIn(pair.old, gone)] }];
}

/** Two items that differ in the given keys only. */
function differingIn(list: Schema, keys: readonly string[]): Json | undefined {
  const items = objectAt(list, "items");
  const first = sample(joined(items, { required: textsAt(list, LIST_MAP_KEYS) }));
  const others = keys.map(
    (key) => [key, sample(refined(objectAt(objectAt(items, "properties"), key), {}), 1)] as const,
  );
  return first === undefined ? undefined : [first, { ...jsonObject(first), ...Object.fromEntries(others) }];
}

function mapTypes(pair: SchemaPair): readonly Note[] {
  const [before, after] = [pair.old, pair.new].map((schema) => textAt(schema, MAP_TYPE) ?? "granular");
  if (before === after) return [];
  const message = `${called(pair)} is merged as ${String(after)} now; before, as ${String(before)}.`;
  return [{ check: "map-type-changed", message, at: [MAP_TYPE] }];
}
