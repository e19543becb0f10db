import type { JsonObject } from "../../../src/kubernetes/object.ts";
import { EXAMPLE_PAIRS } from "./examplePairs.ts";
import { holding, INTEGER, listOf, MAP, NUMBER, TEXT, type SchemaPair } from "./pairs.ts";

const OPEN: JsonObject = { "x-kubernetes-preserve-unknown-fields": true };
const ANY_OBJECT: JsonObject = { type: "object", ...OPEN };
const INT_OR_STRING: JsonObject = { "x-kubernetes-int-or-string": true };
const NAMED: JsonObject = { type: "object", required: ["name", "port"], properties: { name: TEXT, port: INTEGER } };

const RULE_OF_VALUE: JsonObject = { "x-kubernetes-validations": [{ rule: "has(self.value)" }] };

const FIELD_PAIRS: readonly SchemaPair[] = [
  {
    name: "field-in-list",
    old: listOf(NAMED),
    new: listOf({ type: "object", required: ["name"], properties: { name: TEXT } }),
    gives: ["field-removed", "field-optional"],
  },
  {
    name: "field-added",
    old: holding(TEXT),
    new: { type: "object", properties: { value: TEXT, more: TEXT } },
    gives: ["field-added"],
    probe: { value: "a" },
  },
  {
    name: "new-field-required",
    old: holding(TEXT),
    new: { type: "object", properties: { value: TEXT, more: TEXT }, required: ["more"] },
    gives: ["field-added", "field-required"],
  },
  {
    name: "required-loses-default",
    old: holding({ ...TEXT, default: "a" }, { required: ["value"] }),
    new: holding(TEXT, { required: ["value"] }),
    gives: ["field-required", "default-removed"],
  },
  {
    name: "rule-loses-default",
    old: holding({ ...TEXT, default: "a" }, RULE_OF_VALUE),
    new: holding(TEXT, RULE_OF_VALUE),
    gives: ["default-removed"],
  },
  {
    name: "rule-against-default",
    old: holding({ ...TEXT, default: "a" }, { "x-kubernetes-validations": [{ rule: "self.value != 'b'" }] }),
    new: holding({ ...TEXT, default: "b" }, { "x-kubernetes-validations": [{ rule: "self.value != 'b'" }] }),
    gives: ["default-changed"],
  },
  {
    name: "default-of-items",
    old: listOf({ ...TEXT, default: "a" }),
    new: listOf({ ...TEXT, default: "b" }),
    gives: ["default-changed"],
    probe: ["c"],
  },
  {
    name: "required-gone",
    old: holding(TEXT, { required: ["value"] }),
    new: holding(TEXT),
    gives: ["field-optional"],
    probe: { value: "a" },
  },
  { name: "map-closed", old: MAP, new: holding(TEXT), gives: ["field-added", "map-closed"] },
  {
    name: "map-values-narrowed",
    old: MAP,
    new: { type: "object", additionalProperties: { ...TEXT, maxLength: 3 } },
    gives: ["max-length-narrowed"],
  },
  { name: "fields-become-map", old: holding(TEXT), new: MAP, gives: ["map-opened"], probe: { value: "a" } },
  {
    name: "fields-become-narrow-map",
    old: holding(TEXT),
    new: { type: "object", additionalProperties: { ...TEXT, maxLength: 3 } },
    gives: ["map-opened", "max-length-narrowed"],
  },
  { name: "unknown-fields-dropped", old: ANY_OBJECT, new: { type: "object" }, gives: ["unknown-fields-dropped"] },
  { name: "unknown-fields-judged", old: ANY_OBJECT, new: MAP, gives: ["unknown-fields-constrained"] },
  {
    name: "unknown-fields-named",
    old: ANY_OBJECT,
    new: { ...holding(TEXT), ...OPEN },
    gives: ["field-added", "type-changed"],
  },
  {
    name: "unknown-fields-kept",
    old: holding(TEXT),
    new: { ...holding(TEXT), ...OPEN },
    gives: ["unknown-fields-kept"],
    probe: { value: "a" },
  },
  { name: "map-kept", old: MAP, new: ANY_OBJECT, gives: ["unknown-fields-kept"], probe: { a: "a" } },
  {
    name: "field-unspecified",
    old: holding(TEXT),
    new: ANY_OBJECT,
    gives: ["field-unspecified", "unknown-fields-kept", "type-widened"],
    probe: { value: "a" },
  },
  { name: "type-added", old: OPEN, new: ANY_OBJECT, gives: ["type-changed"] },
  { name: "type-gone", old: ANY_OBJECT, new: OPEN, gives: ["type-widened"], probe: {} },
  { name: "int-or-string-gone", old: INT_OR_STRING, new: INTEGER, gives: ["type-changed"] },
  {
    name: "int-or-string-of-generator-gone",
    old: { ...INT_OR_STRING, anyOf: [INTEGER, TEXT] },
    new: INTEGER,
    gives: ["type-changed"],
  },
  { name: "int-or-string-come", old: TEXT, new: INT_OR_STRING, gives: ["type-widened"], probe: "a" },
  {
    name: "int-or-string-said",
    old: INT_OR_STRING,
    new: { ...INT_OR_STRING, anyOf: [{ type: "integer" }, { type: "string" }] },
    gives: [],
    probe: 1,
  },
  {
    name: "minimum-of-fractions",
    old: { ...NUMBER, minimum: 0, maximum: 0.9 },
    new: { ...NUMBER, minimum: 0.5, maximum: 0.9 },
    gives: ["minimum-narrowed"],
  },
  {
    name: "maximum-of-fractions",
    old: { ...NUMBER, minimum: 0.2, maximum: 0.9 },
    new: { ...NUMBER, minimum: 0.2, maximum: 0.5 },
    gives: ["maximum-narrowed"],
  },
  {
    name: "exclusive-minimum",
    old: { ...INTEGER, minimum: 3 },
    new: { ...INTEGER, minimum: 3, exclusiveMinimum: true },
    gives: ["minimum-narrowed"],
  },
  { name: "multiple-added", old: INTEGER, new: { ...INTEGER, multipleOf: 5 }, gives: ["multiple-of-narrowed"] },
  {
    name: "multiple-changed",
    old: { ...INTEGER, multipleOf: 2 },
    new: { ...INTEGER, multipleOf: 4 },
    gives: ["multiple-of-narrowed"],
  },
  {
    name: "multiple-widened",
    old: { ...INTEGER, multipleOf: 4 },
    new: { ...INTEGER, multipleOf: 2 },
    gives: ["multiple-of-widened"],
    probe: 4,
  },
  { name: "multiple-gone", old: { ...INTEGER, multipleOf: 4 }, new: INTEGER, gives: ["multiple-of-widened"], probe: 4 },
  { name: "format-float", old: NUMBER, new: { ...NUMBER, format: "float" }, gives: ["format-narrowed"] },
  { name: "format-added", old: TEXT, new: { ...TEXT, format: "date-time" }, gives: ["format-narrowed"] },
  {
    name: "format-gone",
    old: { ...TEXT, format: "date-time" },
    new: TEXT,
    gives: ["format-changed"],
    probe: "2026-01-01T00:00:00Z",
  },
];

/** Changes that crdify does not document, or not with these particulars. */
export const OWN_PAIRS: readonly SchemaPair[] = [...FIELD_PAIRS, ...EXAMPLE_PAIRS];
