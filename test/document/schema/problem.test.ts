import type { ErrorObject, SchemaObject } from "ajv";
import { describe, expect, it } from "vitest";
import { schemaCompiler } from "../../../src/document/schema/compile.ts";
import { schemaProblems } from "../../../src/document/schema/problem.ts";
import { mentions } from "../../support/mentions.ts";

function messages(schema: SchemaObject, value: unknown): readonly string[] {
  const judge = schemaCompiler().compile(schema);
  judge(value);
  return schemaProblems(judge.errors ?? [], value).map(({ message }) => message);
}

describe("problemsOf", () => {
  it.each<[string, SchemaObject, unknown, unknown]>([
    ["a pattern", { type: "string", pattern: "^a$" }, "b", mentions("^a$", '"b"')],
    ["a type", { type: "boolean" }, 1, mentions("true or false", "1")],
    ["an unusual type", { type: "null" }, "", mentions("another type", '""')],
    ["what must be absent", { not: {} }, 1, mentions("not be set")],
    ["too many properties", { type: "object", maxProperties: 1 }, { a: 1, b: 2 }, mentions("fewer", "a, b")],
    ["too few items", { type: "array", minItems: 2 }, [1], mentions("at least 2", "1 item")],
    ["a choice with nothing in it", { enum: ["", "a"] }, "bcd", mentions('one of "", a', '"bcd"')],
    ["a choice among what is not text", { enum: [[], {}] }, 7, mentions('one of "", ""', "7")],
    [
      "a property where none is known",
      { type: "object", additionalProperties: false },
      { a: 1 },
      mentions("properties", '"a"'),
    ],
  ])("explains %s without a message in the schema", (_, schema, value, expected) => {
    expect(messages(schema, value)).toEqual([expected]);
  });

  it("reports the more specific of two errors at one place", () => {
    expect(messages({ type: "string", maxLength: 1, pattern: "^a$" }, "bb")).toEqual([mentions("^a$", '"bb"')]);
    expect(messages({ maxLength: 1, enum: ["a"] }, "bb")).toEqual([mentions("one of a", '"bb"')]);
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

    expect(schemaProblems([error], undefined)).toEqual([
      { path: ["a", "0"], message: mentions("odd", "1"), remedy: mentions("Correct") },
    ]);
  });

  it("skips an error that only repeats another", () => {
    const schema = { type: "object", if: {}, then: { required: ["a"] } };

    expect(messages(schema, {})).toEqual([mentions("property a")]);
  });

  it("accepts an error with fewer fields than ajv gives", () => {
    const error: ErrorObject = { instancePath: "", schemaPath: "#", keyword: "enum", params: {} };

    expect(schemaProblems([error], 1)).toHaveLength(1);
  });
});
