import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { readReleaseMeta, templateRestrictions } from "../../../src/kubernetes/releaseMeta.ts";
import type { Generation } from "../../../src/catalogue/settings.ts";
import { MODULE_LABEL } from "../catalogueFiles.ts";
import type { ModelControlPlane } from "./controlPlane.ts";
import {
  inventoryOf,
  isLower,
  KYMA_LABEL,
  moduleIn,
  statusesIn,
  versionOf,
  type Inventory,
  type ModuleStatus,
} from "./inventory.ts";

/** A cluster, and the modules that its user enabled: module to channel. */
export interface Cluster {
  readonly name: string;
  readonly isBeta: boolean;
  readonly wishes: Map<string, string>;
}

const apiVersion = "operator.kyma-project.io/v1beta2";

/**
 * How lifecycle-manager acts on templates and release metas, one cluster at a time: the facts of lifecycle-manager.md,
 * "What LM does with a change" and "What a program that writes MTs and MRMs must therefore never do". It knows nothing
 * about the safeguards of `sync`.
 */
export class ModelLifecycleManager {
  readonly clusters: readonly Cluster[];
  readonly #plane: ModelControlPlane;
  readonly #generation: Generation;
  /** `<module>@<version>` of missing artifacts. */
  readonly missing: Set<string>;

  constructor(plane: ModelControlPlane, clusters: readonly Cluster[], missing: Set<string>, generation: Generation) {
    this.#plane = plane;
    this.clusters = clusters;
    this.missing = missing;
    this.#generation = generation;
  }

  /** Reconciles all clusters until nothing changes any more. */
  settle(): void {
    for (const cluster of this.clusters) this.reconcile(cluster);
  }

  /** Reconciles one cluster. */
  reconcile(cluster: Cluster): void {
    const statuses: ModuleStatus[] = [];
    for (const [module, channel] of cluster.wishes) {
      const status = this.#reconcileModule(cluster, module, channel);
      if (status !== undefined) statuses.push(status);
    }
    for (const module of new Set(this.#manifestsOf(cluster).map(moduleIn))) {
      const isMandatory = this.#mandatoryVersion(module) !== undefined;
      if (!cluster.wishes.has(module) && !isMandatory) this.#uninstall(cluster, module);
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

  /** The running modules, and their states in Kymas. */
  inventory(): Inventory {
    return inventoryOf([...this.#plane.objects.values()]);
  }

  /** The versions of a module by channel. */
  served(module: string): ReadonlyMap<string, string> {
    if (this.#generation === "version-templates") {
      const meta = this.#plane.get("ModuleReleaseMeta", module);
      return new Map((meta && readReleaseMeta(meta).channels)?.map(({ channel, version }) => [channel, version]));
    }
    return new Map(
      ["fast", "regular"].flatMap((channel) => {
        const version = versionOf(this.#plane.get("ModuleTemplate", `${module}-${channel}`));
        return version === undefined ? [] : [[channel, version] as const];
      }),
    );
  }

  /** The channel of a module in the status of a Kyma. */
  channelIn(cluster: string, module: string): string | undefined {
    return this.#statusOf(cluster, module)?.channel;
  }

  #manifestsOf({ name }: Cluster): readonly KubernetesObject[] {
    return [...this.#plane.objects.values()].filter(
      ({ kind, metadata }) => kind === "Manifest" && metadata.labels?.[KYMA_LABEL] === name,
    );
  }

  #statusOf(cluster: string, module: string): ModuleStatus | undefined {
    return statusesIn(this.#plane.get("Kyma", cluster)).find(({ name }) => name === module);
  }

  #reconcileModule(cluster: Cluster, module: string, channel: string): ModuleStatus | undefined {
    const before = this.#statusOf(cluster.name, module);
    const found = this.#lookUp(module, channel);
    switch (found.kind) {
      case "no-meta":
        // The deletion of a release meta keeps the guard.
        return before && { ...before, state: "Warning", message: "no ModuleReleaseMeta found" };
      case "lost": {
        const state = found.isWarning === true ? "Warning" : "Error";
        return { name: module, channel: before?.channel ?? channel, state, message: found.why };
      }
      case "hidden":
        this.#uninstall(cluster, module);
        return undefined;
      case "refused":
        return this.#refuse(cluster, module, channel);
      case "found":
        return this.#reconcileFound(cluster, { name: module, channel }, found, before);
    }
  }

  #reconcileFound(
    cluster: Cluster,
    { name, channel }: Pick<ModuleStatus, "name" | "channel">,
    { version, template, isMissing, isBeta }: Extract<LookUp, { kind: "found" }>,
    before: ModuleStatus | undefined,
  ): ModuleStatus {
    if (isBeta && !cluster.isBeta) return this.#refuse(cluster, name, channel);
    if (before?.version !== undefined && isLower(version, before.version))
      return { ...before, state: "Warning", message: `ignore channel skew (from ${before.channel} to ${channel})` };
    this.#install(cluster, name, version);
    const state = isMissing ? "Warning" : "Ready";
    return { name, channel, version, state, template: { metadata: { name: template } } };
  }

  #refuse(cluster: Cluster, name: string, channel: string): ModuleStatus {
    this.#uninstall(cluster, name);
    return { name, channel, state: "Error", message: "module is not offered here" };
  }

  #lookUp(module: string, channel: string): LookUp {
    return this.#generation === "version-templates"
      ? this.#lookUpByMeta(module, channel)
      : this.#lookUpByChannel(module, channel);
  }

  #lookUpByMeta(module: string, channel: string): LookUp {
    const meta = this.#plane.get("ModuleReleaseMeta", module);
    if (meta === undefined) return { kind: "no-meta" };
    const { channels = [], mandatory, kymaSelector } = readReleaseMeta(meta);
    if (mandatory !== undefined) return { kind: "hidden" };
    const entry = channels.find((one) => one.channel === channel);
    if (entry === undefined) return { kind: "lost", why: "no versions found for channel" };
    const name = `${module}-${entry.version}`;
    // No module of the model is among --restricted-default-modules, so a selector excludes all clusters.
    if (kymaSelector) return { kind: "refused" };
    return this.#lookUpTemplate(module, name, entry.version);
  }

  #lookUpByChannel(module: string, channel: string): LookUp {
    const name = `${module}-${channel}`;
    const version = versionOf(this.#plane.get("ModuleTemplate", name));
    return this.#lookUpTemplate(module, name, version ?? "");
  }

  #lookUpTemplate(module: string, name: string, version: string): LookUp {
    const template = this.#plane.get("ModuleTemplate", name);
    if (template === undefined)
      return { kind: "lost", why: "no ModuleTemplate found", isWarning: this.#generation === "channel-templates" };
    if ((template["spec"] as { mandatory?: boolean }).mandatory === true)
      return { kind: "lost", why: "the template is mandatory" };
    // Up to 1.7, the template contains the descriptor, so only the Manifest fails.
    const isMissing = this.missing.has(`${module}@${version}`);
    if (isMissing && this.#generation === "version-templates") return { kind: "lost", why: "failed to get descriptor" };
    return {
      kind: "found",
      version,
      template: name,
      isMissing,
      isBeta: templateRestrictions(template).beta === true,
    };
  }

  /** One Manifest per OCM component: with another component, the module is installed a second time. */
  #install(cluster: Cluster, module: string, version: string): void {
    const meta = this.#plane.get("ModuleReleaseMeta", module);
    const component = meta && readReleaseMeta(meta).ocmComponentName;
    const labels = { [MODULE_LABEL]: module, [KYMA_LABEL]: cluster.name };
    const metadata = { name: `${cluster.name}-${module}-${(component ?? "").replaceAll("/", "-")}`, labels };
    this.#plane.put({ apiVersion, kind: "Manifest", metadata, spec: { version } });
  }

  #uninstall(cluster: Cluster, module: string): void {
    for (const manifest of this.#manifestsOf(cluster))
      if (moduleIn(manifest) === module) this.#plane.delete("Manifest", manifest.metadata.name);
  }

  #mandatoryVersion(module: string): string | undefined {
    const meta = this.#plane.get("ModuleReleaseMeta", module);
    if (this.#generation === "version-templates") return meta && readReleaseMeta(meta).mandatory?.version;
    const template = [...this.#plane.objects.values()].find(
      ({ kind, metadata, spec }) =>
        kind === "ModuleTemplate" &&
        metadata.labels?.[MODULE_LABEL] === module &&
        (spec as { mandatory?: boolean }).mandatory === true,
    );
    return template && versionOf(template);
  }

  /** Mandatory modules have no guard; a missing template or artifact is silently ignored. */
  #reconcileMandatory(cluster: Cluster): void {
    const modules = new Set(
      [...this.#plane.objects.values()].flatMap(({ kind, metadata: { name, labels } }) => {
        if (kind === "ModuleReleaseMeta") return [name];
        return kind === "ModuleTemplate" ? [labels?.[MODULE_LABEL] ?? ""] : [];
      }),
    );
    for (const module of modules) {
      const version = this.#mandatoryVersion(module);
      // Up to 1.7, users who enabled a module keep the version of their channel.
      const isOwn = this.#generation === "channel-templates" && cluster.wishes.has(module);
      const isMissing = this.#generation === "version-templates" && this.missing.has(`${module}@${version ?? ""}`);
      if (version === undefined || isOwn || isMissing) continue;
      const isThere =
        this.#generation === "channel-templates" ||
        this.#plane.get("ModuleTemplate", `${module}-${version}`) !== undefined;
      if (isThere) this.#install(cluster, module, version);
    }
  }
}

type LookUp =
  | { readonly kind: "no-meta" }
  | { readonly kind: "lost"; readonly why: string; readonly isWarning?: boolean }
  | { readonly kind: "hidden" }
  /** It exists, but is not offered to the cluster. */
  | { readonly kind: "refused" }
  | {
      readonly kind: "found";
      readonly version: string;
      readonly template: string;
      readonly isMissing: boolean;
      readonly isBeta: boolean;
    };
