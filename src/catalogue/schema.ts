import type { Ajv, ErrorObject, SchemaObject, ValidateFunction } from "ajv";
import channel from "../../schemas/channel.schema.json" with { type: "json" };
import evidence from "../../schemas/evidence.schema.json" with { type: "json" };
import holds from "../../schemas/holds.schema.json" with { type: "json" };
import hotfixes from "../../schemas/hotfixes.schema.json" with { type: "json" };
import module from "../../schemas/module.schema.json" with { type: "json" };
import moduleReleaseMeta from "../../schemas/modulereleasemeta.schema.json" with { type: "json" };
import moduleTemplate from "../../schemas/moduletemplate.schema.json" with { type: "json" };
import settings from "../../schemas/settings.schema.json" with { type: "json" };
import { schemaCompiler } from "../document/schema/compile.ts";
import { schemaProblems, type SchemaProblem } from "../document/schema/problem.ts";

export type { SchemaProblem } from "../document/schema/problem.ts";

/** The kinds of files that have a schema. */
export type SchemaKind =
  "settings" | "channel" | "module" | "holds" | "hotfixes" | "evidence" | "moduleTemplate" | "moduleReleaseMeta";

/** The JSON Schema of each kind, from `schemas/`. */
export const SCHEMAS: Readonly<Record<SchemaKind, SchemaObject>> = {
  settings,
  channel,
  module,
  holds,
  hotfixes,
  evidence,
  moduleTemplate,
  moduleReleaseMeta,
};

/**
 * All problems of `value` with the schema of `kind`; empty when it is valid.
 *
 * For kinds that the API server reads, a known property that is null counts as absent, as it does there.
 * Source: schemas/*.schema.json. Never throws.
 */
export function validate(kind: SchemaKind, value: unknown): readonly SchemaProblem[] {
  const validator = schemaValidator(kind);
  const errors = schemaErrors(validator, value);
  if (errors.length === 0 || (kind !== "moduleTemplate" && kind !== "moduleReleaseMeta"))
    return schemaProblems(errors, value);
  const unknown = errors.filter(({ keyword }) => keyword === "additionalProperties");
  return schemaProblems([...unknown, ...schemaErrors(validator, withoutNulls(value))], value);
}

function schemaErrors(validator: ValidateFunction, value: unknown): readonly ErrorObject[] {
  validator(value);
  return validator.errors ?? [];
}

// Compiling takes longer than validating a thousand files, so it happens once, and only for the kinds that are used.
let compiler: Ajv | undefined;
const validators = new Map<SchemaKind, ValidateFunction>();

function schemaValidator(kind: SchemaKind): ValidateFunction {
  const known = validators.get(kind);
  if (known !== undefined) return known;
  compiler ??= schemaCompiler();
  const validator = compiler.compile(SCHEMAS[kind]);
  validators.set(kind, validator);
  return validator;
}

/** The API server drops nulls of known properties before validation; nulls in lists stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutNulls(child)]));
}
