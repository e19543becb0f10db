import { component } from "./doubleDescription.ts";
import { referenceOf, type DescribedSchema } from "./doubleSchema.ts";

/** The fields of an object in an answer. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * An object of a component of GitHub's description: what is `known`, and an empty value for each further field that an
 * answer must have. GitHub's answers have dozens of fields that are not used here.
 */
export function complete(name: string, known: Fields): Fields {
  return completed(component(name), known);
}

function completed(schema: DescribedSchema, known: Fields): Fields {
  const missing = (schema.required ?? []).filter((field) => !(field in known));
  const emptied = missing.map((field) => [field, empty(schema.properties?.[field] ?? {})]);
  return { ...(Object.fromEntries(emptied) as Fields), ...known };
}

function empty(schema: DescribedSchema): unknown {
  const name = referenceOf(schema);
  if (name !== undefined) return empty(component(name));
  if (schema.nullable === true) return null;
  const choice = (schema.oneOf ?? schema.anyOf ?? schema.allOf)?.[0];
  if (choice !== undefined) return empty(choice);
  return schema.enum === undefined ? emptyOf(schema) : schema.enum[0];
}

function emptyOf(schema: DescribedSchema): unknown {
  const { type = "string", format } = schema;
  if (type === "object") return completed(schema, {});
  const values = { array: [], boolean: false, integer: 0, number: 0, string: emptyText(format) };
  return values[type];
}

function emptyText(format: string | undefined): string {
  if (format === "uri" || format === "uri-template") return "https://api.github.com/unused";
  return format === "date-time" ? "2020-01-01T00:00:00Z" : "";
}
