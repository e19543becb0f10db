import type { LandscapeName } from "./names.ts";
import { durationMs } from "./policy.ts";

/** How to reach a control plane. Exactly one of them. */
export type ControlPlaneAddress =
  | { readonly context: string }
  | { readonly kubeconfig: string }
  | { readonly inCluster: true }
  | { readonly embedded: true };

/** Which model of templates a lifecycle-manager reads; see `compile`. */
export type Generation = "version-templates" | "channel-templates";

/** One control plane and what runs behind it, as `kyma-modules.yaml` says. */
export interface Landscape {
  readonly name: LandscapeName;
  readonly controlPlane: ControlPlaneAddress;
  readonly namespace: string;
  /** `auto` reads it from the image of lifecycle-manager's Deployment. */
  readonly lifecycleManager: Generation | "auto";
  /** What an entry waits for before it moves on to this landscape; `undefined`: it comes at once. */
  readonly after: Wave | undefined;
  /** Where lifecycle-manager finds the modules of this landscape; `undefined`: nobody asks. */
  readonly registry: RegistrySettings | undefined;
  /** Whether the controller removes entries and modules that no channel has any more. */
  readonly prune: boolean;
  /** The most that it removes at once, as a part of the set; `undefined`: as `sync` does. */
  readonly maxPrune: number | undefined;
}

/** How long an earlier landscape must have served an entry, a declared hot-fix perhaps less. Milliseconds. */
export interface Wave {
  readonly landscape: LandscapeName;
  readonly soakMs: number;
  readonly hotfixSoakMs: number;
  /** By how much the share of clusters that fail may grow in that landscape; 0 to 1. */
  readonly notWorseBy: number;
  /** How long a cluster may be on its way to a version there, before it counts as failing. */
  readonly deadlineMs: number;
  /** Who reads the records of that landscape; `undefined`: its own address. */
  readonly record: ControlPlaneAddress | undefined;
}

/** Where pull requests are made: a repository of GitHub, `org/name`, into its branch `base`; or nowhere. */
export type ForgeSettings =
  | {
      readonly kind: "github";
      readonly repository: string;
      readonly base: string;
      /** `undefined`: no issue is kept. */
      readonly dashboard: DashboardSettings | undefined;
    }
  | { readonly kind: "none" };

/** The issue that shows how promotion stands, and who is told of what. */
export interface DashboardSettings {
  readonly title: string;
  /** How long something is blocked before people are told. Milliseconds. */
  readonly blockedForMs: number;
  /** The environment variable with the address that notices are posted to; `undefined`: nowhere. */
  readonly webhookVariable: string | undefined;
}

/** `kyma-modules.yaml`. Landscapes stand in roll-out order. */
export interface Settings {
  readonly releaseManagers: readonly string[];
  readonly landscapes: readonly Landscape[];
  /** Where modules are stored. */
  readonly registry: RegistrySettings | undefined;
  /** Which images a module may run; unset: any. */
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

/** Where images may come from, as globs, and whether they must be named by digest. */
export interface ImageRules {
  readonly allow?: readonly string[];
  readonly digest?: "preferred" | "required";
}

/** `kyma-modules.yaml` as it is written, once the schema accepted it. */
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

/** The namespace of lifecycle-manager's objects where a landscape names none. */
export const DEFAULT_NAMESPACE = "kcp-system";

/** Fills in what a settings file may leave out. */
export function readSettings(file: SettingsFile): Settings {
  return {
    releaseManagers: file.releaseManagers ?? [],
    registry: file.registry,
    images: file.images ?? {},
    forge: file.forge?.kind === "github" ? githubOf(file.forge) : { kind: "none" },
    kubernetesVersions: file.kubernetes?.versions ?? [],
    landscapes: file.landscapes.map((landscape) => ({
      name: landscape.name,
      controlPlane: landscape.controlPlane,
      namespace: landscape.namespace ?? DEFAULT_NAMESPACE,
      lifecycleManager: generationOf(landscape),
      after: landscape.after && waveOf(landscape.after),
      registry: landscape.registry ?? file.registry,
      prune: landscape.prune ?? false,
      maxPrune: landscape.maxPrune === undefined ? undefined : share(landscape.maxPrune),
    })),
  };
}

function githubOf({ kind, repository, base = "main", dashboard }: GitHubFile): ForgeSettings {
  return { kind, repository, base, dashboard: dashboard && dashboardOf(dashboard) };
}

function dashboardOf({
  title = "Promotion dashboard",
  blockedFor = "7d",
  webhook,
}: NonNullable<GitHubFile["dashboard"]>): DashboardSettings {
  return { title, blockedForMs: durationMs(blockedFor), webhookVariable: webhook?.environment };
}

type WaveFile = NonNullable<SettingsFile["landscapes"][number]["after"]>;

/** A hot-fix waits as long as everything else where nobody said less. */
function waveOf({
  landscape,
  soak = "0s",
  hotfixSoak = soak,
  notWorseBy = "1%",
  deadline = "10m",
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

/** What a percentage says, from 0 to 1. */
function share(percentage: string): number {
  return Number.parseFloat(percentage) / 100;
}

/** An embedded control plane runs no lifecycle-manager to ask: it gets what a current one reads. */
function generationOf({ lifecycleManager, controlPlane }: SettingsFile["landscapes"][number]): Generation | "auto" {
  if (lifecycleManager !== undefined && lifecycleManager !== "auto") return lifecycleManager;
  return "embedded" in controlPlane ? "version-templates" : "auto";
}
