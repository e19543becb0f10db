import { describe, expect, it } from "vitest";
import { drawnValues } from "../../../src/kubernetes/crd/draw.ts";
import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";
import { INTEGER, listOf, NUMBER, TEXT } from "./pairs.ts";

const of = (schema: JsonObject, hint: Json = []): readonly Json[] => drawnValues({ schema, hint }, 60);

describe("drawn values", () => {
  it("are the same for the same schema and hints", () => {
    const schema = { type: "object", properties: { a: TEXT, b: INTEGER }, additionalProperties: TEXT };

    expect(of(schema, "self.a != 'x'")).toEqual(of(schema, "self.a != 'x'"));
  });

  it("are what hints speak of: texts, numbers and what is between them, fields", () => {
    expect(of(TEXT, "self != 'kyma' && !self.matches('^(?=b)')")).toEqual(expect.arrayContaining(["kyma", "^(?=b)"]));
    expect(of(TEXT, { pattern: "^x[0-9]$" })).toContain("xa".replace("a", "0"));
    expect(of(INTEGER, [{ maximum: 10 }, { minimum: 100 }])).toEqual(expect.arrayContaining([9, 10, 11, 55, 100, 101]));
    expect(of(NUMBER, [null, true, 7])).toContain(3.5);
    expect(of({ type: "object", properties: { a: TEXT, b: { type: "boolean" } } }, "has(self.a)")).not.toContainEqual({
      b: true,
    });
  });

  it("fit the schema", () => {
    expect(of({ ...INTEGER, multipleOf: 5, minimum: 5, maximum: 50 }).every((value) => Number(value) % 5 === 0)).toBe(
      true,
    );
    expect(of({ ...TEXT, enum: ["a", "b"] })).toEqual(expect.arrayContaining(["a", "b"]));
    expect(of({ ...TEXT, format: "date" })).toContain("2026-01-31");
    expect(of({ ...TEXT, minLength: 3, maxLength: 4 }).every((value) => /^.{3,4}$/.test(value as string))).toBe(true);
    expect(of({ ...TEXT, pattern: "(?=a)" })).toContain("");
    expect(
      of({ ...listOf({ type: "boolean" }), "x-kubernetes-list-type": "set", minItems: 2, maxItems: 2 }),
    ).toContainEqual([true, false]);
    expect(of({ type: "array", maxItems: 1 }).length).toBeGreaterThan(2);
    expect(of({ type: "nothing" })).toEqual([]);
    expect(of({ type: "object", "x-kubernetes-embedded-resource": true })).toContainEqual(
      expect.objectContaining({ kind: "ConfigMap" }),
    );
  });

  it("have required fields, sometimes without those that have a default", () => {
    const found = of({
      type: "object",
      required: ["a", "b", "c"],
      properties: { a: TEXT, b: { ...INTEGER, default: 1 } },
    });

    expect(found.every((value) => Object.hasOwn(value as object, "a"))).toBe(true);
    expect(found.map((value) => Object.hasOwn(value as object, "b"))).toEqual(expect.arrayContaining([true, false]));
  });

  it("leave out fields of which nothing can be drawn", () => {
    const properties = { a: TEXT, b: { type: "nothing" } };

    expect(
      of({ type: "object", required: ["a", "b"], properties }).map((value) => Object.keys(value as object)),
    ).toEqual(expect.arrayContaining([["a"]]));
  });

  it("are small, whatever a schema demands", () => {
    const huge = { type: "array", minItems: 1e9, items: { ...listOf({ ...TEXT, minLength: 1e9 }), minItems: 1e9 } };

    expect(of(huge).length).toBeGreaterThan(0);
  });
});
