import { Ajv } from "ajv";
import { expect } from "vitest";
import checkSchema from "../../schemas/output/check.schema.json" with { type: "json" };
import interventionSchema from "../../schemas/output/intervention.schema.json" with { type: "json" };
import planSchema from "../../schemas/output/plan.schema.json" with { type: "json" };
import promotionSchema from "../../schemas/output/promotion.schema.json" with { type: "json" };

/** One verdict or intervention of a document. */
export type Item = Readonly<Record<string, unknown>>;

/** What the commands of promotion print. */
export type DocumentKind = "Promotion" | "Intervention";

const ajv = new Ajv({
  schemas: [checkSchema, planSchema],
  allowUnionTypes: true,
  formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) },
});
const validators = { Promotion: ajv.compile(promotionSchema), Intervention: ajv.compile(interventionSchema) };

/** What is wrong with a document of this kind. */
export function problemsOf(kind: DocumentKind, document: unknown): readonly unknown[] {
  const validate = validators[kind];
  validate(document);
  return validate.errors ?? [];
}

/** The items of a document that a command printed, once its schema accepted it. */
export function itemsOf(kind: DocumentKind, stdout: string): readonly Item[] {
  const document = JSON.parse(stdout) as { readonly items: readonly Item[] };
  expect(problemsOf(kind, document)).toEqual([]);
  return document.items;
}
