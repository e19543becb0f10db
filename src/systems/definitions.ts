import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { Fault } from "../ports.ts";

/** The CustomResourceDefinitions in `paths`: files, or folders of YAML files. Throws CONFIGURATION and FILE_UNREADABLE. */
export function definitionsIn(paths: readonly string[]): readonly KubernetesObject[] {
  const found = new Map<string, KubernetesObject>();
  for (const path of paths.flatMap(filesOf)) {
    for (const definition of readDefinitions(path)) {
      const { name } = definition.metadata;
      if (found.has(name))
        throw new Fault("CONFIGURATION", `${path} defines ${name} once more. Name the files one by one: --crds FILE….`);
      found.set(name, definition);
    }
  }
  if (found.size === 0)
    throw new Fault("CONFIGURATION", `There is no CustomResourceDefinition in ${paths.join(", ")}.`);
  return [...found.values()];
}

function filesOf(path: string): readonly string[] {
  if (!readOrFault(path, () => statSync(path)).isDirectory()) return [path];
  const names = readOrFault(path, () => readdirSync(path)).filter((name) => /\.(ya?ml|json)$/.test(name));
  return names.map((name) => join(path, name));
}

function readDefinitions(path: string): readonly KubernetesObject[] {
  const text = readOrFault(path, () => readFileSync(path, "utf8"));
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined)
      throw new Fault("CONFIGURATION", `${path} is not YAML: ${error.message}`, { cause: error });
    const value: unknown = document.toJS();
    return isDefinition(value) ? [value] : [];
  });
}

function isDefinition(value: unknown): value is KubernetesObject {
  return isRecord(value) && value["kind"] === "CustomResourceDefinition" && typeof nameOf(value) === "string";
}

function nameOf({ metadata }: Readonly<Record<string, unknown>>): unknown {
  return isRecord(metadata) ? metadata["name"] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function readOrFault<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new Fault(
      "FILE_UNREADABLE",
      `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
