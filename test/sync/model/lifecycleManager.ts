import { compareVersions, parseVersion } from "../../../src/catalogue/version.ts";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { readReleaseMeta, templateRestrictions } from "../../../src/kubernetes/releaseMeta.ts";
import type { Generation } from "../../../src/catalogue/settings.ts";
import type { ModelControlPlane } from "./controlPlane.ts";

/** A cluster, and what its user enabled: module to channel. */
export interface Cluster {
  readonly name: string;
  readonly isBeta: boolean;
  readonly wishes: Map<string, string>;
}

/** The state of a module in a Kyma. */
interface ModuleStatus {
  readonly name: string;
  readonly channel: string;
  readonly version?: string;
  readonly state: "Ready" | "Warning" | "Error";
  readonly message?: string;
  readonly template?: { readonly metadata: { readonly name: string } };
}

const GROUP = "operator.kyma-project.io";
const apiVersion = `${GROUP}/v1beta2`;

/**
 * What lifecycle-manager makes of templates and release metas, one cluster at a time: the facts of lifecycle-manager.md,
 * "What LM does with a change" and "What a program that writes MTs and MRMs must therefore never do", and nothing of how
 * `sync` guards against them.
 */
export class ModelLifecycleManager {
  readonly clusters: readonly Cluster[];
  readonly #plane: ModelControlPlane;
  readonly #generation: Generation;
  /** `<module>@<version>` of artifacts that are not there. */
  readonly missing: Set<string>;

  constructor(plane: ModelControlPlane, clusters: readonly Cluster[], missing: Set<string>, generation: Generation) {
    this.#plane = plane;
    this.clusters = clusters;
    this.missing = missing;
    this.#generation = generation;
  }

  /** Looks at everything until nothing changes any more. */
  settle(): void {
    for (const cluster of this.clusters) this.reconcile(cluster);
  }

  /** Looks at one cluster. */
  reconcile(cluster: Cluster): void {
    const statuses: ModuleStatus[] = [];
    for (const [module, channel] of cluster.wishes) {
      const status = this.#reconcileModule(cluster, module, channel);
      if (status !== undefined) statuses.push(status);
    }
    for (const module of this.#installedModules(cluster)) {
      const isMandatory = this.#mandatoryVersion(module) !== undefined;
      if (!cluster.wishes.has(module) && !isMandatory) this.#plane.delete("Manifest", manifestName(cluster, module));
    }
    this.#reconcileMandatory(cluster);
    this.#plane.put({
      apiVersion,
      kind: "Kyma",
      metadata: { name: cluster.name },
      spec: { channel: "regular" },
      status: { modules: statuses },
    });
  }

  /** The version that runs on a cluster, mandatory modules included. */
  installed(cluster: Cluster, module: string): string | undefined {
    const manifest = this.#plane.get("Manifest", manifestName(cluster, module));
    return (manifest?.["spec"] as { version?: string } | undefined)?.version;
  }

  /** Everything that runs: `<cluster>/<module>` to version. */
  inventory(): ReadonlyMap<string, string> {
    return new Map(
      this.clusters.flatMap((cluster) =>
        this.#installedModules(cluster).map((module): [string, string] => [
          `${cluster.name}/${module}`,
          this.installed(cluster, module) ?? "",
        ]),
      ),
    );
  }

  #installedModules(cluster: Cluster): readonly string[] {
    return [...this.#plane.objects.values()].flatMap(({ kind, metadata: { labels } }) =>
      kind === "Manifest" && labels?.[`${GROUP}/kyma-name`] === cluster.name
        ? [labels[`${GROUP}/module-name`] ?? ""]
        : [],
    );
  }

  #statusOf(cluster: Cluster, module: string): ModuleStatus | undefined {
    const { modules = [] } = (this.#plane.get("Kyma", cluster.name)?.["status"] ?? {}) as { modules?: ModuleStatus[] };
    return modules.find(({ name }) => name === module);
  }

  #reconcileModule(cluster: Cluster, module: string, channel: string): ModuleStatus | undefined {
    const before = this.#statusOf(cluster, module);
    const found = this.#lookUp(module, channel);
    switch (found.kind) {
      case "no-meta":
        // Deleting a release meta keeps the guard.
        return before && { ...before, state: "Warning", message: "no ModuleReleaseMeta found" };
      case "lost":
        return { name: module, channel: before?.channel ?? channel, state: "Error", message: found.why };
      case "hidden":
        this.#plane.delete("Manifest", manifestName(cluster, module));
        return undefined;
      case "found":
        return this.#reconcileFound(cluster, { name: module, channel }, found, before);
    }
  }

  #reconcileFound(
    cluster: Cluster,
    { name, channel }: Pick<ModuleStatus, "name" | "channel">,
    { version, template, isBeta }: Extract<LookUp, { kind: "found" }>,
    before: ModuleStatus | undefined,
  ): ModuleStatus {
    if (isBeta && !cluster.isBeta) {
      this.#plane.delete("Manifest", manifestName(cluster, name));
      return { name, channel, state: "Error", message: "module is not offered here" };
    }
    if (before?.version !== undefined && isLower(version, before.version))
      return { ...before, state: "Warning", message: `ignore channel skew (from ${before.channel} to ${channel})` };
    this.#install(cluster, name, version);
    return { name, channel, version, state: "Ready", template: { metadata: { name: template } } };
  }

  #lookUp(module: string, channel: string): LookUp {
    return this.#generation === "version-templates"
      ? this.#lookUpByMeta(module, channel)
      : this.#lookUpByChannel(module, channel);
  }

  #lookUpByMeta(module: string, channel: string): LookUp {
    const meta = this.#plane.get("ModuleReleaseMeta", module);
    if (meta === undefined) return { kind: "no-meta" };
    const { channels = [], mandatory, beta = false } = readReleaseMeta(meta);
    if (mandatory !== undefined) return { kind: "hidden" };
    const entry = channels.find((one) => one.channel === channel);
    if (entry === undefined) return { kind: "lost", why: "no versions found for channel" };
    const name = `${module}-${entry.version}`;
    return this.#lookUpTemplate(module, name, entry.version, beta);
  }

  #lookUpByChannel(module: string, channel: string): LookUp {
    const name = `${module}-${channel}`;
    const version = versionOf(this.#plane.get("ModuleTemplate", name));
    return this.#lookUpTemplate(module, name, version ?? "", false);
  }

  #lookUpTemplate(module: string, name: string, version: string, isBetaMeta: boolean): LookUp {
    const template = this.#plane.get("ModuleTemplate", name);
    if (template === undefined) return { kind: "lost", why: "no ModuleTemplate found" };
    if ((template["spec"] as { mandatory?: boolean }).mandatory === true)
      return { kind: "lost", why: "the template is mandatory" };
    if (this.missing.has(`${module}@${version}`)) return { kind: "lost", why: "failed to get descriptor" };
    return {
      kind: "found",
      version,
      template: name,
      isBeta: isBetaMeta || templateRestrictions(template).beta === true,
    };
  }

  #install(cluster: Cluster, module: string, version: string): void {
    const labels = { [`${GROUP}/module-name`]: module, [`${GROUP}/kyma-name`]: cluster.name };
    const metadata = { name: manifestName(cluster, module), labels };
    this.#plane.put({ apiVersion, kind: "Manifest", metadata, spec: { version } });
  }

  #mandatoryVersion(module: string): string | undefined {
    const meta = this.#plane.get("ModuleReleaseMeta", module);
    if (this.#generation === "version-templates") return meta && readReleaseMeta(meta).mandatory?.version;
    const template = [...this.#plane.objects.values()].find(
      ({ kind, metadata, spec }) =>
        kind === "ModuleTemplate" &&
        metadata.labels?.[`${GROUP}/module-name`] === module &&
        (spec as { mandatory?: boolean }).mandatory === true,
    );
    return template && versionOf(template);
  }

  /** No guard at all; a template or an artifact that is missing is passed over without a word. */
  #reconcileMandatory(cluster: Cluster): void {
    const modules = new Set(
      [...this.#plane.objects.values()].flatMap(({ kind, metadata: { name, labels } }) => {
        if (kind === "ModuleReleaseMeta") return [name];
        return kind === "ModuleTemplate" ? [labels?.[`${GROUP}/module-name`] ?? ""] : [];
      }),
    );
    for (const module of modules) {
      const version = this.#mandatoryVersion(module);
      if (version === undefined || this.missing.has(`${module}@${version}`)) continue;
      const isThere =
        this.#generation === "channel-templates" ||
        this.#plane.get("ModuleTemplate", `${module}-${version}`) !== undefined;
      if (isThere) this.#install(cluster, module, version);
    }
  }
}

type LookUp =
  | { readonly kind: "no-meta" }
  | { readonly kind: "lost"; readonly why: string }
  | { readonly kind: "hidden" }
  | { readonly kind: "found"; readonly version: string; readonly template: string; readonly isBeta: boolean };

function manifestName(cluster: Cluster, module: string): string {
  return `${cluster.name}-${module}`;
}

function versionOf(template: KubernetesObject | undefined): string | undefined {
  return (template?.["spec"] as { version?: string } | undefined)?.version;
}

/** lifecycle-manager compares x.y.z, and nothing behind it. */
export function isLower(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => parseVersion(version.replace(/-.*$/, "")));
  return left !== undefined && right !== undefined && compareVersions(left, right) < 0;
}
