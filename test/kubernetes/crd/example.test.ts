import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";
import { mentions } from "../../support/mentions.ts";
import { attempts, changesOf, SHORT } from "./attempts.ts";
import { holding, INTEGER, listOf, NUMBER, TEXT } from "./pairs.ts";

describe("the values to try", () => {
  it("respect the other demands of the old schema", () => {
    expect(attempts({ ...NUMBER, minimum: 0.1, maximum: 0.4 }, { ...NUMBER, minimum: 0.1, maximum: 0.2 })).toEqual([
      expect.closeTo(0.3),
    ]);
    expect(
      attempts({ ...INTEGER, minimum: -9, exclusiveMinimum: true, maximum: -3 }, { ...INTEGER, maximum: -5 }),
    ).toContain(-4);
    expect(attempts({ ...INTEGER, maximum: -3, exclusiveMaximum: true }, { ...INTEGER, multipleOf: 5 })).toContain(-4);
    expect(
      attempts({ ...TEXT, pattern: "^[a-z]{2,4}$" }, { ...TEXT, pattern: "^[a-z]{2,4}$", minLength: 3 }),
    ).toContain("az");
    expect(attempts({ ...TEXT, format: "ipv4" }, { ...TEXT, format: "ipv4", enum: ["192.0.2.1"] })).toEqual([
      "192.0.2.2",
    ]);
    expect(attempts({ ...TEXT, enum: ["a", "b"], default: "b" }, { ...TEXT, enum: ["a"], default: "b" })).toEqual([
      "b",
    ]);
  });

  it("are empty when no value fits", () => {
    expect(
      attempts({ ...INTEGER, minimum: 0, maximum: 10, multipleOf: 7 }, { ...INTEGER, minimum: 8, maximum: 10 }),
    ).not.toContain(8);
    expect(attempts(TEXT, { ...TEXT, minLength: 0, maxLength: 20_000 })).toEqual([]);
    expect(attempts(listOf(TEXT), listOf(TEXT, { maxItems: 5000 }))).toEqual([]);
    expect(attempts(listOf({ ...TEXT, pattern: "\\bx" }, { minItems: 1 }), listOf(TEXT, { minItems: 2 }))).toEqual([]);
  });

  it("of a type are of that type", () => {
    expect(attempts({ type: "boolean" }, TEXT)).toEqual([true]);
    expect(attempts({ ...NUMBER, minimum: 0, maximum: 0 }, INTEGER)).toEqual([0.5]);
    expect(attempts({ "x-kubernetes-preserve-unknown-fields": true }, INTEGER)).toEqual([{}, "example", 0.5, true, []]);
    expect(attempts({ "x-kubernetes-int-or-string": true }, INTEGER)).toEqual(["a-example"]);
    expect(changesOf({ "x-kubernetes-int-or-string": true }, INTEGER)[0]?.message).toEqual(
      mentions(".spec.value", "integer", "integer", "string"),
    );
    expect(changesOf({}, TEXT)[0]?.message).toEqual(mentions(".spec.value", "string", "any type"));
  });

  it("of a list-map, an embedded object or a map differ as required", () => {
    const ports = listOf(
      { type: "object", required: ["port"], properties: { port: { ...TEXT, pattern: "\\bx" } } },
      { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "name"] },
    );
    expect(attempts(ports, { ...ports, "x-kubernetes-list-map-keys": ["name"] })).toEqual([]);
    const set = (item: JsonObject): JsonObject => listOf(item, { minItems: 30, "x-kubernetes-list-type": "set" });
    const many = attempts(set(TEXT), set(SHORT));
    expect(new Set(many[0] as readonly Json[]).size).toBe(30);
  });

  it("for a transition rule are empty when no small object is known", () => {
    const odd = { type: "object", required: ["a"], properties: { a: { ...TEXT, pattern: "\\bx" }, b: TEXT } };
    const ruled = {
      ...odd,
      properties: { ...odd.properties, b: { ...TEXT, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } },
    };
    expect(changesOf(odd, ruled)).toMatchObject([{ check: "rule-added", counterexamples: [] }]);
    expect(changesOf(odd, { ...odd, required: ["a", "b"] })).toMatchObject([
      { check: "field-required", counterexamples: [] },
    ]);
    expect(attempts(odd, { type: "object", properties: { b: TEXT } })).toEqual([]);
  });

  it("are surrounded only with values that can be made", () => {
    const items = { type: "object", required: ["a"], properties: { a: { type: "banana" }, b: TEXT } };
    const list = (item: JsonObject): JsonObject =>
      listOf({ ...items, properties: { ...items.properties, b: item } }, { minItems: 2 });
    expect(attempts(list(TEXT), list(SHORT))).toEqual([]);
    const odd = { ...TEXT, pattern: "\\bx", nullable: true };
    expect(attempts(listOf(odd, { minItems: 2 }), listOf({ ...odd, nullable: false }, { minItems: 2 }))).toEqual([]);
  });

  it("include the texts in a transition rule", () => {
    const ruled = { ...TEXT, "x-kubernetes-validations": [{ rule: "self != '7.0' || oldSelf == \"6.x\"" }] };

    expect(attempts(TEXT, ruled)).toEqual(expect.arrayContaining(["7.0", "6.x"]));
    const whole = { type: "object", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] };
    expect(
      attempts({ type: "object", properties: { a: TEXT } }, { ...whole, properties: { a: TEXT } }).length,
    ).toBeGreaterThan(0);
  });

  it("are few when the old schema allows few", () => {
    const [one, rule] = [{ ...TEXT, enum: ["a"] }, { "x-kubernetes-validations": [{ rule: "self == oldSelf" }] }];
    expect(attempts(one, { ...one, ...rule })).toEqual([]);
    expect(attempts({ ...TEXT, format: "ipv4" }, { ...TEXT, format: "ipv4", pattern: "^1" })).toEqual([
      "192.0.2.1",
      "192.0.2.2",
    ]);
    const anything = { type: "object", additionalProperties: true };
    expect(attempts(anything, { type: "object" })).toEqual([{ "example-unknown": {} }]);
  });

  it("are empty for nested lists of many items", () => {
    const many = (inner: JsonObject): JsonObject => listOf(inner, { minItems: 900 });
    expect(attempts(many(many(many(TEXT))), TEXT)).toEqual([]);
    expect(attempts(many(many(many(TEXT))), many(many(many(SHORT))))).toEqual([]);
  });

  it("for nested required fields are empty beyond 40 levels", () => {
    const deep = Array.from({ length: 60 }).reduce<JsonObject>(
      (inner) => holding(inner, { required: ["value"] }),
      TEXT,
    );
    expect(attempts(deep, { type: "object" })).toEqual([]);
  });
});

describe("a rule", () => {
  const ruled = (rule: string, rest: JsonObject = {}): JsonObject => ({
    ...TEXT,
    "x-kubernetes-validations": [{ rule, ...rest }],
  });

  it("that now also applies to creations is changed, and is tested in both ways", () => {
    const [old, wanted] = [ruled("oldSelf == self"), ruled("oldSelf == self", { optionalOldSelf: true })];
    expect(changesOf(old, wanted).map(({ check }) => check)).toEqual(["rule-changed"]);
    expect(changesOf(old, wanted)[0]?.counterexamples.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["create", "update"]),
    );
  });

  it("is shortened in a message when it is long", () => {
    const [change] = changesOf(TEXT, ruled(`self != '${"x".repeat(200)}'`));
    expect(change?.message.length).toBeLessThan(200);
  });

  it("is tested with the values in it", () => {
    expect(attempts(TEXT, ruled("self.size() <= 5"))).toContainEqual(expect.stringMatching(/^.{6}/));
    expect(attempts({ type: "boolean" }, { type: "boolean", "x-kubernetes-validations": [{ rule: "self" }] })).toEqual([
      true,
      false,
    ]);
  });
});
