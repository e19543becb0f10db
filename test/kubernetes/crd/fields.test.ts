import { describe, expect, it } from "vitest";
import { compareDefinitions } from "../../../src/kubernetes/crd/compare.ts";
import type { JsonObject } from "../../../src/kubernetes/object.ts";
import { mentions } from "../../support/mentions.ts";
import { attempts, changesOf, SHORT } from "./attempts.ts";
import { definitionOf, version, withSchema, withSpec, type TestDefinition } from "./definitions.ts";
import { holding, INTEGER, listOf, TEXT } from "./pairs.ts";

describe("a change", () => {
  const list = (item: JsonObject): TestDefinition => definitionOf({ list: listOf(holding(item)) });

  it("has field, place, version, old and new value, and a remedy", () => {
    const [change] = compareDefinitions(list(TEXT), list(SHORT));
    expect(change).toMatchObject({
      class: "breaking",
      certain: true,
      version: "v1",
      field: ".spec.list[].value",
      message: mentions(".spec.list[].value", "maxLength 3", "no maxLength"),
      remedy: mentions("old bound", "new version", "conversion"),
    });
    const steps = ["properties", "spec", "properties", "list", "items", "properties", "value", "maxLength"];
    expect(change?.path).toEqual(["spec", "versions", 0, "schema", "openAPIV3Schema", ...steps]);
  });

  it("of a removed field has the place of the other fields", () => {
    const [change] = compareDefinitions(list(TEXT), definitionOf({ list: listOf({ type: "object" }) }));
    expect(change?.path.slice(-2)).toEqual(["list", "items"]);
    const [other] = compareDefinitions(definitionOf({ a: TEXT, b: TEXT }), definitionOf({ b: TEXT }));
    expect(other?.path.slice(-3)).toEqual(["properties", "spec", "properties"]);
  });

  it("is proved by an object with only the required fields and the changed place", () => {
    const required = {
      required: ["name"],
      properties: { name: TEXT, more: TEXT, list: listOf(holding(TEXT), { minItems: 2 }) },
    };
    const narrowed = {
      ...required,
      properties: { ...required.properties, list: listOf(holding(SHORT), { minItems: 2 }) },
    };
    expect(attempts({ type: "object", ...required }, { type: "object", ...narrowed })[0]).toEqual({
      name: "a-example",
      list: [{ value: "a-example" }, {}],
    });
  });

  it("of the values of a map has the field .*", () => {
    const [change] = changesOf(
      { type: "object", additionalProperties: TEXT },
      { type: "object", additionalProperties: SHORT },
    );
    expect(change?.field).toBe(".spec.value.*");
  });

  it("of a place in a very deep schema, or with very many required fields, has no small object", () => {
    const deep = (leaf: JsonObject): JsonObject =>
      Array.from({ length: 60 }).reduce<JsonObject>((inner) => holding(inner), leaf);
    expect(attempts(deep(TEXT), deep(SHORT))).toEqual([]);
    const names = Array.from({ length: 300 }, (_, index) => `field${index}`);
    const wide = (leaf: JsonObject): JsonObject => ({
      ...{ type: "object", required: names },
      properties: { ...Object.fromEntries(names.map((name) => [name, TEXT])), value: leaf },
    });
    expect(changesOf(wide(TEXT), wide(SHORT))[0]?.counterexamples).toEqual([]);
  });
});

describe("the metadata of objects", () => {
  const named = (name: JsonObject): JsonObject => ({
    type: "object",
    properties: { metadata: { type: "object", properties: { name } } },
  });

  it("may be declared in a schema, or not", () => {
    const said = {
      type: "object",
      required: ["metadata"],
      properties: { apiVersion: TEXT, kind: TEXT, metadata: { type: "object" } },
    };
    const [silent, loud] = [withSchema({ type: "object" }), withSchema(said)];
    expect([compareDefinitions(silent, loud), compareDefinitions(loud, silent)]).toEqual([[], []]);
  });

  it("may restrict the name more than before, which a name proves", () => {
    const [change] = compareDefinitions(withSchema({ type: "object" }), withSchema(named(SHORT)));
    expect(change).toMatchObject({ check: "max-length-narrowed", field: ".metadata.name" });
    expect(change?.counterexamples[0]).toMatchObject({
      object: { metadata: { name: "a-example", namespace: "default" } },
    });
  });

  it("of an embedded object is treated the same", () => {
    const embedded = (rest: JsonObject): JsonObject => ({
      ...{ type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
      ...rest,
    });
    expect(changesOf(embedded({ properties: { metadata: { type: "object" } } }), embedded({}))).toEqual([]);
    expect(attempts(embedded(holding(TEXT)), embedded(holding(SHORT)))[0]).toMatchObject({
      apiVersion: "v1",
      kind: "ConfigMap",
    });
  });
});

describe("the status of an object", () => {
  const withStatus = (state: JsonObject, subresources: JsonObject = { status: {} }): TestDefinition => {
    const openAPIV3Schema = { type: "object", properties: { status: { type: "object", properties: state } } };
    return withSpec(definitionOf({}), {
      versions: [version("v1", { storage: true, subresources, schema: { openAPIV3Schema } })],
    });
  };
  const impacts = (...pair: readonly [TestDefinition, TestDefinition]): readonly string[] =>
    compareDefinitions(...pair).map((change) => change.class);

  it("can be narrowed without refusing any user, if it is a subresource", () => {
    expect(impacts(withStatus({ state: TEXT }), withStatus({ state: SHORT }))).toEqual(["risky"]);
    expect(impacts(withStatus({ state: TEXT }, {}), withStatus({ state: SHORT }, {}))).toEqual(["breaking"]);
  });

  it("can lose a field, which only the controller wrote", () => {
    const [old, wanted] = [{ state: TEXT, more: TEXT }, { state: TEXT }];
    expect(impacts(withStatus(old), withStatus(wanted))).toEqual(["risky"]);
    expect(impacts(withStatus(old, {}), withStatus(wanted, {}))).toEqual(["breaking"]);
  });
});

describe("a message", () => {
  it("cuts long values", () => {
    const [change] = changesOf(TEXT, { ...TEXT, default: "x".repeat(200) });
    expect(change?.message.length).toBeLessThan(150);
  });

  it("lists a few values of many", () => {
    const values = Array.from({ length: 50 }, (_, index) => `value-${index}`);
    const [change] = changesOf(TEXT, { ...TEXT, enum: values });
    expect(change?.message).toEqual(mentions(".spec.value", '"value-0"', '"value-7" and 42 more', "every value"));
  });

  it("names the object when the whole object changes", () => {
    const [change] = compareDefinitions(
      withSchema({ type: "object" }),
      withSchema({ type: "object", maxProperties: 3 }),
    );
    expect(change).toMatchObject({
      field: ".",
      message: mentions("object", "maxProperties 3", "no maxProperties"),
    });
  });
});

describe("a malformed part of a schema", () => {
  it.each([
    { type: "banana" },
    { type: ["string"] },
    { type: "object", properties: [], required: "a" },
    { type: "object", properties: { a: 3, constructor: TEXT }, required: [3, "b"] },
    { type: "array", items: [TEXT] },
    { "x-kubernetes-validations": [3, {}] },
    { ...holding(INTEGER), "x-kubernetes-validations": [3] },
    { enum: {}, oneOf: [3], not: 3, default: null },
    { "x-kubernetes-int-or-string": true, anyOf: [{ minimum: 3 }] },
  ])("is ignored: %j", (odd) => {
    expect(changesOf(odd, odd)).toEqual([]);
    for (const other of [TEXT, listOf(TEXT), holding(TEXT), {}]) {
      expect(() => [changesOf(odd, other), changesOf(other, odd)]).not.toThrow();
    }
  });
});
