import type { ErrorObject, SchemaObject } from "ajv";

/** One rule of a schema: the node that holds it, by JSON Pointer, the keyword, and which name a `required` asks for. */
export interface Constraint {
  readonly pointer: string;
  readonly keyword: string;
  readonly name: string | undefined;
}

/** Where a node of a schema judges an example: a value, or the keys of an object. */
interface Use {
  readonly example: unknown;
  readonly path: readonly string[];
  readonly of: "value" | "keys";
}

/** Keywords that refuse something, each with values that it may refuse, made from one that it accepts. */
const SPOILERS: Readonly<
  Record<string, (value: unknown, node: SchemaObject, others: readonly unknown[]) => unknown[]>
> = {
  type: () => ["x", 0, 1.5, true, [], {}],
  const: () => ["no such value", 2, false],
  enum: () => ["no such value"],
  pattern: (value) => [
    "",
    " ",
    "!",
    `${text(value)}!`,
    `!${text(value)}`,
    text(value).toUpperCase(),
    "none",
    "a/b/c",
    ".",
  ],
  format: () => ["", "nonsense"],
  minLength: (value, node) => [text(value).slice(0, Number(node["minLength"]) - 1)],
  maxLength: (value, node) =>
    ["a", "-a", text(value).slice(-1)].map((end) => text(value) + end.repeat(Number(node["maxLength"]))),
  minimum: (_, node) => [Number(node["minimum"]) - 1],
  exclusiveMinimum: (_, node) => [Number(node["exclusiveMinimum"])],
  minItems: () => [[]],
  uniqueItems: (value) => [[...list(value), list(value)[0]]],
  minProperties: () => [{}],
  maxProperties: (_, __, others) => [others.reduce<object>((all, other) => ({ ...all, ...fields(other) }), {})],
  additionalProperties: (value) => [{ ...fields(value), unheardOf: 1 }, { unheardOf: 1 }],
  not: () => ["fast", "org/name", {}, []],
  "x-kubernetes-list-map-keys": (value) => [[...list(value), list(value)[0]]],
};

/** Keywords that only lead to further nodes, or only tell something. A keyword in no list is unknown to this test. */
const PLAIN = [
  ...["$schema", "$id", "$ref", "title", "description", "examples", "default", "errorMessage", "patternErrorMessage"],
  ...["properties", "items", "propertyNames", "definitions", "if", "then", "else", "required"],
  ...["x-kubernetes-embedded-resource", "x-kubernetes-list-type", "x-kubernetes-map-type"],
  ...["x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations"],
];

/** Every rule of `schema`. Throws at a keyword for which there are no spoilers: a new rule needs a way to break it. */
export function constraintsOf(schema: SchemaObject): readonly Constraint[] {
  return nodesOf(schema).flatMap(([pointer, node]) =>
    Object.entries(node).flatMap(([keyword, value]): Constraint[] => {
      if (keyword === "required") return list(value).map((name) => ({ pointer, keyword, name: text(name) }));
      // An enum says which type it means; a structural schema wants it written down all the same.
      if (keyword === "type" && "enum" in node) return [];
      if (PLAIN.includes(keyword) || (keyword === "additionalProperties" && value !== false)) return [];
      if (SPOILERS[keyword] === undefined) throw new Error(`${pointer}: nothing is known to break ${keyword}`);
      return [{ pointer, keyword, name: undefined }];
    }),
  );
}

/** Every node of a schema with its pointer. Those of `if` are conditions, not rules. */
function nodesOf(node: SchemaObject, pointer = ""): [string, SchemaObject][] {
  const maps = ["properties", "definitions"].flatMap((keyword) =>
    Object.entries(fields(node[keyword])).map(([name, child]) => [`${pointer}/${keyword}/${name}`, child] as const),
  );
  const single = ["items", "propertyNames", "then", "else", "additionalProperties"].map(
    (keyword) => [`${pointer}/${keyword}`, node[keyword]] as const,
  );
  const children = [...maps, ...single].filter(([, child]) => isObject(child));
  return [[pointer, node], ...children.flatMap(([at, child]) => nodesOf(child as SchemaObject, at))];
}

/** What only holds the errors of other nodes; each of those is reported too. */
const WRAPPERS = ["if", "propertyNames"];

/** Whether all of these errors come from one constraint of `schema`. */
export function areAllOf(
  { pointer, keyword, name }: Constraint,
  schema: SchemaObject,
  errors: readonly ErrorObject[],
): boolean {
  const node = at(schema, pointer);
  // The error of a keyword that the compiler was taught has no node.
  const isOfIt = (error: ErrorObject): boolean =>
    error.keyword === keyword &&
    (error.parentSchema === undefined ? error.schema === node[keyword] : error.parentSchema === node) &&
    (name === undefined || error.params["missingProperty"] === name);
  return errors.every((error) => WRAPPERS.includes(error.keyword) || isOfIt(error));
}

/** Copies of the schema's examples, each changed in one place so that it may break `constraint`. */
export function spoiled(schema: SchemaObject, constraint: Constraint): readonly unknown[] {
  const uses = list(schema["examples"])
    .flatMap((example) => usesOf(schema, "", example, []))
    .filter(({ pointer }) => pointer === constraint.pointer)
    .map(({ use }) => use);
  const node = at(schema, constraint.pointer);
  const others = uses.map(({ example, path }) => valueAt(example, path));
  return uses.flatMap((use) => {
    const value = valueAt(use.example, use.path);
    if (constraint.name !== undefined) return [replaced(use.example, use.path, without(value, constraint.name))];
    if (use.of === "keys") return keySpoilers(use, value);
    const values = SPOILERS[constraint.keyword]?.(value, node, others) ?? [];
    return values.map((bad) => replaced(use.example, use.path, bad));
  });
}

function keySpoilers({ example, path }: Use, value: unknown): unknown[] {
  const [first] = Object.values(fields(value));
  return ["", "a b", "none", "a/b/c"].map((key) => replaced(example, path, { ...fields(value), [key]: first }));
}

interface Found {
  readonly pointer: string;
  readonly use: Use;
}

/** Every node that judges `example`, and where. */
function usesOf(schema: SchemaObject, pointer: string, example: unknown, path: readonly string[]): Found[] {
  const node = at(schema, pointer);
  const reference: unknown = node["$ref"];
  if (typeof reference === "string") return usesOf(schema, reference.slice(1), example, path);
  const value = valueAt(example, path);
  const deeper = (child: string, key: string): Found[] =>
    usesOf(schema, `${pointer}/${child}`, example, [...path, key]);
  const same = (child: string): Found[] => usesOf(schema, `${pointer}/${child}`, example, path);
  const properties = fields(node["properties"]);
  return [
    { pointer, use: { example, path, of: "value" } },
    ...Object.entries(properties).flatMap(([name, child]) =>
      name in fields(value) || "not" in fields(child) ? deeper(`properties/${name}`, name) : [],
    ),
    ...(isObject(node["items"]) ? list(value).flatMap((_, index) => deeper("items", String(index))) : []),
    ...(isObject(node["additionalProperties"])
      ? Object.keys(without(value, ...Object.keys(properties))).flatMap((name) => deeper("additionalProperties", name))
      : []),
    ...(isObject(node["propertyNames"]) ? keysUse(schema, `${pointer}/propertyNames`, example, path) : []),
    ...["then", "else"].filter((branch) => branch in node).flatMap(same),
  ];
}

function keysUse(schema: SchemaObject, pointer: string, example: unknown, path: readonly string[]): Found[] {
  const reference: unknown = at(schema, pointer)["$ref"];
  return [
    { pointer: typeof reference === "string" ? reference.slice(1) : pointer, use: { example, path, of: "keys" } },
  ];
}

function at(schema: SchemaObject, pointer: string): SchemaObject {
  const found = valueAt(schema, pointer.split("/").slice(1));
  if (!isObject(found)) throw new Error(`${pointer} leads to no schema`);
  return found;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((parent, key) => (isObject(parent) ? parent[key] : undefined), value);
}

function replaced(example: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(example))
    return example.map((item: unknown, i) => (String(i) === key ? replaced(item, rest, value) : item));
  return { ...fields(example), [key]: replaced(fields(example)[key], rest, value) };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const fields = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const without = (value: unknown, ...names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields(value)).filter(([name]) => !names.includes(name)));
