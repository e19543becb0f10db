import { Ajv, type SchemaValidateFunction } from "ajv";
import { TEXT_FORMATS } from "./formats.ts";

/** Keywords that only editors or the API server evaluate. */
const ANNOTATIONS = [
  "errorMessage",
  "patternErrorMessage",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-validations",
];

/** An error of the keyword `x-kubernetes-list-map-keys`: item `index` has the same `key` as the earlier item `first`. */
interface DuplicateItem {
  readonly index: number;
  readonly first: number;
  readonly key: string;
}

/**
 * A JSON Schema compiler that knows the formats and keywords of `schemas/`, and reports every error.
 *
 * As the API server does, it refuses items with equal keys in lists that Kubernetes merges by key.
 */
export function schemaCompiler(): Ajv {
  // A command compiles a few schemas for a few files: optimising the code and validating the schemas at each start costs
  // more time than it saves. Tests validate the schemas.
  const quick = { validateSchema: false, code: { optimize: false } };
  const ajv = new Ajv({ allErrors: true, verbose: true, strictTypes: false, strictRequired: false, ...quick });
  for (const [name, { accepts }] of Object.entries(TEXT_FORMATS)) ajv.addFormat(name, accepts);
  ajv.addVocabulary(ANNOTATIONS);
  ajv.addKeyword({
    keyword: "x-kubernetes-list-map-keys",
    type: "array",
    schemaType: "array",
    errors: true,
    validate: uniqueByKeys,
  });
  return ajv;
}

const uniqueByKeys: SchemaValidateFunction = (keys: readonly string[], items: readonly unknown[]): boolean => {
  const duplicates = duplicateItems(keys, items);
  uniqueByKeys.errors = duplicates.map((params) => ({ keyword: "x-kubernetes-list-map-keys", params }));
  return duplicates.length === 0;
};

function duplicateItems(keys: readonly string[], items: readonly unknown[]): DuplicateItem[] {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    if (typeof item !== "object" || item === null) return [];
    const fields: Readonly<Record<string, unknown>> = { ...item };
    const key = keys.map((name) => JSON.stringify(fields[name])).join(", ");
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined ? [] : [{ index, first, key }];
  });
}
