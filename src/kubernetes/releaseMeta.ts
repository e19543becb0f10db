import type { KubernetesObject } from "./object.ts";

/** The names of the templates that a ModuleReleaseMeta names. */
export function namedTemplates(meta: KubernetesObject): readonly string[] {
  const { moduleName = meta.metadata.name, channels = [], mandatory } = readReleaseMeta(meta);
  const versions = [...channels.map(({ version }) => version), ...(mandatory === undefined ? [] : [mandatory.version])];
  return [...new Set(versions.map((version) => `${moduleName}-${version}`))];
}

/** The fields of a ModuleReleaseMeta's spec that decide what is served. The API server has checked their types. */
export interface ReleaseMetaSpec {
  readonly moduleName?: string;
  readonly channels?: readonly { readonly channel: string; readonly version: string }[];
  readonly mandatory?: { readonly version: string };
}

/** The spec of a live or compiled ModuleReleaseMeta. The API server takes one without a spec as well. */
export function readReleaseMeta(meta: KubernetesObject): ReleaseMetaSpec {
  return meta["spec"] ?? {};
}
