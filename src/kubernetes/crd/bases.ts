import type { JsonObject } from "../object.ts";
import { sample, settle } from "./example.ts";
import { distinct, listAt, objectAt, jsonObject, textAt, VALIDATIONS, type Schema } from "./schema.ts";

/**
 * Objects of a schema to which a field can be added: the smallest one, or several if there are CEL rules, since it is
 * unknown which objects the rules accept.
 */
export function basesFor(schema: Schema, field: string): readonly JsonObject[] {
  return objectsBy(settle(schema, 0, field), ruleTexts(schema).join(" "));
}

/** The texts of the CEL rules at a place. */
export function ruleTexts(schema: Schema): readonly string[] {
  return listAt(schema, VALIDATIONS).map((rule) => textAt(jsonObject(rule), "rule") ?? "");
}

/** More fields would make too many objects to try. */
const MOST_NAMES = 10;

/** Objects with the optional fields that a text mentions: with none, with all, with other values of all, and with each. */
export function objectsBy(schema: Schema, text: string): readonly JsonObject[] {
  const smallest = sample(schema);
  if (smallest === undefined) return [];
  const base = jsonObject(smallest);
  const properties = objectAt(schema, "properties");
  // Searches the words of the text, not the fields: an object can have thousands of fields.
  const words = [...new Set(text.match(/\w+/g))];
  const names = words
    .filter((word) => Object.hasOwn(properties, word))
    .slice(0, MOST_NAMES)
    .sort();
  if (names.length === 0) return [base];
  const [given, others] = [0, 1].map((choice): FieldList =>
    names
      .map((name) => [name, sample(objectAt(properties, name), choice)] as const)
      .filter(([, value]) => value !== undefined),
  ) as [FieldList, FieldList];
  const all = [base, { ...base, ...Object.fromEntries(given) }, { ...base, ...Object.fromEntries(others) }];
  const each = given.map(([name, value]) => ({ ...base, [name]: value }));
  return distinct([...all, ...each]);
}

type FieldList = readonly (readonly [string, JsonObject[string]])[];
