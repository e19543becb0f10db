import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/kubernetes/object.ts";
import { withSchema } from "../../kubernetes/crd/definitions.ts";
import { known, knownOf, object, TEXT } from "./known.ts";

const INTEGER: JsonObject = { type: "integer" };
const listOf = (items: JsonObject): JsonObject => ({ type: "array", maxItems: 50, items });
const mapOf = (values: JsonObject): JsonObject => ({ type: "object", maxProperties: 50, additionalProperties: values });
const SHORT: JsonObject = { ...TEXT, maxLength: 50 };
const RANGE = { min: INTEGER, max: INTEGER };

describe("a rule that refuses what was accepted", () => {
  it.each<readonly [string, JsonObject]>([
    ["!self.startsWith('kyma-')", SHORT],
    ["!self.endsWith('.internal')", SHORT],
    ["!self.contains('--')", SHORT],
    ["!self.matches('^v[0-9]+$')", SHORT],
    ["self != 'zz'", SHORT],
    ["self.size() != 7", SHORT],
    ["self == self.lowerAscii()", SHORT],
    ["self != 17", INTEGER],
    ["self % 5 != 3", INTEGER],
    ["self < 20 || self > 30", INTEGER],
    ["!('secret' in self)", mapOf(SHORT)],
    ["!('secret' in self)", listOf(SHORT)],
    ["self.all(key, key.size() < 12)", mapOf(SHORT)],
    ["self.all(key, self[key].size() < 10)", mapOf(SHORT)],
    ["self.all(key, !key.startsWith('kyma-'))", mapOf(SHORT)],
    ["self.all(t, t != 'zz')", listOf(SHORT)],
    ["self.all(t, t.size() < 10)", listOf(SHORT)],
    ["self.size() < 9", listOf(SHORT)],
    ["self.all(x, self.exists_one(y, y == x))", listOf(SHORT)],
    [
      "self.all(x, x.name != 'admin' || x.port > 1024)",
      listOf(object({ name: SHORT, port: INTEGER }, { required: ["name", "port"] })),
    ],
    ["self.min <= self.max", object(RANGE, { required: ["min", "max"] })],
    ["!has(self.min) || !has(self.max) || self.min <= self.max", object(RANGE)],
    ["self.min + self.max < 100", object(RANGE, { required: ["min", "max"] })],
    ["!(has(self.a) && has(self.b))", object({ a: SHORT, b: SHORT })],
    ["has(self.a) || has(self.b)", object({ a: SHORT, b: SHORT })],
    ["!has(self.a) || !has(self.b) || self.a != self.b", object({ a: SHORT, b: SHORT })],
    ["!has(self.kind) || self.kind != 'external' || has(self.url)", object({ kind: SHORT, url: SHORT })],
    [
      "!has(self.tls) || !self.tls.on || self.port == 443",
      object({ tls: object({ on: { type: "boolean" } }, { required: ["on"] }), port: INTEGER }, { required: ["port"] }),
    ],
  ])("is proven: %s", async (rule, schema) => {
    const validations = { "x-kubernetes-validations": [{ rule }] };

    expect(await known(schema, { ...schema, ...validations })).toMatchObject([
      { check: "rule-added", confirmation: "confirmed" },
    ]);
  });

  it.each([
    "self.metadata.name.size() <= 30",
    "!self.metadata.name.startsWith('kyma-')",
    "self.metadata.name != self.spec.value",
    "self.metadata.name == 'default'",
  ])("is proven by a name: %s", async (rule) => {
    const spec = object({ value: SHORT }, { required: ["value"] });
    const at = (rest: JsonObject): unknown => withSchema(object({ spec }, { required: ["spec"], ...rest }));

    expect(await knownOf(at({}), at({ "x-kubernetes-validations": [{ rule }] }))).toMatchObject([
      { confirmation: "confirmed" },
    ]);
  });

  it("is proven by a change of two fields", async () => {
    const schema = object(RANGE, { required: ["min", "max"] });
    const rule = "self.min <= oldSelf.max";

    expect(await known(schema, { ...schema, "x-kubernetes-validations": [{ rule }] })).toMatchObject([
      { confirmation: "confirmed" },
    ]);
  });
});

describe("alternatives that refuse what was accepted", () => {
  it.each<readonly [string, JsonObject, JsonObject]>([
    ["numbers between", INTEGER, { anyOf: [{ maximum: 10 }, { minimum: 100 }] }],
    ["numbers between, of three", INTEGER, { anyOf: [{ maximum: 10 }, { minimum: 20, maximum: 30 }, { minimum: 40 }] }],
    ["numbers in two", INTEGER, { oneOf: [{ maximum: 100 }, { minimum: 50 }] }],
    ["lengths between", SHORT, { anyOf: [{ maxLength: 20 }, { minLength: 30 }] }],
    ["texts of no pattern", SHORT, { anyOf: [{ pattern: "^[a-z]" }, { pattern: "^[0-9]" }] }],
    ["excluded numbers", INTEGER, { not: { minimum: 40, maximum: 50 } }],
    ["one of two fields", object({ a: SHORT, b: SHORT }), { oneOf: [{ required: ["a"] }, { required: ["b"] }] }],
  ])("are proven: %s", async (_name, schema, keywords) => {
    expect(await known(schema, { ...schema, ...keywords })).toMatchObject([{ confirmation: "confirmed" }]);
  });
});

describe("a pattern that refuses what was accepted", () => {
  it.each([
    ["^[a-z0-9-]+$", "^[a-z0-9]+(-[a-z0-9]+)*$"],
    ["^[a-z]{1,40}$", "^[a-z]{1,33}$"],
    ["^[0-9]+\\.[0-9]+$", "^[0-9]+\\.[0-9]{1,2}$"],
    ["^(http|https|ftp)://.*$", "^https?://.*$"],
  ])("is proven: %s to %s", async (before, after) => {
    expect(await known({ ...TEXT, pattern: before }, { ...TEXT, pattern: after })).toMatchObject([
      { confirmation: "confirmed" },
    ]);
  });

  it("is not proven if it accepts the same, and says how many objects were tried", async () => {
    const [change, ...others] = await known({ ...TEXT, pattern: "^[ab]{1,9}$" }, { ...TEXT, pattern: "^(a|b){1,9}$" });

    expect(others).toEqual([]);
    expect(change).toMatchObject({ confirmation: "refuted" });
    expect(change?.tried).toBeGreaterThan(20);
  });
});

it("another break is not a proof", async () => {
  const schema = object({ size: INTEGER, name: SHORT });
  const wanted = object(
    { size: { ...INTEGER, maximum: 5 }, name: SHORT },
    { "x-kubernetes-validations": [{ rule: "!has(self.name) || self.name.size() <= 50" }] },
  );

  expect(await known(schema, wanted)).toMatchObject([
    { check: "rule-added", confirmation: "open" },
    { check: "maximum-narrowed", confirmation: "confirmed" },
  ]);
});
