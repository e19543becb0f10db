import { compareDefinitions, type SchemaChange } from "../../../src/kubernetes/crd/compare.ts";
import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";
import { definitionOf } from "./definitions.ts";
import { TEXT } from "./pairs.ts";

/** A text that is shorter than every example. */
export const SHORT: JsonObject = { ...TEXT, maxLength: 3 };

/** The changes between two schemas of `.spec.value`. */
export function changesOf(old: JsonObject, wanted: JsonObject): readonly SchemaChange[] {
  return compareDefinitions(definitionOf({ value: old }), definitionOf({ value: wanted }));
}

/** The values of `.spec.value` with which a break is tried. */
export function attempts(old: JsonObject, wanted: JsonObject): readonly Json[] {
  const examples = changesOf(old, wanted).flatMap(({ counterexamples }) => counterexamples);
  const objects = examples.map((example) => (example.kind === "update" ? example.new : example.object));
  return objects.map(({ spec }) => (spec as { value: Json }).value);
}
