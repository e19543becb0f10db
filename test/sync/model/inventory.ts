import { compareVersions, parseVersion } from "../../../src/catalogue/version.ts";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { MODULE_LABEL } from "../catalogueFiles.ts";

/** The modules on clusters. */
export interface Inventory {
  /** `<cluster>/<module>` to versions: two if a module is installed twice. */
  readonly installed: ReadonlyMap<string, readonly string[]>;
  /** `<cluster>/<module>` to the version in the Kyma, by which a lower one is recognized; empty: none. */
  readonly believed: ReadonlyMap<string, string>;
  /** `<cluster>/<module>` of modules in Error. */
  readonly broken: ReadonlySet<string>;
}

/** The state of a module in a Kyma. */
export interface ModuleStatus {
  readonly name: string;
  readonly channel: string;
  readonly version?: string;
  readonly state: "Ready" | "Warning" | "Error";
  readonly message?: string;
  readonly template?: { readonly metadata: { readonly name: string } };
}

/** The label of a Manifest that names its cluster. */
export const KYMA_LABEL = "operator.kyma-project.io/kyma-name";

/** The module that a Manifest installs. */
export function moduleIn({ metadata: { labels } }: KubernetesObject): string {
  return labels?.[MODULE_LABEL] ?? "";
}

/** Reads the installed versions from Manifests, and their states from Kymas. */
export function inventoryOf(objects: readonly KubernetesObject[]): Inventory {
  const keyOf = (manifest: KubernetesObject): string =>
    `${manifest.metadata.labels?.[KYMA_LABEL] ?? ""}/${moduleIn(manifest)}`;
  const manifests = objects.filter(({ kind }) => kind === "Manifest");
  const states = objects
    .filter(({ kind }) => kind === "Kyma")
    .flatMap((kyma) => statusesIn(kyma).map((state) => [`${kyma.metadata.name}/${state.name}`, state] as const));
  return {
    installed: new Map([...Map.groupBy(manifests, keyOf)].map(([key, group]) => [key, versionsOf(group)])),
    believed: new Map(states.map(([key, { version = "" }]) => [key, version])),
    broken: new Set(states.flatMap(([key, { state }]) => (state === "Error" ? [key] : []))),
  };
}

function versionsOf(manifests: readonly KubernetesObject[]): readonly string[] {
  return manifests.map((one) => versionOf(one) ?? "").sort((a, b) => (isLower(a, b) ? -1 : 1));
}

/** The modules in the status of a Kyma. */
export function statusesIn(kyma: KubernetesObject | undefined): readonly ModuleStatus[] {
  const { modules = [] } = (kyma?.["status"] ?? {}) as { readonly modules?: readonly ModuleStatus[] };
  return modules;
}

/** `spec.version` of a template or a Manifest. */
export function versionOf(object: KubernetesObject | undefined): string | undefined {
  return (object?.["spec"] as { version?: string } | undefined)?.version;
}

/** lifecycle-manager compares only x.y.z, and nothing after it. */
export function isLower(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => parseVersion(version.replace(/-.*$/, "")));
  return left !== undefined && right !== undefined && compareVersions(left, right) < 0;
}
