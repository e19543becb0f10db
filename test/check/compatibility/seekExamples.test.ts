import { describe, expect, it } from "vitest";
import type { ConfirmedChange } from "../../../src/check/facts.ts";
import type { JsonObject } from "../../../src/kubernetes/object.ts";
import { known, object, ruled, TEXT } from "./known.ts";

const oneOf = (...values: readonly string[]): JsonObject => ({ ...TEXT, enum: values });

/** The value with which a break was proven. */
function proofIn(changes: readonly ConfirmedChange[]): unknown {
  const [change] = changes;
  expect(change).toMatchObject({ confirmation: "confirmed" });
  return (change?.object as { readonly spec: { readonly value: unknown } }).spec.value;
}

describe("a break that no small object shows", () => {
  it("is proven where only one of several fields may be there", async () => {
    const provider = (mode: JsonObject): JsonObject =>
      object(
        { aws: object({ name: TEXT }, { required: ["name"] }), gcp: object({ mode }) },
        { minProperties: 1, maxProperties: 1 },
      );

    expect(proofIn(await known(provider(oneOf("a", "b")), provider(oneOf("a"))))).toEqual({ gcp: { mode: "b" } });
  });

  it("is proven where a rule judges other fields with it", async () => {
    const source = ruled(
      { inline: object({ text: TEXT }), git: object({ url: TEXT }) },
      "has(self.inline) != has(self.git)",
    );
    const runtime = (...names: readonly string[]): JsonObject =>
      object({ runtime: oneOf(...names), source }, { required: ["runtime", "source"] });

    expect(proofIn(await known(runtime("node16", "node18"), runtime("node18")))).toMatchObject({ runtime: "node16" });
  });

  it("is proven without a field that became required", async () => {
    const range = ruled({ name: TEXT }, "has(self.name) && size(self.name) > 0");
    const value = (...required: readonly string[]): JsonObject => object({ range, scope: TEXT }, { required });

    const proof = proofIn(await known(value("range"), value("range", "scope")));
    expect(proof).not.toHaveProperty("scope");
    expect(proof).toHaveProperty("range.name");
  });

  it("is proven with a field that is gone, beside what a rule demands", async () => {
    const value = (fields: JsonObject): JsonObject => ruled({ mode: TEXT, ...fields }, "has(self.mode)");

    expect(proofIn(await known(value({ old: TEXT }), value({})))).toMatchObject({ old: expect.any(String) as string });
  });

  it("is proven within lists", async () => {
    const value = (name: JsonObject): JsonObject =>
      object(
        {
          parts: {
            type: "array",
            minItems: 1,
            items: ruled({ names: { type: "array", items: name }, kind: TEXT }, "has(self.kind)"),
          },
        },
        { required: ["parts"] },
      );

    expect(proofIn(await known(value(TEXT), value({ ...TEXT, maxLength: 3 })))).toMatchObject({
      parts: [{ kind: expect.any(String) as string, names: [expect.stringMatching(/.{4}/) as string] }],
    });
  });

  it("is proven by a change of what could be created", async () => {
    const value = (...rules: readonly string[]): JsonObject =>
      ruled(
        { kind: { ...TEXT, "x-kubernetes-validations": rules.map((rule) => ({ rule })) }, a: TEXT, b: TEXT },
        "has(self.a) != has(self.b)",
      );

    expect(proofIn(await known(value("true"), value("true", "self == oldSelf")))).toHaveProperty("kind");
  });

  it("is proven by objects that users write, if it cannot be guessed", async () => {
    const value = (mode: JsonObject): JsonObject =>
      ruled({ code: TEXT, mode }, "has(self.code) && self.code.startsWith('x7')");
    const data = {
      apiVersion: "example.org/v1",
      kind: "Sample",
      metadata: { name: "a" },
      spec: { value: { code: "x7-3" } },
    };
    const [old, wanted] = [value(oneOf("a", "b")), value(oneOf("a"))];

    expect(proofIn(await known(old, wanted, data))).toEqual({ code: "x7-3", mode: "b" });
    expect(await known(old, wanted, { ...data, kind: "Other" })).toMatchObject([
      { confirmation: "open", certain: false },
    ]);
  });

  it("is softened by an object that is accepted before and after, and by nothing else", async () => {
    const value = (pattern: string): JsonObject =>
      ruled({ a: TEXT, b: { ...TEXT, pattern } }, "has(self.a) || self.b == 'x7'");
    const never = (pattern: string): JsonObject =>
      ruled({ b: { ...TEXT, pattern } }, "self.b.endsWith('q7'.replace('7', '9'))");

    expect(await known(value("^[ab]$"), value("^(a|b)$"))).toMatchObject([{ confirmation: "refuted" }]);
    expect(await known(never("^x.*$"), never("^x.+$"))).toMatchObject([{ confirmation: "open" }]);
  });
});

describe("a break of a field with alternatives", () => {
  const PERCENT: JsonObject = { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, TEXT] };
  const INTEGER: JsonObject = { type: "integer" };
  const NUMBERS: JsonObject = { "x-kubernetes-int-or-string": true, nullable: true, enum: [1, 2, null] };
  const APART: JsonObject = { ...INTEGER, anyOf: [{ maximum: 5 }, { minimum: 10 }] };

  it.each<readonly [string, JsonObject, JsonObject]>([
    ["a type is gone", PERCENT, INTEGER],
    ["a type is gone, beside a default", { ...PERCENT, default: 1 }, INTEGER],
    ["texts are shorter", { ...PERCENT, maxLength: 20 }, { ...PERCENT, maxLength: 5 }],
    ["texts match less", { ...PERCENT, pattern: "^[0-9]+%?$" }, { ...PERCENT, pattern: "^[0-9]+$" }],
    ["texts have a pattern", PERCENT, { ...PERCENT, pattern: "^[0-9]+%$" }],
    ["texts have a format", PERCENT, { ...PERCENT, format: "date" }],
    ["numbers have a maximum", APART, { ...APART, maximum: 20 }],
    ["numbers have a minimum", APART, { ...APART, minimum: 2 }],
    ["numbers have a factor", PERCENT, { ...PERCENT, multipleOf: 7 }],
  ])("is proven: %s", async (_name, old, wanted) => {
    expect(await known(old, wanted)).toMatchObject([{ confirmation: "confirmed" }]);
  });

  it.each<readonly [string, JsonObject, JsonObject]>([
    ["a type", { "x-kubernetes-int-or-string": true, enum: [1, 2] }, { ...INTEGER, enum: [1, 2] }],
    ["a length", { ...NUMBERS, maxLength: 9 }, { ...NUMBERS, maxLength: 5 }],
    ["a bound", { ...INTEGER, enum: [1, 2], maximum: 9 }, { ...INTEGER, enum: [1, 2], maximum: 5 }],
  ])("is not there if the values are listed, and %s concerns none of them", async (_name, old, wanted) => {
    expect(await known(old, wanted)).toEqual([]);
  });
});
