import { SMOKE_STEPS, type SmokeStep } from "../catalogue/evidence/evidence.ts";
import type { ChannelName, ModuleName } from "../catalogue/names.ts";
import type { Template } from "../catalogue/template.ts";
import type { ModuleVersion } from "../catalogue/version.ts";

/** A version of a module, with its content. */
export interface SmokeVersion {
  readonly version: ModuleVersion;
  readonly specHash: string;
  readonly template: Template;
}

/** One way in which a version comes to a cluster: onto an empty one, or in place of another version. */
export interface SmokePath {
  readonly module: ModuleName;
  /** `undefined` for an install. */
  readonly from: SmokeVersion | undefined;
  readonly to: SmokeVersion;
  /** The channels that bring it, in order. */
  readonly channels: readonly ChannelName[];
}

/** The result of one step. A step that is not checked has not passed. */
export interface StepResult {
  readonly step: SmokeStep;
  readonly result: "passed" | "failed" | "notChecked";
  readonly seconds: number;
  /** The object that failed, such as `Deployment kyma-system/manager`. */
  readonly object?: string;
  /** The message of the API server or of a pod; the reason if the step is not checked. */
  readonly said?: string;
  readonly remedy?: string;
  /** The events of the object: warnings first, and in both groups the newest last. */
  readonly events?: readonly string[];
  /** Notes on a step that passed. */
  readonly notes?: readonly string[];
  /** The parts of a passed step that could not be checked where it ran. */
  readonly unchecked?: readonly string[];
}

/** The result of a path. */
export interface PathResult {
  readonly path: SmokePath;
  /** Such as `1.36.3`; empty where no cluster was reached. */
  readonly kubernetes: string;
  readonly pods: boolean;
  readonly steps: readonly StepResult[];
  /** Why the path could not be judged: the cluster or the world failed, and the module is not to blame. */
  readonly world?: string;
  /** Whether the result comes from the cache: an earlier run on this machine passed with the same content. */
  readonly isRemembered?: boolean;
  /** Images, requests and times of the version, and of the one before. */
  readonly footprint?: { readonly from?: Footprint | undefined; readonly to: Footprint };
}

/** The resources that a version uses. */
export interface Footprint {
  readonly version: string;
  readonly images: readonly string[];
  /** Added up over all pods. Millicores and bytes. */
  readonly requests: { readonly cpuMillicores: number; readonly memoryBytes: number };
  /** The working sets of its pods after its use; absent if a node did not report them. */
  readonly memoryBytes?: number;
  /** From the apply until its workloads were available; without pods, unknown. */
  readonly startSeconds?: number;
}

/** The steps of a path. */
export function smokeSteps({ from }: Pick<SmokePath, "from">): readonly SmokeStep[] {
  return SMOKE_STEPS.filter((step) => {
    const isUpgrade = step === "upgrade" || step === "served";
    return from === undefined ? !isUpgrade : step !== "dependencies";
  });
}

/** Whether a path has a step that failed. */
export function isFailed({ steps }: Pick<PathResult, "steps">): boolean {
  return steps.some(({ result }) => result === "failed");
}

/** `certificates 1.4.2 → 1.5.0`, or `certificates 1.5.0` for the install. */
export function pathText({ module, from, to }: SmokePath): string {
  return `${module} ${from === undefined ? "" : `${from.version} → `}${to.version}`;
}
