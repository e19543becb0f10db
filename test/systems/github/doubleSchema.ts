/** The rules that OpenAPI and JSON Schema write in the same way. */
interface Limits {
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

const LIMITS = [
  ...(["pattern", "minLength", "maxLength", "minimum", "maximum"] as const),
  ...(["minItems", "maxItems", "uniqueItems"] as const),
];

/** The part of an OpenAPI 3.0 schema that GitHub's description uses. */
export interface DescribedSchema extends Limits {
  readonly $ref?: string;
  readonly type?: "object" | "array" | "boolean" | "integer" | "number" | "string";
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
  readonly additionalProperties?: boolean | DescribedSchema;
  readonly items?: DescribedSchema;
  readonly allOf?: readonly DescribedSchema[];
  readonly oneOf?: readonly DescribedSchema[];
  readonly anyOf?: readonly DescribedSchema[];
}

/** A JSON Schema for ajv. */
export type JsonSchema = Record<string, unknown>;

/** The formats that the description uses; what is not listed stops the compilation. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uri: (text) => URL.canParse(text),
  "uri-template": (text) => URL.canParse(text.replaceAll(/\{[^}]*\}/g, "")),
  "date-time": (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text),
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  "repo.nwo": (text) => /^[^/]+\/[^/]+$/.test(text),
};

const PREFIX = "#/components/schemas/";

/** The name of the component that `schema` refers to. */
export function referenceOf(schema: DescribedSchema): string | undefined {
  return schema.$ref?.startsWith(PREFIX) === true ? schema.$ref.slice(PREFIX.length) : undefined;
}

/**
 * The JSON Schema that says what an OpenAPI schema says: `nullable` becomes a choice, and an object with listed fields
 * has no others (`isClosed`), since a field that GitHub does not know is a mistake of the one who sends it.
 */
export function jsonSchemaOf(schema: DescribedSchema, isClosed: boolean, visit: Visit): JsonSchema {
  const component = referenceOf(schema);
  if (component !== undefined) return { $ref: visit(component, isClosed) };
  const converted = {
    ...ownRules(schema),
    ...inside(schema, visit),
    ...parts(schema, visit),
    ...additional(schema, isClosed),
  };
  return schema.nullable === true ? { anyOf: [{ type: "null" }, converted] } : converted;
}

/** Takes the name of a component that a schema refers to, and gives the identity of its JSON Schema. */
export type Visit = (component: string, isClosed: boolean) => string;

function ownRules(schema: DescribedSchema): JsonSchema {
  const { type, format, required, enum: values } = schema;
  return {
    ...Object.fromEntries(LIMITS.filter((name) => name in schema).map((name) => [name, schema[name]])),
    ...(type !== undefined && { type }),
    ...(format !== undefined && type === "string" && { format }),
    ...(values !== undefined && { enum: values.filter((value) => value !== null) }),
    ...(required !== undefined && required.length > 0 && { required }),
  };
}

function inside({ properties, additionalProperties, items }: DescribedSchema, visit: Visit): JsonSchema {
  const inner = (part: DescribedSchema): JsonSchema => jsonSchemaOf(part, true, visit);
  return {
    ...(properties !== undefined && { properties: mapped(properties, inner) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: inner(additionalProperties) }),
    ...(items !== undefined && { items: inner(items) }),
  };
}

function parts({ properties, allOf, oneOf, anyOf }: DescribedSchema, visit: Visit): JsonSchema {
  // the parts of a sum know only their own fields: whether others may be there is a matter of the sum
  const convert =
    (isClosed: boolean) =>
    (part: DescribedSchema): JsonSchema =>
      jsonSchemaOf(part, isClosed, visit);
  const isAlone = properties === undefined;
  return {
    ...(allOf !== undefined && { allOf: allOf.map(convert(false)) }),
    ...(oneOf !== undefined && { oneOf: oneOf.map(convert(isAlone)) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(convert(isAlone)) }),
  };
}

function additional(schema: DescribedSchema, isClosed: boolean): JsonSchema {
  const { properties, additionalProperties, allOf, oneOf, anyOf } = schema;
  if (additionalProperties === false) return { additionalProperties };
  const parts = [allOf, oneOf, anyOf].flatMap((list) => list ?? []);
  const isAlone = parts.every((part) => part.properties === undefined && part.$ref === undefined);
  const isSilent = additionalProperties === undefined;
  return isClosed && isSilent && isAlone && properties !== undefined ? { additionalProperties: false } : {};
}

function mapped(
  properties: Readonly<Record<string, DescribedSchema>>,
  convert: (schema: DescribedSchema) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, convert(schema)]));
}
