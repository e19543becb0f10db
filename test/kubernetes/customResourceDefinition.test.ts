import { describe, expect, it } from "vitest";
import {
  customResourceDefinition,
  lifecycleManagerDefinitions,
  MODULE_TEMPLATE_NAMES,
} from "../../src/kubernetes/customResourceDefinition.ts";
import type { Json, JsonObject } from "../../src/kubernetes/object.ts";

const specOf = (schema: JsonObject): unknown => {
  const definition = customResourceDefinition(
    { properties: { spec: schema }, definitions: { word: { type: "string", title: "Word", maxLength: 9 } } },
    MODULE_TEMPLATE_NAMES,
  );
  const { versions } = definition["spec"] as { versions: readonly { schema: JsonObject }[] };
  const root = versions[0]?.schema["openAPIV3Schema"] as { properties: { spec: Json } };
  return root.properties.spec;
};

describe("customResourceDefinition", () => {
  it("keeps the keywords of a structural schema, and drops forbidden ones", () => {
    expect(
      specOf({
        $id: "x",
        title: "Spec",
        description: "What is wanted.",
        type: "object",
        examples: [{}],
        additionalProperties: false,
        required: ["a"],
        properties: { a: { type: "array", minItems: 1, uniqueItems: true, items: { type: "string", pattern: "^a$" } } },
        if: { required: ["a"] },
        then: { required: ["b"] },
        "x-kubernetes-validations": [{ rule: "true" }],
      }),
    ).toEqual({
      description: "What is wanted.",
      type: "object",
      required: ["a"],
      properties: { a: { type: "array", minItems: 1, items: { type: "string", pattern: "^a$" } } },
      "x-kubernetes-validations": [{ rule: "true" }],
    });
  });

  it("resolves a $ref, with the keywords beside it", () => {
    expect(
      specOf({ type: "object", additionalProperties: { $ref: "#/definitions/word", description: "One." } }),
    ).toEqual({
      type: "object",
      additionalProperties: { type: "string", maxLength: 9, description: "One." },
    });
  });

  it("leaves an embedded resource to the API server", () => {
    expect(
      specOf({
        type: "object",
        properties: { kind: { type: "string" } },
        required: ["kind"],
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      }),
    ).toEqual({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    });
  });

  it("throws when the target of a $ref or the spec is missing", () => {
    expect(() => specOf({ $ref: "#/definitions/word/nowhere/at/all" })).toThrow("schema");
    expect(() => customResourceDefinition({}, MODULE_TEMPLATE_NAMES)).toThrow("schema");
  });

  it("defines the two kinds of lifecycle-manager with their short names and columns", () => {
    const summary = lifecycleManagerDefinitions().map(({ metadata, spec }) => {
      const { scope, names, versions } = spec as {
        scope: string;
        names: { shortNames: readonly string[]; singular: string; listKind: string };
        versions: readonly { name: string; additionalPrinterColumns: readonly { name: string }[] }[];
      };
      const columns = versions.flatMap(({ additionalPrinterColumns }) =>
        additionalPrinterColumns.map(({ name }) => name),
      );
      return [metadata.name, scope, names.shortNames, names.singular, names.listKind, versions[0]?.name, columns];
    });

    expect(summary).toEqual([
      [
        "moduletemplates.operator.kyma-project.io",
        "Namespaced",
        ["mt"],
        "moduletemplate",
        "ModuleTemplateList",
        "v1beta2",
        ["Module", "Version", "Channel", "Age"],
      ],
      [
        "modulereleasemetas.operator.kyma-project.io",
        "Namespaced",
        ["mrm"],
        "modulereleasemeta",
        "ModuleReleaseMetaList",
        "v1beta2",
        ["Channels", "Versions", "Mandatory", "Age"],
      ],
    ]);
  });
});
