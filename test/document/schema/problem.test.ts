import type { ErrorObject, SchemaObject } from "ajv";
import { describe, expect, it } from "vitest";
import { schemaCompiler } from "../../../src/document/schema/compile.ts";
import { problemsOf } from "../../../src/document/schema/problem.ts";

function messages(schema: SchemaObject, value: unknown): readonly string[] {
  const judge = schemaCompiler().compile(schema);
  judge(value);
  return problemsOf(judge.errors ?? [], value).map(({ message }) => message);
}

describe("problemsOf", () => {
  it.each<[string, SchemaObject, unknown, string]>([
    ["a pattern", { type: "string", pattern: "^a$" }, "b", 'must match ^a$, but is "b"'],
    ["a type", { type: "boolean" }, 1, "must be true or false, but is 1"],
    ["an unusual type", { type: "null" }, "", 'must be of another type, but is ""'],
    ["what must be absent", { not: {} }, 1, "must not be set"],
    [
      "too many properties",
      { type: "object", maxProperties: 1 },
      { a: 1, b: 2 },
      "must have fewer properties, but has a, b",
    ],
    ["too few items", { type: "array", minItems: 2 }, [1], "must have at least 2 items, but has 1 item"],
    ["a choice with nothing in it", { enum: ["", "a"] }, "bcd", 'must be one of "", a, but is "bcd"'],
    ["a choice among what is not text", { enum: [[], {}] }, 7, 'must be one of "", "", but is 7'],
    [
      "a property where none is known",
      { type: "object", additionalProperties: false },
      { a: 1 },
      'must be one of the properties , but is "a"',
    ],
  ])("explains %s without a message in the schema", (_, schema, value, expected) => {
    expect(messages(schema, value)).toEqual([expected]);
  });

  it("reports the more specific of two errors at one place", () => {
    expect(messages({ type: "string", maxLength: 1, pattern: "^a$" }, "bb")).toEqual(['must match ^a$, but is "bb"']);
    expect(messages({ maxLength: 1, enum: ["a"] }, "bb")).toEqual(['must be one of a, but is "bb"']);
  });

  it("reports the place of an error that the value does not contain", () => {
    const error: ErrorObject = {
      instancePath: "/a/0",
      schemaPath: "#",
      keyword: "format",
      params: {},
      schema: "odd",
      data: 1,
    };

    expect(problemsOf([error], undefined)).toEqual([
      { path: ["a", "0"], message: "must be odd, but is 1", remedy: "Correct the value." },
    ]);
  });

  it("skips an error that only repeats another", () => {
    const schema = { type: "object", if: {}, then: { required: ["a"] } };

    expect(messages(schema, {})).toEqual(["must have the property a, but has none"]);
  });

  it("accepts an error with fewer fields than ajv gives", () => {
    const error: ErrorObject = { instancePath: "", schemaPath: "#", keyword: "enum", params: {} };

    expect(problemsOf([error], 1)).toHaveLength(1);
  });
});
