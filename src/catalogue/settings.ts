import type { LandscapeName } from "./names.ts";
import { durationMs } from "./policy.ts";

/** The address of a control plane. */
export type ControlPlaneAddress =
  | { readonly context: string }
  | { readonly kubeconfig: string }
  | { readonly inCluster: true }
  | { readonly embedded: true };

/** The model of templates that a lifecycle-manager reads; see `compile`. */
export type Generation = "version-templates" | "channel-templates";

/** One control plane and its clusters, as in `kyma-modules.yaml`. */
export interface Landscape {
  readonly name: LandscapeName;
  readonly controlPlane: ControlPlaneAddress;
  readonly namespace: string;
  /** `auto` reads it from the image of lifecycle-manager's Deployment. */
  readonly lifecycleManager: Generation | "auto";
  /** The condition for an entry to reach this landscape; `undefined`: it comes at once. */
  readonly after: Wave | undefined;
  /** The registry in which lifecycle-manager finds the modules of this landscape; `undefined`: not checked. */
  readonly registry: RegistrySettings | undefined;
  /** Whether the controller removes entries and modules that no channel has anymore. */
  readonly prune: boolean;
  /** The maximum that it removes at once, as a share of the set; `undefined`: the limit of `sync`. */
  readonly maxPrune: number | undefined;
}

/** The time for which an earlier landscape must serve an entry or a declared hot-fix first. Milliseconds. */
interface Wave {
  readonly landscape: LandscapeName;
  readonly soakMs: number;
  readonly hotfixSoakMs: number;
  /** The maximum growth of the share of failing clusters in that landscape; 0 to 1. */
  readonly notWorseBy: number;
  /** The time after which a cluster there that has not reached a version counts as failing. */
  readonly deadlineMs: number;
  /** The address to read the records of that landscape from; `undefined`: its own address. */
  readonly record: ControlPlaneAddress | undefined;
}

/** The target of pull requests: the branch `base` of a GitHub repository, `org/name`; or none. */
export type ForgeSettings =
  | {
      readonly kind: "github";
      readonly repository: string;
      readonly base: string;
      /** `undefined`: no dashboard issue. */
      readonly dashboard: DashboardSettings | undefined;
    }
  | { readonly kind: "none" };

/** The issue that shows the state of promotion, and its notices. */
export interface DashboardSettings {
  readonly title: string;
  /** The time for which a version must be blocked before a notice is sent. Milliseconds. */
  readonly blockedForMs: number;
  /** The environment variable with the address for notices; `undefined`: no notices. */
  readonly webhookVariable: string | undefined;
}

/** `kyma-modules.yaml`. Landscapes are in roll-out order. */
export interface Settings {
  readonly releaseManagers: readonly string[];
  readonly landscapes: readonly Landscape[];
  /** The registry of the modules. */
  readonly registry: RegistrySettings | undefined;
  /** The images that a module may run; unset: any. */
  readonly images: ImageRules;
  readonly forge: ForgeSettings;
  /** The minor versions of Kubernetes that modules run on: `1.34`. */
  readonly kubernetesVersions: readonly string[];
}

/** An OCI registry: `host[:port]/path`, by https unless `plainHttp`. */
export interface RegistrySettings {
  readonly baseUrl: string;
  readonly plainHttp?: boolean;
}

/** The allowed images, as globs, and whether images must have a digest. */
interface ImageRules {
  readonly allow?: readonly string[];
  readonly digest?: "preferred" | "required";
}

/** The content of `kyma-modules.yaml`, valid against its schema. */
export interface SettingsFile {
  readonly releaseManagers?: readonly string[];
  readonly landscapes: readonly {
    readonly name: LandscapeName;
    readonly controlPlane: ControlPlaneAddress;
    readonly namespace?: string;
    readonly lifecycleManager?: Generation | "auto";
    readonly after?: {
      readonly landscape: LandscapeName;
      readonly soak?: string;
      readonly hotfixSoak?: string;
      /** Why a soak may be too short to show that a version starts. */
      readonly shortSoakReason?: string;
      readonly notWorseBy?: string;
      readonly deadline?: string;
      readonly record?: ControlPlaneAddress;
    };
    readonly registry?: RegistrySettings;
    readonly prune?: boolean;
    readonly maxPrune?: string;
  }[];
  readonly registry?: RegistrySettings;
  readonly images?: ImageRules;
  readonly forge?: GitHubFile | { readonly kind: "none" };
  readonly kubernetes?: { readonly versions?: readonly string[] };
  readonly history?: { readonly knownCommits?: readonly string[] };
}

interface GitHubFile {
  readonly kind: "github";
  readonly repository: string;
  readonly base?: string;
  readonly dashboard?: {
    readonly title?: string;
    readonly blockedFor?: string;
    readonly webhook?: { readonly environment: string };
  };
}

/** The namespace of lifecycle-manager's objects for a landscape without one. */
export const DEFAULT_NAMESPACE = "kcp-system";

/** Applies the defaults of a settings file. */
export function readSettings(file: SettingsFile): Settings {
  return {
    releaseManagers: file.releaseManagers ?? [],
    registry: file.registry,
    images: file.images ?? {},
    forge: file.forge?.kind === "github" ? githubForge(file.forge) : { kind: "none" },
    kubernetesVersions: file.kubernetes?.versions ?? [],
    landscapes: file.landscapes.map((landscape) => ({
      name: landscape.name,
      controlPlane: landscape.controlPlane,
      namespace: landscape.namespace ?? DEFAULT_NAMESPACE,
      lifecycleManager: landscapeGeneration(landscape),
      after: landscape.after && landscapeWave(landscape.after),
      registry: landscape.registry ?? file.registry,
      prune: landscape.prune ?? false,
      maxPrune: landscape.maxPrune === undefined ? undefined : share(landscape.maxPrune),
    })),
  };
}

function githubForge({ kind, repository, base = "main", dashboard }: GitHubFile): ForgeSettings {
  if (dashboard === undefined) return { kind, repository, base, dashboard };
  const { title = "Promotion dashboard", blockedFor = "7d", webhook } = dashboard;
  const blockedForMs = durationMs(blockedFor);
  return { kind, repository, base, dashboard: { title, blockedForMs, webhookVariable: webhook?.environment } };
}

/** By how much the share of failing clusters may grow, unless the settings say. */
export const DEFAULT_NOT_WORSE_BY = "1%";

/** How long an upgrade may take on a cluster, unless the settings say. */
export const DEFAULT_DEADLINE = "10m";

type WaveFile = NonNullable<SettingsFile["landscapes"][number]["after"]>;

/** The wave of a landscape, with its defaults: without `hotfixSoak`, a hot-fix waits as long as any other version. */
function landscapeWave({
  landscape,
  soak = "0s",
  hotfixSoak = soak,
  notWorseBy = DEFAULT_NOT_WORSE_BY,
  deadline = DEFAULT_DEADLINE,
  record,
}: WaveFile): Wave {
  return {
    landscape,
    soakMs: durationMs(soak),
    hotfixSoakMs: durationMs(hotfixSoak),
    notWorseBy: share(notWorseBy),
    deadlineMs: durationMs(deadline),
    record,
  };
}

/** A percentage as a number from 0 to 1. */
export function share(percentage: string): number {
  return Number.parseFloat(percentage) / 100;
}

/** An embedded control plane runs no lifecycle-manager to detect, so it gets the model of a current one. */
function landscapeGeneration({
  lifecycleManager,
  controlPlane,
}: SettingsFile["landscapes"][number]): Generation | "auto" {
  if (lifecycleManager !== undefined && lifecycleManager !== "auto") return lifecycleManager;
  return "embedded" in controlPlane ? "version-templates" : "auto";
}
