import moduleReleaseMeta from "../../schemas/modulereleasemeta.schema.json" with { type: "json" };
import moduleTemplate from "../../schemas/moduletemplate.schema.json" with { type: "json" };
import { isJsonObject, type Json, type JsonObject, type KubernetesObject } from "./object.ts";

/** The names of a kind, and its display in kubectl. */
export interface KindNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Lower case. */
  readonly plural: string;
  readonly shortNames: readonly string[];
  /** The columns of `kubectl get` after the name. */
  readonly columns: readonly KindColumn[];
}

/** One column of `kubectl get`. */
interface KindColumn {
  readonly name: string;
  readonly type: "string" | "boolean" | "date";
  readonly jsonPath: string;
}

const AGE: KindColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

/** The names of lifecycle-manager's ModuleTemplate. */
export const MODULE_TEMPLATE_NAMES: KindNames = {
  group: "operator.kyma-project.io",
  version: "v1beta2",
  kind: "ModuleTemplate",
  plural: "moduletemplates",
  shortNames: ["mt"],
  columns: [
    { name: "Module", type: "string", jsonPath: ".spec.moduleName" },
    { name: "Version", type: "string", jsonPath: ".spec.version" },
    { name: "Channel", type: "string", jsonPath: ".spec.channel" },
    AGE,
  ],
};

/** The names of lifecycle-manager's ModuleReleaseMeta. */
export const MODULE_RELEASE_META_NAMES: KindNames = {
  group: "operator.kyma-project.io",
  version: "v1beta2",
  kind: "ModuleReleaseMeta",
  plural: "modulereleasemetas",
  shortNames: ["mrm"],
  columns: [
    { name: "Channels", type: "string", jsonPath: ".spec.channels[*].channel" },
    { name: "Versions", type: "string", jsonPath: ".spec.channels[*].version" },
    { name: "Mandatory", type: "string", jsonPath: ".spec.mandatory.version" },
    AGE,
  ],
};

/** The definitions of the two kinds that `sync` writes, for a control plane without lifecycle-manager. */
export function lifecycleManagerDefinitions(): readonly KubernetesObject[] {
  return [
    customResourceDefinition(moduleTemplate, MODULE_TEMPLATE_NAMES),
    customResourceDefinition(moduleReleaseMeta, MODULE_RELEASE_META_NAMES),
  ];
}

/**
 * The CustomResourceDefinition of a namespaced kind, from the JSON Schema of its objects.
 *
 * Only `spec` is used, since the API server defines metadata itself. Throws when `spec` or the target of a `$ref` is
 * missing.
 */
export function customResourceDefinition(schema: JsonObject, names: KindNames): KubernetesObject {
  const { group, version, kind, plural, shortNames, columns } = names;
  const own = properties(schema);
  const text = { type: "string" };
  const openAPIV3Schema = {
    type: "object",
    ...(typeof schema["description"] === "string" ? { description: schema["description"] } : {}),
    properties: { apiVersion: text, kind: text, metadata: { type: "object" }, spec: structural(own["spec"], schema) },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), shortNames },
      versions: [
        { name: version, served: true, storage: true, schema: { openAPIV3Schema }, additionalPrinterColumns: columns },
      ],
    },
  };
}

/**
 * The keywords with the same meaning in a structural schema. Not included are keywords that it forbids (`$ref`, `if`,
 * `const`, `additionalProperties: false`: unknown fields are refused anyway), and those for editors.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
 */
const KEPT = new Set([
  ...["type", "description", "required", "enum", "pattern", "format", "default"],
  ...["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"],
  ...["x-kubernetes-embedded-resource", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations"],
  ...["x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"],
]);

function structural(node: Json | undefined, root: JsonObject): JsonObject {
  const schema = resolve(node, root);
  const kept = Object.entries(schema).filter(([keyword]) => KEPT.has(keyword));
  const result: Record<string, Json | undefined> = Object.fromEntries(kept);
  // The API server itself validates apiVersion, kind and metadata of an embedded resource.
  if (schema["x-kubernetes-embedded-resource"] === true) {
    delete result["required"];
    return result;
  }
  if (isJsonObject(schema["properties"])) {
    const children = Object.entries(schema["properties"]);
    result["properties"] = Object.fromEntries(children.map(([name, child]) => [name, structural(child, root)]));
  }
  if (isJsonObject(schema["items"])) result["items"] = structural(schema["items"], root);
  if (isJsonObject(schema["additionalProperties"])) {
    result["additionalProperties"] = structural(schema["additionalProperties"], root);
  }
  return result;
}

/** Follows a local `$ref`; keywords beside it take precedence. */
function resolve(node: Json | undefined, root: JsonObject): JsonObject {
  if (!isJsonObject(node)) throw new Error("a schema must be an object");
  const { $ref, ...beside } = node;
  if (typeof $ref !== "string") return node;
  const target = $ref
    .split("/")
    .slice(1)
    .reduce<Json | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), root);
  return { ...resolve(target, root), ...beside };
}

function properties(schema: JsonObject): JsonObject {
  return isJsonObject(schema["properties"]) ? schema["properties"] : {};
}
