import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";
import type { Random } from "../../support/random.ts";

/** The part of a JSON schema from which samples are made. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  /** What samples do not look at. */
  readonly [keyword: string]: unknown;
}

/** Deeper than this only what is required is made. */
const DEEP = 6;

const TEXTS = [
  "a",
  "abc",
  "a-b",
  "1.0.0",
  "v1",
  "https://example.org/a",
  "a.b.c",
  "a/b",
  "ABC",
  "10m",
  "1Gi",
  "0",
  "1h",
];

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  duration: "1h",
  byte: "YQ==",
  uri: "https://example.org",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  ipv4: "127.0.0.1",
  hostname: "example.org",
};

/** A value that the schema will mostly accept. */
export function sample(schema: Schema, random: Random, depth = 0): Json {
  const [first, ...others] = schema.enum ?? [];
  if (first !== undefined) return random.pick([first, ...others]);
  if (schema["x-kubernetes-int-or-string"] === true) return random.pick<Json>([1, "50%"]);
  if (schema["x-kubernetes-embedded-resource"] === true) {
    return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "embedded" } };
  }
  return SAMPLERS[schema.type ?? ""]?.(schema, random, depth) ?? "anything";
}

const SAMPLERS: Readonly<Record<string, (schema: Schema, random: Random, depth: number) => Json>> = {
  object: sampleObject,
  array: sampleList,
  integer: sampleNumber,
  number: sampleNumber,
  boolean: (_, random) => random.chance(0.5),
  string: sampleText,
};

function sampleNumber({ minimum = 0 }: Schema, random: Random): number {
  return Math.max(minimum, Math.floor(random.next() * 5));
}

function sampleList({ minItems = 0, items = {} }: Schema, random: Random, depth: number): readonly Json[] {
  const length = Math.max(minItems, Math.floor(random.next() * 3));
  return Array.from({ length }, () => sample(items, random, depth + 1));
}

function sampleObject(schema: Schema, random: Random, depth: number): JsonObject {
  const { properties = {}, required = [], additionalProperties } = schema;
  const probability = depth > DEEP ? 0 : 0.6 / (depth + 1) + 0.1;
  const named = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(probability));
  const free = typeof additionalProperties === "object" && random.chance(0.5) ? { key: additionalProperties } : {};
  return Object.fromEntries(
    [...named, ...Object.entries(free)].map(([name, inner]) => [name, sample(inner, random, depth + 1)]),
  );
}

function sampleText({ format = "", pattern, minLength = 0 }: Schema, random: Random): string {
  const formatted = FORMATS[format];
  if (formatted !== undefined) return formatted;
  const text = random.pick(["a", ...TEXTS]);
  if (pattern !== undefined) return [text, ...TEXTS].find((one) => matches(pattern, one)) ?? text;
  return text.padEnd(minLength, "x");
}

/** What RE2 writes differently is not looked for. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
