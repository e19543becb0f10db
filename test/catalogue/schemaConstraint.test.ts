import { describe, expect, it } from "vitest";
import { SCHEMAS, validate, type SchemaKind } from "../../src/catalogue/schema.ts";
import { schemaCompiler } from "../../src/document/schema/compile.ts";
import { areAllOf, constraintsOf, spoiled, type Constraint } from "./schemaConstraint.ts";

const KINDS = Object.keys(SCHEMAS) as SchemaKind[];

describe.each(KINDS)("the schema of %s", (kind) => {
  const schema = SCHEMAS[kind];
  const judge = schemaCompiler().compile(schema);

  it("accepts its examples", () => {
    const examples = schema["examples"] as readonly unknown[];

    expect(examples).not.toHaveLength(0);
    for (const example of examples) expect(validate(kind, example)).toEqual([]);
  });

  it("accepts the examples of its parts", () => {
    const compiler = schemaCompiler();
    compiler.addSchema(schema);
    for (const { pointer, example } of partExamples(schema)) {
      const judge = compiler.getSchema(`${String(schema.$id)}#${pointer}`);
      expect(judge?.(example), `${pointer} ${JSON.stringify(example)}`).toBe(true);
    }
  });

  it("describes every part", () => {
    for (const { pointer, node } of parts(schema)) {
      const told = node["$ref"] !== undefined || (node["title"] !== undefined && node["description"] !== undefined);
      expect(told, pointer).toBe(true);
    }
  });

  it.each(constraintsOf(schema).map((rule) => [titleOf(rule), rule] as const))(
    "refuses for %s alone",
    (_, constraint) => {
      const isRefusedAlone = (bad: unknown): boolean =>
        !judge(bad) && areAllOf(constraint, schema, judge.errors ?? []) && validate(kind, bad).length > 0;

      const proof = spoiled(schema, constraint).filter(isRefusedAlone);

      expect(proof).not.toHaveLength(0);
    },
  );
});

it("has equal definitions of one name in all schemas", () => {
  const meanings = new Map<string, unknown>();
  for (const kind of KINDS) {
    for (const [name, node] of Object.entries((SCHEMAS[kind]["definitions"] ?? {}) as Record<string, unknown>)) {
      expect(node, `${kind} ${name}`).toEqual(meanings.get(name) ?? node);
      meanings.set(name, node);
    }
  }
});

it("has no pattern that is slow on a long text that nearly matches", () => {
  for (const { pattern } of KINDS.flatMap((kind) => patternsOf(SCHEMAS[kind]))) {
    const judge = new RegExp(pattern, "u");
    for (const piece of ["a", "0", "1", "-", ".", "/", "a.", "a-", "aaa-", "a/", "1.", "0.0.0-", "a_", "*,", "@a/"]) {
      expect(judge.test(`${piece.repeat(20_000)}!`), pattern).toBeTypeOf("boolean");
    }
  }
});

const titleOf = ({ pointer, keyword, name = "" }: Constraint): string => `${pointer} ${keyword} ${name}`.trim();

interface Part {
  readonly pointer: string;
  readonly node: Readonly<Record<string, unknown>>;
}

/** The nodes below `properties`, `definitions` and `items`. */
function parts(node: Readonly<Record<string, unknown>>, pointer = ""): Part[] {
  const named = ["properties", "definitions"].flatMap((keyword) =>
    Object.entries((node[keyword] ?? {}) as Record<string, Part["node"]>).map(([name, child]) => ({
      pointer: `${pointer}/${keyword}/${name}`,
      node: child,
    })),
  );
  const items = typeof node["items"] === "object" ? parts(node["items"] as Part["node"], `${pointer}/items`) : [];
  return [...named, ...named.flatMap((part) => parts(part.node, part.pointer)), ...items];
}

function partExamples(schema: Readonly<Record<string, unknown>>): { pointer: string; example: unknown }[] {
  return parts(schema).flatMap(({ pointer, node }) =>
    ((node["examples"] ?? []) as readonly unknown[]).map((example) => ({ pointer, example })),
  );
}

function patternsOf(value: unknown): { readonly pattern: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "pattern" in value && typeof value.pattern === "string" ? [{ pattern: value.pattern }] : [];
  return [...own, ...Object.values(value).flatMap(patternsOf)];
}
