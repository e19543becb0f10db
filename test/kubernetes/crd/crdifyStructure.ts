import type { JsonObject } from "../../../src/kubernetes/object.ts";
import { change, compatible, incompatible, LOOSER, type DocumentedPair } from "./crdifyDocumented.ts";
import { holding, INTEGER, listOf, MAP, NUMBER, TEXT } from "./pairs.ts";

const ONE: JsonObject = { required: ["one"] };
const TWO: JsonObject = { required: ["two"] };
const THREE: JsonObject = { required: ["three"] };
const counted = (rest: JsonObject): JsonObject => ({
  type: "object",
  properties: { one: TEXT, two: TEXT, three: TEXT },
  ...rest,
});
const ruled = (...rules: readonly JsonObject[]): JsonObject => ({ ...INTEGER, "x-kubernetes-validations": rules });
const RULE: JsonObject = { rule: "self <= 10" };

const DROPPED = "laxer than documented: the server drops the null";

/** What crdify documents of types, descriptions, formats, patterns, null, unions, exclusive bounds and CEL rules. */
export const STRUCTURE_PAIRS: readonly DocumentedPair[] = [
  change(incompatible("type", "changed"), "type-changed", TEXT, INTEGER, { gives: ["type-changed"] }),
  change(incompatible("type", "number to integer"), "type-narrowed", NUMBER, INTEGER, { gives: ["type-changed"] }),
  change(incompatible("type", "integer to number", LOOSER), "type-widened", INTEGER, NUMBER, {
    gives: ["type-widened"],
    probe: 1,
  }),
  change(
    { validation: "description", change: "changed", says: "to be reviewed", remark: "text for people, not reported" },
    "description-changed",
    { ...TEXT, description: "a" },
    { ...TEXT, description: "b" },
    { gives: [], probe: "a" },
  ),
  change(
    incompatible("format", "changed to one that the server checks"),
    "format-changed",
    { ...TEXT, format: "ipv4" },
    { ...TEXT, format: "ipv6" },
    { gives: ["format-narrowed"] },
  ),
  change(
    incompatible("format", "changed to one that it does not check", LOOSER),
    "format-unchecked",
    { ...TEXT, format: "ipv4" },
    { ...TEXT, format: "address" },
    { gives: ["format-changed"], probe: "192.0.2.1" },
  ),
  change(
    incompatible("format", "int64 to int32"),
    "format-of-number",
    { ...INTEGER, format: "int64" },
    { ...INTEGER, format: "int32" },
    { gives: ["format-narrowed"] },
  ),
  change(
    incompatible("format", "int32 to int64", LOOSER),
    "format-widened",
    { ...INTEGER, format: "int32" },
    { ...INTEGER, format: "int64" },
    { gives: ["format-changed"], probe: 1 },
  ),
  change(
    incompatible("pattern", "added"),
    "pattern-added",
    TEXT,
    { ...TEXT, pattern: "^[a-z]+$" },
    { gives: ["pattern-added"] },
  ),
  change(
    incompatible("pattern", "modified"),
    "pattern-changed",
    { ...TEXT, pattern: "^[a-z0-9]+$" },
    { ...TEXT, pattern: "^[a-z]+$" },
    { gives: ["pattern-changed"] },
  ),
  change(
    incompatible("pattern", "modified to match more", LOOSER),
    "pattern-loosened",
    { ...TEXT, pattern: "^[a-z]+$" },
    { ...TEXT, pattern: "^[a-z0-9]+$" },
    { gives: ["pattern-changed"], probe: "a" },
  ),
  change(incompatible("pattern", "removed", LOOSER), "pattern-removed", { ...TEXT, pattern: "^[a-z]+$" }, TEXT, {
    gives: ["pattern-removed"],
    probe: "a",
  }),
  change(
    incompatible("nullable", "removed, from a field", DROPPED),
    "nullable-removed",
    holding({ ...TEXT, nullable: true }),
    holding(TEXT),
    { gives: ["null-dropped"], probe: { value: null } },
  ),
  change(
    incompatible("nullable", "removed, from a required field"),
    "nullable-required",
    holding({ ...TEXT, nullable: true }, { required: ["value"] }),
    holding(TEXT, { required: ["value"] }),
    { gives: ["null-refused"] },
  ),
  change(
    incompatible("nullable", "removed, from the items of a list"),
    "nullable-items",
    listOf({ ...TEXT, nullable: true }),
    listOf(TEXT),
    { gives: ["null-refused"] },
  ),
  change(
    incompatible("nullable", "removed, from the values of a map", DROPPED),
    "nullable-values",
    { type: "object", additionalProperties: { ...TEXT, nullable: true } },
    MAP,
    { gives: ["null-dropped"], probe: { a: null } },
  ),
  change(
    incompatible("nullable", "added", LOOSER),
    "nullable-added",
    holding(TEXT),
    holding({ ...TEXT, nullable: true }),
    { gives: ["null-accepted"], probe: { value: "a" } },
  ),
  change(incompatible("allOf", "added"), "all-of-added", counted({}), counted({ allOf: [ONE] }), {
    gives: ["all-of-narrowed"],
  }),
  change(
    incompatible("allOf", "subschema added"),
    "all-of-grown",
    counted({ allOf: [ONE] }),
    counted({ allOf: [ONE, TWO] }),
    { gives: ["all-of-narrowed"] },
  ),
  change(
    incompatible("allOf", "subschema removed", LOOSER),
    "all-of-shrunk",
    counted({ allOf: [ONE, TWO] }),
    counted({ allOf: [ONE] }),
    { gives: ["all-of-widened"], probe: { one: "a", two: "a" } },
  ),
  change(incompatible("oneOf", "added"), "one-of-added", counted({}), counted({ oneOf: [ONE, TWO] }), {
    gives: ["one-of-narrowed"],
  }),
  change(
    incompatible("oneOf", "subschema removed"),
    "one-of-shrunk",
    counted({ oneOf: [ONE, TWO, THREE] }),
    counted({ oneOf: [ONE, TWO] }),
    { gives: ["one-of-narrowed"] },
  ),
  change(
    incompatible("oneOf", "subschema added", "an object may now fit two alternatives, and is refused"),
    "one-of-grown",
    counted({ oneOf: [ONE, TWO] }),
    counted({ oneOf: [ONE, TWO, THREE] }),
    { gives: ["one-of-changed"] },
  ),
  change(incompatible("anyOf", "added"), "any-of-added", counted({}), counted({ anyOf: [ONE, TWO] }), {
    gives: ["any-of-narrowed"],
  }),
  change(
    incompatible("anyOf", "subschema removed"),
    "any-of-shrunk",
    counted({ anyOf: [ONE, TWO] }),
    counted({ anyOf: [ONE] }),
    { gives: ["any-of-narrowed"] },
  ),
  change(
    incompatible("anyOf", "subschema added", LOOSER),
    "any-of-grown",
    counted({ anyOf: [ONE] }),
    counted({ anyOf: [ONE, TWO] }),
    { gives: ["any-of-widened"], probe: { one: "a" } },
  ),
  change(incompatible("anyOf", "removed", LOOSER), "any-of-gone", counted({ anyOf: [ONE] }), counted({}), {
    gives: ["any-of-widened"],
    probe: { one: "a" },
  }),
  change(incompatible("oneOf", "removed", LOOSER), "one-of-gone", counted({ oneOf: [ONE] }), counted({}), {
    gives: ["one-of-widened"],
    probe: { one: "a" },
  }),
  change(incompatible("not", "added"), "not-added", counted({}), counted({ not: ONE }), { gives: ["not-narrowed"] }),
  change(incompatible("not", "changed"), "not-changed", counted({ not: ONE }), counted({ not: TWO }), {
    gives: ["not-narrowed"],
  }),
  change(compatible("not", "removed"), "not-removed", counted({ not: ONE }), counted({}), {
    gives: ["not-widened"],
    probe: { two: "a" },
  }),
  change(
    incompatible("exclusiveMaximum", "added"),
    "exclusive-maximum-added",
    { ...INTEGER, maximum: 10 },
    { ...INTEGER, maximum: 10, exclusiveMaximum: true },
    { gives: ["maximum-narrowed"] },
  ),
  change(
    incompatible("exclusiveMaximum", "removed", LOOSER),
    "exclusive-maximum-removed",
    { ...INTEGER, maximum: 10, exclusiveMaximum: true },
    { ...INTEGER, maximum: 10 },
    { gives: ["maximum-widened"], probe: 9 },
  ),
  change(incompatible("xvalidations", "rule added"), "rule-added", INTEGER, ruled(RULE), { gives: ["rule-added"] }),
  change(
    incompatible("xvalidations", "rule for changes added"),
    "rule-of-changes-added",
    INTEGER,
    ruled({ rule: "self == oldSelf" }),
    { gives: ["rule-added"] },
  ),
  change(incompatible("xvalidations", "rule removed", LOOSER), "rule-removed", ruled(RULE), INTEGER, {
    gives: ["rule-removed"],
    probe: 1,
  }),
  change(
    incompatible("xvalidations", "reason changed", LOOSER),
    "rule-reason-changed",
    ruled(RULE),
    ruled({ ...RULE, reason: "FieldValueForbidden" }),
    { gives: ["rule-message-changed"], probe: 1 },
  ),
  change(
    compatible("xvalidations", "message changed"),
    "rule-message-changed",
    ruled(RULE),
    ruled({ ...RULE, message: "too much" }),
    { gives: ["rule-message-changed"], probe: 1 },
  ),
];
