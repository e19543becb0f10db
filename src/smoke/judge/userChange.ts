import { fieldAt, isRecord, listAt, textAt } from "../../document/fields.ts";
import { apiGroup } from "../../kubernetes/workload.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";

/** The label and the annotation that a user sets on an object. */
export const USER_MARK: Readonly<Record<string, string>> = { "smoke.kyma-modules/written-by": "user" };

/** The schema of a custom resource's version, by the definitions of a manifest; `undefined` where none defines it. */
export function servedSchema(
  { apiVersion, kind }: Pick<KubernetesObject, "apiVersion" | "kind">,
  objects: readonly KubernetesObject[],
): unknown {
  const definition = objects.find(
    (object) =>
      object.kind === "CustomResourceDefinition" &&
      textAt(object, ["spec", "group"]) === apiGroup(apiVersion) &&
      textAt(object, ["spec", "names", "kind"]) === kind,
  );
  const name = apiVersion.slice(apiGroup(apiVersion).length + 1);
  const version = listAt(definition, ["spec", "versions"]).find((one) => textAt(one, ["name"]) === name);
  return fieldAt(version, ["schema", "openAPIV3Schema"]);
}

/** Whether the schema has the field that lifecycle-manager reads: `status.state`. */
export function hasState(schema: unknown): boolean {
  return fieldAt(schema, ["properties", "status", "properties", "state"]) !== undefined;
}

/** The optional fields of `spec` that the object does not have, each with a value; the most harmless first. */
export function optionalFields(
  schema: unknown,
  object: KubernetesObject,
): readonly Readonly<Record<string, unknown>>[] {
  const properties = fieldAt(schema, ["properties", "spec", "properties"]);
  const required = fieldAt(schema, ["properties", "spec", "required"]);
  if (!isRecord(properties)) return [];
  const values = Object.entries(properties)
    .filter(
      ([name]) =>
        !(Array.isArray(required) && required.includes(name)) && fieldAt(object, ["spec", name]) === undefined,
    )
    .flatMap(([name, property]) => [harmlessValue(property)].flatMap((found) => (found ? [{ name, ...found }] : [])));
  return values.toSorted((a, b) => a.rank - b.rank).map(({ name, value }) => ({ [name]: value }));
}

function harmlessValue(property: unknown): { readonly rank: number; readonly value: unknown } | undefined {
  const at = (field: string): unknown => fieldAt(property, [field]);
  if (at("default") !== undefined) return { rank: 0, value: at("default") };
  const choices = at("enum");
  if (Array.isArray(choices)) return { rank: 2, value: choices[0] };
  switch (at("type")) {
    case "boolean":
      return { rank: 1, value: false };
    case "integer":
      return { rank: 3, value: at("minimum") ?? 1 };
    case "string":
      return at("format") === undefined ? { rank: 4, value: "smoke" } : undefined;
  }
  return undefined;
}
