import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";
import type { Random } from "../../support/random.ts";

type Place = readonly [holder: Record<string, Json> | Json[], key: string | number];

const OTHERS: readonly [Json, ...Json[]] = [
  "other",
  "",
  "UPPER CASE",
  -1,
  0,
  99_999_999_999,
  1.5,
  true,
  null,
  [],
  {},
  [1, "two"],
  { unknown: { deeper: 1 } },
  "x".repeat(300),
];

const BAD_METADATA: readonly [JsonObject, ...JsonObject[]] = [
  { name: "Upper" },
  { name: "a..b" },
  { name: "x".repeat(254) },
  { labels: { "bad key!": "a" } },
  { labels: { a: "bad value!" } },
  { labels: { a: 1 } },
  { labels: "none" },
  { annotations: { "a/b/c": "x" } },
  { annotations: { a: true } },
  { finalizers: ["not qualified!"] },
  { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "a" }] },
  { generateName: "Bad_" },
  { unknown: "field" },
  { creationTimestamp: "yesterday" },
];

/** The object with one thing, seldom two, made worse or at least different. */
export function mutate(object: JsonObject, random: Random): JsonObject {
  const changed = structuredClone(object) as Record<string, Json>;
  do mutateOnce(changed, random);
  while (random.chance(0.15));
  return changed;
}

function mutateOnce(object: Record<string, Json>, random: Random): void {
  if (random.chance(0.12)) {
    object["metadata"] = { ...asObject(object["metadata"]), ...random.pick(BAD_METADATA) };
    return;
  }
  const [first, ...others] = placesOf(object).filter(([holder, key]) => holder !== object || !isOfEnvelope(key));
  if (first === undefined) return;
  const [holder, key] = random.pick([first, ...others]);
  random.pick([drop, replace, replace, repeat, addUnknown])(holder, key, random);
}

const isOfEnvelope = (key: string | number): boolean => ["apiVersion", "kind", "metadata"].includes(String(key));

function asObject(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function placesOf(value: Json): readonly Place[] {
  if (Array.isArray(value)) {
    const list = value as Json[];
    return list.flatMap((inner, index) => [[list, index] as const, ...placesOf(inner)]);
  }
  if (typeof value !== "object" || value === null) return [];
  const record = value as Record<string, Json>;
  return Object.entries(record).flatMap(([key, inner]) =>
    key === "metadata" ? [] : [[record, key] as const, ...placesOf(inner)],
  );
}

function drop(holder: Place[0], key: Place[1]): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
}

function replace(holder: Place[0], key: Place[1], random: Random): void {
  Reflect.set(holder, key, structuredClone(random.pick(OTHERS)));
}

/** The second of two equal entries breaks sets and maps. */
function repeat(holder: Place[0], key: Place[1]): void {
  const value: unknown = Reflect.get(holder, key);
  if (Array.isArray(holder)) holder.push(structuredClone(value) as Json);
  else if (Array.isArray(value)) value.push(...(structuredClone(value) as Json[]));
}

function addUnknown(holder: Place[0], key: Place[1]): void {
  const value: unknown = Reflect.get(holder, key);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) Reflect.set(value, "unknownField", 1);
  else if (!Array.isArray(holder)) holder["unknownField"] = 1;
}
