import { stringify } from "yaml";
import { importObjects } from "../../../src/catalogue/import/import.ts";
import type { Import, ImportedTemplate, ImportInput, ImportOptions } from "../../../src/catalogue/import/result.ts";
import { parse, type Parsing } from "../../../src/catalogue/parse.ts";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { snapshot } from "../repository.ts";

export const MODULE_LABEL = "operator.kyma-project.io/module-name";
export const VERSION_ANNOTATION = "operator.kyma-project.io/module-version";
const GROUP_VERSION = "operator.kyma-project.io/v1beta2";

type Fields = Readonly<Record<string, unknown>>;

/** A ModuleTemplate with a name, this spec beside an empty descriptor, and this metadata. */
export function template(name: string, spec: Fields = {}, metadata: Fields = {}): KubernetesObject {
  return {
    apiVersion: GROUP_VERSION,
    kind: "ModuleTemplate",
    metadata: { name, ...metadata },
    spec: { descriptor: {}, ...spec },
  };
}

/** A template as a current team writes it: everything is set. */
export function complete(module: string, version: string, spec: Fields = {}, metadata: Fields = {}): KubernetesObject {
  const channel = spec["channel"];
  const name = `${module}-${typeof channel === "string" ? channel : version}`;
  const all = { namespace: "kcp-system", labels: { [MODULE_LABEL]: module }, ...metadata };
  return template(name, { moduleName: module, version, ...spec }, all);
}

/** A ModuleReleaseMeta with this spec. */
export function releaseMeta(module: string, spec: Fields, metadata: Fields = {}): KubernetesObject {
  return {
    apiVersion: GROUP_VERSION,
    kind: "ModuleReleaseMeta",
    metadata: { name: module, namespace: "kcp-system", ...metadata },
    spec: { moduleName: module, ...spec },
  };
}

/** A file with this text, or with this object. */
export function file(name: string, content: string | object, changedMs?: number): ImportInput {
  const text = typeof content === "string" ? content : stringify(content);
  return { kind: "file", name, content: Buffer.from(text), changedMs };
}

/** An object of a control plane. */
export function live(object: KubernetesObject): ImportInput {
  return { kind: "object", name: `kcp: ${object.kind} ${object.metadata.name}`, object };
}

export type Texts = Readonly<Record<string, string>>;

/** Imports into a repository of these files. */
export function importAll(
  inputs: readonly ImportInput[],
  options: Partial<ImportOptions> = {},
  repository: Texts = {},
): Import {
  const all = { preferNewest: false, context: undefined, changedMs: new Map(), ...options };
  return importObjects(inputs, snapshot(repository), all);
}

/** The files of the repository after an import. */
export function textsAfter({ files }: Import, repository: Texts = {}): Texts {
  return { ...repository, ...Object.fromEntries(files.map(({ path, text }) => [path, text])) };
}

/** What the repository is after an import. */
export function parseAfter(decision: Import, repository: Texts = {}): Parsing {
  return parse(undefined, snapshot(textsAfter(decision, repository)));
}

/** The templates that an import writes. */
export function written({ files }: Import): readonly ImportedTemplate[] {
  return files.filter((one) => one.kind === "template");
}

/** Their paths. */
export function paths(decision: Import): readonly string[] {
  return written(decision).map(({ path }) => path);
}

/** The one template that an import writes. */
export function only(decision: Import): ImportedTemplate {
  const [first, ...others] = written(decision);
  if (first === undefined || others.length > 0) throw new Error(`it wrote ${paths(decision).join(", ") || "nothing"}`);
  return first;
}

/** Source and reason of everything that is left out. */
export function reasons({ leftOut }: Import): readonly string[] {
  return leftOut.map(({ source, reason }) => `${source}: ${reason}`);
}
