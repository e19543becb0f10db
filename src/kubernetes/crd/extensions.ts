import type { Json } from "../object.ts";
import { twice } from "./bounds.ts";
import { joined, refined, sample } from "./example.ts";
import { called, isEmbedded, type NodeCheck, type Note, type Pair } from "./pair.ts";
import {
  EMBEDDED,
  LIST_MAP_KEYS,
  LIST_TYPE,
  MAP_TYPE,
  objectAt,
  objectOf,
  textAt,
  textsAt,
  type Schema,
} from "./schema.ts";

/** What Kubernetes adds to OpenAPI, beside fields, types and CEL: embedded resources, and how lists and maps are merged. */
export const extensions: NodeCheck = (pair) => [...embedding(pair), ...listTypes(pair), ...mapTypes(pair)];

function embedding(pair: Pair): readonly Note[] {
  const [before, after] = [isEmbedded(pair.old), isEmbedded(pair.new)];
  if (before === after) return [];
  if (before)
    return [
      { check: "embedded-resource-removed", message: `${called(pair)} need not be a Kubernetes object any more.` },
    ];
  const message = `${called(pair)} has to be a Kubernetes object with apiVersion and kind now; before, any object was accepted.`;
  return [{ check: "embedded-resource-added", message, at: [EMBEDDED], values: () => [sample(pair.old)] }];
}

function listTypes(pair: Pair): readonly Note[] {
  const [before, after] = [listTypeOf(pair.old), listTypeOf(pair.new)];
  if (before === after) return after === "map" ? listMapKeys(pair) : [];
  const at = [LIST_TYPE];
  const message = `${called(pair)} is a list of type ${after} now; it was of type ${before}.`;
  if (before !== "atomic") return [{ check: "list-type-changed", message, at }];
  return [{ check: "list-type-narrowed", message, at, values: () => [sample(twice(pair.old))] }];
}

function listTypeOf(schema: Schema): string {
  return textAt(schema, LIST_TYPE) ?? "atomic";
}

function listMapKeys(pair: Pair): readonly Note[] {
  const [before, after] = [textsAt(pair.old, LIST_MAP_KEYS), textsAt(pair.new, LIST_MAP_KEYS)];
  const gone = before.filter((key) => !after.includes(key));
  if (gone.length === 0 && before.length === after.length) return [];
  const message = `The items of ${called(pair)} are told apart by ${after.join(", ")} now; before, by ${before.join(", ")}.`;
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
  return first === undefined ? undefined : [first, { ...objectOf(first), ...Object.fromEntries(others) }];
}

function mapTypes(pair: Pair): readonly Note[] {
  const [before, after] = [pair.old, pair.new].map((schema) => textAt(schema, MAP_TYPE) ?? "granular");
  if (before === after) return [];
  const message = `${called(pair)} is merged as ${String(after)} now; before, as ${String(before)}.`;
  return [{ check: "map-type-changed", message, at: [MAP_TYPE] }];
}
