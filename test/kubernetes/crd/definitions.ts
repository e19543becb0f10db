import type { JsonObject } from "../../../src/kubernetes/object.ts";

/** A CustomResourceDefinition, as far as these tests change it. */
export interface TestDefinition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: JsonObject & { readonly plural: string; readonly kind: string };
    readonly versions: readonly (JsonObject & { readonly name: string; readonly served: boolean })[];
    readonly [key: string]: unknown;
  };
}

/** A definition of the kind Sample whose objects have these fields in `spec`. */
export function definitionOf(fields: JsonObject, group = "example.org"): TestDefinition {
  return withSchema({ type: "object", properties: { spec: { type: "object", properties: fields } } }, group);
}

/** A definition of the kind Sample with a schema for whole objects. */
export function withSchema(openAPIV3Schema: JsonObject, group = "example.org"): TestDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `samples.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Sample", listKind: "SampleList", plural: "samples", singular: "sample" },
      versions: [version("v1", { storage: true, schema: { openAPIV3Schema } })],
    },
  };
}

const PLAIN: JsonObject = {
  openAPIV3Schema: {
    type: "object",
    properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
  },
};

/** A version of a definition; with a field `.spec.size` where nothing else is said. */
export function version(
  name: string,
  rest: JsonObject = {},
): JsonObject & { readonly name: string; readonly served: boolean } {
  return { name, served: true, storage: false, schema: PLAIN, ...rest };
}

/** The definition with other members of its `spec`. */
export function withSpec(definition: TestDefinition, spec: Partial<TestDefinition["spec"]>): TestDefinition {
  return { ...definition, spec: { ...definition.spec, ...spec } };
}
