import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv, type ValidateFunction } from "ajv";
import { FORMATS, jsonSchemaOf, type DescribedSchema } from "./doubleSchema.ts";

interface Reference {
  readonly $ref?: string;
}

interface Parameter extends Reference {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: DescribedSchema;
  readonly "x-multi-segment"?: boolean;
}

interface Content {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: DescribedSchema } | undefined>>;
}

interface DescribedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, (Content & Reference) | undefined>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation | undefined>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DescribedSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

/** One operation of the REST API, found by a request. */
export interface Operation {
  /** `GET /repos/{owner}/{repo}/pulls`. */
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** The values of the path's parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly described: DescribedOperation;
}

interface Template {
  readonly text: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** How many characters are fixed: of two templates that fit, the more specific one is meant. */
  readonly fixed: number;
}

/** The one address of the GraphQL API, which the description of REST does not have: its schema judges the rest. */
const GRAPHQL: Operation = {
  name: "POST /graphql",
  parameters: [],
  path: {},
  described: {
    requestBody: { required: true, content: { "application/json": { schema: {} } } },
    responses: { 200: { content: { "application/json": { schema: {} } } } },
  },
};

let loaded: Description | undefined;
let templates: readonly Template[] | undefined;
const validators = new Map<DescribedSchema, ValidateFunction>();
const registered = new Set<string>();
const ajv = new Ajv({ strictTypes: false, allErrors: true, formats: FORMATS });

/** GitHub's description of its REST API, read once a process. */
function description(): Description {
  if (loaded !== undefined) return loaded;
  const path = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json");
  loaded = JSON.parse(readFileSync(path, "utf8")) as Description;
  return loaded;
}

/** The schema of a component. Throws when the description has none of that name. */
export function component(name: string): DescribedSchema {
  const schema = description().components.schemas[name];
  if (schema === undefined) throw new Error(`GitHub's description has no schema ${name}`);
  return schema;
}

/** The operation that a request means, or `undefined` when the description knows none. `path` is as it came. */
export function findOperation(method: string, path: string): Operation | undefined {
  if (`${method} ${path}` === GRAPHQL.name) return GRAPHQL;
  const decoded = decodeURIComponent(path);
  templates ??= Object.keys(description().paths).map(templateOf);
  const fitting = templates
    .filter(({ pattern }) => pattern.test(decoded))
    .sort((one, other) => other.fixed - one.fixed);
  for (const { text, pattern, names } of fitting) {
    const described = description().paths[text]?.[method.toLowerCase()];
    if (described === undefined) continue;
    const values = pattern.exec(decoded)?.slice(1) ?? [];
    return {
      name: `${method} ${text}`,
      parameters: parametersOf(described),
      path: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""])),
      described,
    };
  }
  return undefined;
}

function templateOf(text: string): Template {
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const operations = Object.values(description().paths[text] ?? {});
  const isMulti = (name: string): boolean =>
    operations.some((operation) =>
      parametersOf(operation).some((parameter) => parameter.name === name && parameter["x-multi-segment"] === true),
    );
  const source = text
    .replaceAll(/[.+]/g, "\\$&")
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => (isMulti(name) ? "(.+)" : "([^/]+)"));
  return { text, names, pattern: new RegExp(`^${source}$`), fixed: text.replaceAll(/\{\w+\}/g, "").length };
}

function parametersOf(operation: DescribedOperation | undefined): readonly Parameter[] {
  return (operation?.parameters ?? []).map((parameter) => {
    const name = parameter.$ref?.split("/").at(-1);
    return name === undefined ? parameter : (description().components.parameters[name] ?? parameter);
  });
}

/** What is wrong with a request; empty when the description allows it. */
export function requestFaults(operation: Operation, query: URLSearchParams, body: unknown): readonly string[] {
  const { parameters, path, described } = operation;
  const known = parameters.filter((parameter) => parameter.in === "query");
  const unknown = [...query.keys()].filter((name) => !known.some((parameter) => parameter.name === name));
  const missing = known.filter((parameter) => parameter.required === true && !query.has(parameter.name));
  const judged = [
    ...parameters.filter((one) => one.in === "path").map((one) => [one, path[one.name] ?? null] as const),
    ...known.map((parameter) => [parameter, query.get(parameter.name)] as const),
  ];
  return [
    ...unknown.map((name) => `the description knows no query parameter ${name}`),
    ...missing.map(({ name }) => `the query parameter ${name} is missing`),
    ...judged.flatMap(([{ name, schema }, text]) =>
      text === null ? [] : mistakes(schema, valueOf(schema, text)).map((mistake) => `parameter ${name} ${mistake}`),
    ),
    ...bodyFaults(described.requestBody, body),
  ];
}

function valueOf(schema: DescribedSchema, text: string): unknown {
  if (schema.type === "integer" || schema.type === "number") return text === "" ? text : Number(text);
  if (schema.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

function bodyFaults(described: Content | undefined, body: unknown): readonly string[] {
  const schema = described?.content?.["application/json"]?.schema;
  if (body === undefined) return described?.required === true ? ["the body is missing"] : [];
  if (schema === undefined) return ["the description knows no body here"];
  return mistakes(schema, body).map((mistake) => `body ${mistake}`);
}

/** What is wrong with an answer. */
export function responseFaults(operation: Operation, status: number, body: unknown): readonly string[] {
  const isRefusal = status >= 400;
  const listed = operation.described.responses[String(status)];
  if (listed === undefined && !isRefusal) return [`the description knows no answer ${status}`];
  const schema = answerSchema(listed);
  if (body === undefined) return schema === undefined ? [] : ["the answer has no body"];
  // GitHub's refusals have a body, and those that an operation does not list have the form of all
  if (schema === undefined && !isRefusal) return ["the description knows no body here"];
  return mistakes(schema ?? component("basic-error"), body).map((mistake) => `answer ${status} ${mistake}`);
}

function answerSchema(listed: (Content & Reference) | undefined): DescribedSchema | undefined {
  const name = listed?.$ref?.split("/").at(-1);
  const response = name === undefined ? listed : description().components.responses[name];
  return response?.content?.["application/json"]?.schema;
}

function mistakes(schema: DescribedSchema, value: unknown): readonly string[] {
  const validate = validators.get(schema) ?? ajv.compile(jsonSchemaOf(schema, true, register));
  validators.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = "", params }) => {
    const field = (params as { readonly additionalProperty?: string }).additionalProperty;
    return `${instancePath || "/"} ${message}${field === undefined ? "" : `: ${field}`}`;
  });
}

function register(name: string, isClosed: boolean): string {
  const identity = `${isClosed ? "github" : "open"}:${name}`;
  if (registered.has(identity)) return identity;
  registered.add(identity);
  ajv.addSchema(jsonSchemaOf(component(name), isClosed, register), identity);
  return identity;
}
