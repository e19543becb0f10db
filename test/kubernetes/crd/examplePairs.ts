import type { JsonObject } from "../../../src/kubernetes/object.ts";
import { holding, INTEGER, listOf, MAP, TEXT, type SchemaPair } from "./pairs.ts";

const ANY_OBJECT: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const EMBEDDED: JsonObject = { ...ANY_OBJECT, "x-kubernetes-embedded-resource": true };

const named = (rest: JsonObject = {}): JsonObject => ({
  type: "object",
  required: ["name", "port"],
  properties: { name: TEXT, port: INTEGER },
  ...rest,
});
const listMap = (...keys: readonly string[]): JsonObject =>
  listOf(named(), { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys });
const ruled = (schema: JsonObject, rule: string, rest: JsonObject = {}): JsonObject => ({
  ...schema,
  "x-kubernetes-validations": [{ rule, ...rest }],
});
const two: JsonObject = { type: "object", properties: { low: INTEGER, high: INTEGER } };

const alternatives = (size: JsonObject): JsonObject => ({
  type: "object",
  required: ["mode"],
  properties: { mode: { ...TEXT, enum: ["none", "some"] }, size },
  oneOf: [
    { properties: { mode: { enum: ["none"] } }, not: { required: ["size"] } },
    { properties: { mode: { enum: ["some"] } }, required: ["size"] },
  ],
});

/** Changes whose proof takes more than one value: what surrounds it, repeated items, rules. */
export const EXAMPLE_PAIRS: readonly SchemaPair[] = [
  {
    name: "length-of-pattern",
    old: { ...TEXT, pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$", maxLength: 63 },
    new: { ...TEXT, pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$", maxLength: 20 },
    gives: ["max-length-narrowed"],
  },
  {
    name: "pattern-of-length",
    old: { ...TEXT, minLength: 3, maxLength: 8 },
    new: { ...TEXT, minLength: 3, maxLength: 8, pattern: "^[a-z]+$" },
    gives: ["pattern-added"],
  },
  { name: "embedded", old: ANY_OBJECT, new: EMBEDDED, gives: ["embedded-resource-added"] },
  {
    name: "embedded-gone",
    old: EMBEDDED,
    new: ANY_OBJECT,
    gives: ["embedded-resource-removed"],
    probe: { apiVersion: "v1", kind: "A", metadata: { name: "a" } },
  },
  {
    name: "embedded-kind",
    old: EMBEDDED,
    new: { ...EMBEDDED, properties: { kind: { ...TEXT, enum: ["A"] } } },
    gives: ["enum-added"],
  },
  {
    name: "embedded-version",
    old: { ...EMBEDDED, properties: { apiVersion: { ...TEXT, enum: ["a.example.org/v1", "b.example.org/v1"] } } },
    new: { ...EMBEDDED, properties: { apiVersion: { ...TEXT, enum: ["a.example.org/v1"] } } },
    gives: ["enum-narrowed"],
  },
  {
    name: "embedded-metadata",
    old: EMBEDDED,
    new: { ...EMBEDDED, required: ["apiVersion", "metadata"] },
    gives: ["field-required"],
  },
  {
    name: "set",
    old: listOf(TEXT),
    new: listOf(TEXT, { "x-kubernetes-list-type": "set" }),
    gives: ["list-type-narrowed"],
  },
  {
    name: "set-gone",
    old: listOf(TEXT, { "x-kubernetes-list-type": "set" }),
    new: listOf(TEXT),
    gives: ["list-type-changed"],
    probe: ["a"],
  },
  { name: "list-map", old: listOf(named()), new: listMap("name"), gives: ["list-type-narrowed"] },
  { name: "list-map-keys", old: listMap("name", "port"), new: listMap("name"), gives: ["list-map-keys-narrowed"] },
  {
    name: "list-map-more-keys",
    old: listMap("name"),
    new: listMap("name", "port"),
    gives: ["list-map-keys-changed"],
    probe: [{ name: "a", port: 1 }],
  },
  {
    name: "map-type",
    old: MAP,
    new: { ...MAP, "x-kubernetes-map-type": "atomic" },
    gives: ["map-type-changed"],
    probe: {},
  },
  {
    name: "items-of-set",
    old: listOf(TEXT, { minItems: 2, "x-kubernetes-list-type": "set" }),
    new: listOf({ ...TEXT, maxLength: 3 }, { minItems: 2, "x-kubernetes-list-type": "set" }),
    gives: ["max-length-narrowed"],
  },
  {
    name: "items-of-list-map",
    old: listMap("name"),
    new: listOf(named({ properties: { name: TEXT, port: { ...INTEGER, maximum: 10 } } }), {
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    }),
    gives: ["maximum-narrowed"],
  },
  {
    name: "rule-on-size",
    old: listOf(TEXT),
    new: ruled(listOf(TEXT, { maxItems: 9 }), "self.size() <= 3"),
    gives: ["max-items-narrowed", "rule-added"],
  },
  { name: "rule-on-fields", old: two, new: ruled(two, "!has(self.low) || has(self.high)"), gives: ["rule-added"] },
  {
    name: "rule-on-change-of-fields",
    old: two,
    new: ruled(two, "!has(oldSelf.low) || has(self.low)"),
    gives: ["rule-added"],
  },
  {
    name: "rule-on-enum",
    old: { ...TEXT, enum: ["a", "b"] },
    new: ruled({ ...TEXT, enum: ["a", "b"] }, "self != 'b'"),
    gives: ["rule-added"],
  },
  {
    name: "rule-at-creation",
    old: ruled(INTEGER, "self == oldSelf"),
    new: ruled(INTEGER, "oldSelf.hasValue() && self == oldSelf.value()", { optionalOldSelf: true }),
    gives: ["rule-added", "rule-removed"],
  },
  {
    name: "alternative-with-field",
    old: {
      type: "object",
      properties: { one: TEXT, two: TEXT },
      oneOf: [{ required: ["one"] }, { required: ["two"] }],
    },
    new: {
      type: "object",
      properties: { one: TEXT, two: { ...TEXT, maxLength: 3 } },
      oneOf: [{ required: ["one"] }, { required: ["two"] }],
    },
    gives: ["max-length-narrowed"],
  },
  {
    name: "min-properties-of-map",
    old: { ...MAP, minProperties: 2 },
    new: { type: "object", minProperties: 2, additionalProperties: { ...TEXT, enum: ["a"] } },
    gives: ["enum-added"],
  },
  {
    name: "default-in-parent",
    old: holding({ ...TEXT, default: "a" }, { required: ["value"] }),
    new: holding({ ...TEXT, default: "a", maxLength: 3 }, { required: ["value"] }),
    gives: ["max-length-narrowed"],
  },
  {
    name: "field-beside-rule",
    old: ruled({ type: "object", properties: { one: TEXT, two: TEXT, three: TEXT } }, "has(self.one) != has(self.two)"),
    new: ruled({ type: "object", properties: { one: TEXT, two: TEXT } }, "has(self.one) != has(self.two)"),
    gives: ["field-removed"],
  },
  {
    name: "field-below-rule",
    old: ruled({ type: "object", properties: { one: TEXT, two: TEXT, three: TEXT } }, "has(self.one) != has(self.two)"),
    new: ruled(
      { type: "object", properties: { one: TEXT, two: TEXT, three: { ...TEXT, maxLength: 3 } } },
      "has(self.one) != has(self.two)",
    ),
    gives: ["max-length-narrowed"],
  },
  {
    name: "required-by-rule",
    old: ruled({ type: "object", properties: { one: TEXT, two: TEXT } }, "has(self.one) != has(self.two)"),
    new: ruled(
      { type: "object", required: ["one"], properties: { one: TEXT, two: TEXT } },
      "has(self.one) != has(self.two)",
    ),
    gives: ["field-required"],
  },
  {
    name: "alternative-with-values",
    old: alternatives(INTEGER),
    new: alternatives({ ...INTEGER, maximum: -1 }),
    gives: ["maximum-narrowed"],
  },
];
