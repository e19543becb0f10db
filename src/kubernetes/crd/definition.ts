import type { Json, JsonObject } from "../object.ts";
import { isSet, listAt, objectAt, jsonObject, textAt, textsAt, type Schema } from "./schema.ts";

/** A CustomResourceDefinition, read leniently: malformed parts are absent. */
export interface Definition {
  readonly document: JsonObject;
  readonly spec: JsonObject;
  readonly names: JsonObject;
  readonly group: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** By name. */
  readonly versions: ReadonlyMap<string, DefinitionVersion>;
  /** Whether a conversion changes only the apiVersion of an object. */
  readonly convertsNothing: boolean;
  /** The versions in which objects may be stored: from the definition, and from its status if it is live. */
  readonly stored: ReadonlySet<string>;
}

/** One version of a definition. */
export interface DefinitionVersion {
  readonly name: string;
  /** Its index in `spec.versions`. */
  readonly index: number;
  readonly isServed: boolean;
  readonly isStored: boolean;
  readonly isDeprecated: boolean;
  readonly schema: Schema;
  readonly subresources: JsonObject;
  readonly selectableFields: readonly string[];
  readonly columns: readonly Json[];
}

/** Reads a CustomResourceDefinition (apiextensions.k8s.io/v1), as parsed. Never fails. */
export function readDefinition(value: unknown): Definition {
  const document = jsonObject(value);
  const spec = objectAt(document, "spec");
  const names = objectAt(spec, "names");
  const versions = listAt(spec, "versions").map((version, index) => readVersion(jsonObject(version), index));
  const stored = versions.filter(({ isStored }) => isStored).map(({ name }) => name);
  return {
    ...{ document, spec, names },
    group: textAt(spec, "group") ?? "",
    kind: textAt(names, "kind") ?? "",
    isNamespaced: textAt(spec, "scope") !== "Cluster",
    versions: new Map(versions.map((version) => [version.name, version])),
    convertsNothing: (textAt(objectAt(spec, "conversion"), "strategy") ?? "None") === "None",
    stored: new Set([...stored, ...textsAt(objectAt(document, "status"), "storedVersions")]),
  };
}

function readVersion(version: JsonObject, index: number): DefinitionVersion {
  return {
    name: textAt(version, "name") ?? "",
    index,
    isServed: isSet(version, "served"),
    isStored: isSet(version, "storage"),
    isDeprecated: isSet(version, "deprecated"),
    schema: objectAt(objectAt(version, "schema"), "openAPIV3Schema"),
    subresources: objectAt(version, "subresources"),
    selectableFields: listAt(version, "selectableFields").map((field) => textAt(jsonObject(field), "jsonPath") ?? ""),
    columns: listAt(version, "additionalPrinterColumns"),
  };
}
