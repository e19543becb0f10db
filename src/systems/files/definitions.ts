import { parseAllDocuments } from "yaml";
import { fieldAt } from "../../document/fields.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { Fault, type NamedFile, type Run } from "../../ports.ts";
import { namedFiles } from "./namedFiles.ts";

/**
 * Reads the CustomResourceDefinitions in files and in folders of YAML files. Throws CONFIGURATION and FILE_UNREADABLE.
 */
export async function definitionsIn(paths: readonly string[], run: Run): Promise<readonly KubernetesObject[]> {
  const found = new Map<string, KubernetesObject>();
  for (const file of await namedFiles.read(paths, run)) {
    for (const definition of readDefinitions(file)) {
      const { name } = definition.metadata;
      if (found.has(name)) {
        const remedy = "Name the files one by one: --crds FILE….";
        throw new Fault("CONFIGURATION", `${file.name} defines ${name} a second time. ${remedy}`);
      }
      found.set(name, definition);
    }
  }
  if (found.size > 0) return [...found.values()];
  throw new Fault("CONFIGURATION", `There is no CustomResourceDefinition in ${paths.join(", ")}.`);
}

function readDefinitions({ name, content }: NamedFile): readonly KubernetesObject[] {
  return parseAllDocuments(new TextDecoder().decode(content)).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) {
      throw new Fault("CONFIGURATION", `${name} is not YAML: ${error.message}`, { cause: error });
    }
    const value: unknown = document.toJS();
    return isDefinition(value) ? [value] : [];
  });
}

function isDefinition(value: unknown): value is KubernetesObject {
  const name = fieldAt(value, ["metadata", "name"]);
  return fieldAt(value, ["kind"]) === "CustomResourceDefinition" && typeof name === "string";
}
