import { bounds, steps } from "./bounds.ts";
import { combinations } from "./composition.ts";
import { extensions } from "./extensions.ts";
import { defaults, fields, nullability, otherFields } from "./fields.ts";
import { asResource, fieldOf, isEmbedded, type NodeCheck, type Note, type Pair } from "./pair.ts";
import { rules } from "./rules.ts";
import { propertyNames, schemaAt, type Schema } from "./schema.ts";
import { enums, formats, isComparable, patterns, types } from "./values.ts";

/** What is looked at where two schemas speak of comparable values. */
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
  steps,
  combinations,
  extensions,
  rules,
];

/** A note, and the place that it is about. */
export interface PlacedNote {
  readonly pair: Pair;
  readonly note: Note;
}

/** A pair of schemas of whole objects: the root of a walk. */
export function rootPair(old: Schema, wanted: Schema, steps: Pair["steps"]): Pair {
  const place = { field: "", steps, parent: undefined, within: undefined, depth: 0, isStatus: false };
  return { ...place, old: asResource(old), new: asResource(wanted) };
}

/** Everything that differs at or below a pair, from above to below, fields by name. Without recursion: schemas are deep. */
export function walk(root: Pair, hasStatus: boolean): readonly PlacedNote[] {
  const found: PlacedNote[] = [];
  const waiting: Pair[] = [root];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const current = pair;
    const isSameKind = isComparable(pair);
    const checks = isSameKind ? CHECKS_OF_A_NODE : [types];
    for (const check of checks) found.push(...check(current).map((note) => ({ pair: current, note })));
    if (isSameKind) waiting.push(...below(pair, hasStatus).reverse());
  }
  return found;
}

function below(pair: Pair, hasStatus: boolean): Pair[] {
  const { old, new: wanted } = pair;
  const found: Pair[] = [];
  for (const name of propertyNames(old, wanted)) {
    const [before, after] = [fieldOf(old, name), fieldOf(wanted, name)];
    if (before === undefined || after === undefined) continue;
    const isStatus = pair.isStatus || (hasStatus && pair.parent === undefined && name === "status");
    const place = { field: `${pair.field}.${name}`, steps: after.steps, within: { name }, isStatus };
    found.push(child(pair, place, before.schema, after.schema));
  }
  return [...found, ...inside(pair, "items"), ...inside(pair, "additionalProperties")];
}

function inside(pair: Pair, keyword: "items" | "additionalProperties"): readonly Pair[] {
  const [old, wanted] = [schemaAt(pair.old, keyword), schemaAt(pair.new, keyword)];
  if (old === undefined || wanted === undefined) return [];
  const isItem = keyword === "items";
  const place = { field: `${pair.field}${isItem ? "[]" : ".*"}`, steps: [keyword], isStatus: pair.isStatus };
  return [child(pair, { ...place, within: isItem ? "item" : { name: "example-key" } }, old, wanted)];
}

function child(
  parent: Pair,
  place: Pick<Pair, "field" | "steps" | "within" | "isStatus">,
  old: Schema,
  wanted: Schema,
): Pair {
  const isResource = isEmbedded(old) && isEmbedded(wanted);
  const schemas = isResource ? { old: asResource(old), new: asResource(wanted) } : { old, new: wanted };
  return { ...place, ...schemas, parent, depth: parent.depth + 1 };
}
