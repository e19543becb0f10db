import type { Check } from "../../../src/kubernetes/crd/compare.ts";
import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";
import { definitionOf, type TestDefinition } from "./definitions.ts";

/** Two schemas of one field, `.spec.<name>`. */
export interface SchemaPair {
  readonly name: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
  /** What the comparison finds, in its order. */
  readonly gives: readonly Check[];
  /** A value that both versions accept, where nothing is breaking. */
  readonly probe?: Json;
}

/** The definitions of a pair, each with this field only. */
export function definitionsOf(pair: SchemaPair): readonly [TestDefinition, TestDefinition] {
  return [definitionOf({ [pair.name]: pair.old }), definitionOf({ [pair.name]: pair.new })];
}

/** A schema of an object with one field, `value`. */
export function holding(value: JsonObject, rest: JsonObject = {}): JsonObject {
  return { type: "object", properties: { value }, ...rest };
}

/** A schema of a list. */
export function listOf(items: JsonObject, rest: JsonObject = {}): JsonObject {
  return { type: "array", items, ...rest };
}

/** A schema of a text. */
export const TEXT: JsonObject = { type: "string" };
/** A schema of an integer. */
export const INTEGER: JsonObject = { type: "integer" };
/** A schema of a number. */
export const NUMBER: JsonObject = { type: "number" };
/** A schema of a map of texts. */
export const MAP: JsonObject = { type: "object", additionalProperties: TEXT };
