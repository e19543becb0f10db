import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import type { JsonObject } from "../../../src/kubernetes/object.ts";
import type { Schema } from "./sample.ts";

/** A CustomResourceDefinition, as the tests read it. */
export interface Definition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: Readonly<Record<string, string>> & { readonly plural: string; readonly kind: string };
    readonly versions: readonly DefinitionVersion[];
  };
}

interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema: Schema };
}

/** Real definitions; absent where only this repository was cloned. */
export const CRDS: string = join(import.meta.dirname, "../../../../shared/kyma-data/crds");

/** The real definitions, each in a group of its own, so that all releases stand side by side; no webhook converts. */
export function realDefinitions(): readonly Definition[] {
  const files = globSync("**/*.yaml", { cwd: CRDS }).sort();
  const documents = files.flatMap((file) => loadAll(readFileSync(join(CRDS, file), "utf8")) as (Definition | null)[]);
  return documents.flatMap((one, index) =>
    one?.kind === "CustomResourceDefinition" ? [moved(one, `d${index}.differential.test`)] : [],
  );
}

function moved(definition: Definition, group: string): Definition {
  const { apiVersion, kind, spec } = definition;
  const name = `${spec.names.plural}.${group}`;
  const withoutWebhook = Object.fromEntries(Object.entries(spec).filter(([key]) => key !== "conversion"));
  return { apiVersion, kind, metadata: { name }, spec: { ...(withoutWebhook as Definition["spec"]), group } };
}

/** A definition of one version whose `spec` has this schema. */
export function definitionOf(kind: string, spec: Schema, more: JsonObject = {}): Definition {
  const plural = `${kind.toLowerCase()}s`;
  const group = "generated.differential.test";
  const properties = { spec, status: { type: "object", properties: { replicas: { type: "integer" } } } };
  const schema = { openAPIV3Schema: { type: "object", required: ["spec"], properties } };
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names,
      versions: [{ name: "v1", served: true, storage: true, schema, ...more }],
    },
  };
}

const text = { type: "string", maxLength: 20 };

/** What real definitions use too seldom: rules, lists that are maps or sets, embedded objects, every extension. */
export function generatedDefinitions(): readonly Definition[] {
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  return [
    definitionOf("Rule", RULES),
    definitionOf("List", LISTS),
    definitionOf("Extension", EXTENSIONS, { subresources: { status: {}, scale } }),
  ];
}

const RULES: Schema = {
  type: "object",
  required: ["minimum", "maximum"],
  properties: {
    minimum: { type: "integer", minimum: 0, maximum: 100 },
    maximum: { type: "integer", exclusiveMaximum: true, maximum: 1000 },
    name: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "name is immutable" }] },
    count: {
      type: "integer",
      "x-kubernetes-validations": [
        {
          rule: "!oldSelf.hasValue() || self >= oldSelf.value()",
          optionalOldSelf: true,
          reason: "FieldValueForbidden",
        },
      ],
    },
    tags: { type: "array", maxItems: 5, items: text, "x-kubernetes-validations": [{ rule: "self.all(t, t != '')" }] },
    quantity: { type: "string", "x-kubernetes-validations": [{ rule: "isQuantity(self)" }] },
    address: {
      type: "string",
      maxLength: 40,
      "x-kubernetes-validations": [{ rule: "isURL(self)", messageExpression: "'no address: ' + self" }],
    },
  },
  "x-kubernetes-validations": [
    { rule: "self.minimum <= self.maximum", message: "minimum above maximum", fieldPath: ".minimum" },
    { rule: "!has(self.name) || self.name.matches('^[a-z]')" },
  ],
};
const LISTS: Schema = {
  type: "object",
  properties: {
    ports: {
      type: "array",
      maxItems: 4,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name", "protocol"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: text, protocol: { ...text, default: "TCP" }, port: { type: "integer", format: "int32" } },
      },
    },
    hosts: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string", enum: ["a", "b", "c"] } },
    plain: { type: "array", minItems: 1, items: { type: "number", multipleOf: 0.5 } },
    labels: { type: "object", additionalProperties: text, maxProperties: 2 },
  },
};

const EXTENSIONS: Schema = {
  type: "object",
  properties: {
    replicas: { type: "integer", default: 1 },
    either: { "x-kubernetes-int-or-string": true },
    anything: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    embedded: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    nothing: { type: "string", nullable: true },
    time: { type: "string", format: "date-time" },
    pattern: { type: "string", pattern: "^a.c$" },
    choice: {
      type: "object",
      properties: { one: text, other: text },
      oneOf: [{ required: ["one"] }, { required: ["other"] }],
    },
    atomic: { type: "object", "x-kubernetes-map-type": "atomic", properties: { key: text } },
  },
};
