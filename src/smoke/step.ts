import pLimit from "p-limit";
import type { RequiredApi } from "../catalogue/policy.ts";
import type { KubernetesObject, ObjectRef } from "../kubernetes/object.ts";
import type { Cluster, Run, SteadyClock } from "../ports.ts";
import type { ModuleContent, NoContent } from "./content.ts";
import type { UsedObject } from "./judge/kept.ts";
import type { Inventory } from "./judge/leftOver.ts";
import type { Footprint, SmokeVersion } from "./path.ts";

/** The context of the steps of a path. Each step gets what the steps before it saw. */
export interface StepContext {
  readonly cluster: Cluster;
  /** Whether the cluster runs pods. */
  readonly pods: boolean;
  readonly clock: SteadyClock;
  readonly limits: SmokeLimits;
  /** `undefined` on the path of an install. */
  readonly from: ModuleContent | undefined;
  readonly to: ModuleContent;
  /** The APIs that the module requires, and that the cluster may lack. */
  readonly requires: readonly RequiredApi[];
  readonly neighbours: readonly Neighbour[];
  readonly delivery: Delivery;
  readonly seen: Seen;
}

/** A version of another module that the tried one needs, or that needs the tried one. */
export interface Neighbour {
  readonly role: "provider" | "consumer";
  readonly version: SmokeVersion;
  readonly content: ModuleContent | NoContent;
  /** Whether a channel that brings the tried version offers it as well: clusters take their modules from one channel. */
  readonly isInSameChannel: boolean;
  /** The APIs that its own module requires. */
  readonly requires: readonly RequiredApi[];
  /** The APIs that the consumer of the two requires and the provider defines; empty if that is unknown. */
  readonly needs: readonly RequiredApi[];
}

/** Brings versions of a module to a cluster, and removes them. Methods throw Faults of the world. */
export interface Delivery {
  /** The objects that it creates on a cluster for itself, by kind and name. */
  readonly tools: readonly KubernetesObject[];
  /** Whether an object belongs to the delivery, and not to a module. */
  isTool(object: KubernetesObject): boolean;
  /** Prepares a cluster for deliveries. */
  join(context: StepContext, run: Run): Promise<void>;
  /** Brings a version, in place of `before` if that is given. Objects that are there already are brought again. */
  bring(content: ModuleContent, before: ModuleContent | undefined, context: StepContext, run: Run): Promise<Delivered>;
  /** Removes a version, the objects of users first. */
  takeAway(
    content: ModuleContent,
    users: readonly KubernetesObject[],
    context: StepContext,
    run: Run,
  ): Promise<Trouble | undefined>;
  /** Removes the delivery itself, even in the middle of something. Returns whether nothing of it is left. */
  leave(context: StepContext, run: Run): Promise<boolean>;
}

/** The result of bringing a version. */
export type Delivered =
  | { readonly kind: "trouble"; readonly trouble: Trouble }
  | {
      readonly kind: "delivered";
      /** The part of the time in which it was watched whether the version stays Ready. Milliseconds. */
      readonly heldMs: number;
      /** The objects of the previous version that this one does not have. */
      readonly removed: readonly KubernetesObject[];
      readonly unchecked: readonly string[];
    };

/** The observations of the steps of a path so far. */
export interface Seen {
  /** The objects that were there before. */
  readonly before: Inventory;
  /** The part of `before` that earlier paths of the module left in the same run. */
  readonly leftEarlier: Inventory;
  /** The objects that users wrote. */
  readonly used: readonly UsedObject[];
  /** For each version, the time from the apply until its workloads were available. Seconds. */
  readonly starts: { readonly from?: number; readonly to?: number };
  /** For each version, the memory that its pods used at the end of its use. Bytes; `undefined` if unknown. */
  readonly memory: { readonly from?: number | undefined; readonly to?: number | undefined };
  readonly footprint?: { readonly from?: Footprint | undefined; readonly to: Footprint };
}

/** Timeouts, in milliseconds. */
export interface SmokeLimits {
  /** For a roll-out, a state, or a removal. */
  readonly settleMs: number;
  /** How long a reached state must stay. */
  readonly holdMs: number;
  /** The interval between two looks. */
  readonly lookMs: number;
}

/** Why a step failed. */
export interface Trouble {
  /** `Deployment kyma-system/manager`. */
  readonly object?: string;
  /** The message of the API server, or of a pod. */
  readonly said: string;
  readonly remedy: string;
  readonly events?: readonly string[];
  /** Whether more time does not help. */
  readonly isFinal?: boolean;
}

/** The outcome of a step. */
export type StepOutcome =
  | { readonly kind: "failed"; readonly trouble: Trouble }
  | { readonly kind: "notChecked"; readonly why: string }
  | {
      readonly kind: "passed";
      readonly seen?: Partial<Seen>;
      readonly notes?: readonly string[];
      readonly unchecked?: readonly string[];
    };

/** A step. Throws Faults of the cluster, for which no module is to blame. */
export type Step = (context: StepContext, run: Run) => Promise<StepOutcome>;

/** The outcome of a failed step. */
export function failed(trouble: Trouble): StepOutcome {
  return { kind: "failed", trouble };
}

/** Calls `look` until there is no trouble. Returns the trouble that remains when the time is over. */
export async function settle(
  { clock, limits }: Pick<StepContext, "clock" | "limits">,
  look: () => Promise<Trouble | undefined>,
  run: Run,
): Promise<Trouble | undefined> {
  const startedMs = clock.elapsedMs();
  for (let pauseMs = Math.min(50, limits.lookMs); ; pauseMs = Math.min(pauseMs * 2, limits.lookMs)) {
    const trouble = await look();
    if (trouble === undefined || trouble.isFinal === true) return trouble;
    if (clock.elapsedMs() - startedMs > limits.settleMs) return trouble;
    await clock.pause(pauseMs, run);
  }
}

/** The context with another `settleMs`. Milliseconds. */
export function withDeadline(context: StepContext, settleMs: number): StepContext {
  return { ...context, limits: { ...context.limits, settleMs } };
}

const AT_ONCE = 16;

/**
 * Does `work` for each item, some at a time, until one has trouble. Returns the trouble of the first item that has any.
 */
export async function firstTrouble<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<Trouble | undefined>,
): Promise<Trouble | undefined> {
  let isTrouble = false;
  const troubles = await sideBySide(items, AT_ONCE, async (item) => {
    const trouble = isTrouble ? undefined : await work(item);
    isTrouble ||= trouble !== undefined;
    return trouble;
  });
  return troubles.find((trouble) => trouble !== undefined);
}

/**
 * Does `work` for each item, at most `atOnce` at a time. After one has thrown, starts no more, but waits for the others
 * that are under way: nothing may be when a cluster goes.
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const thrown: unknown[] = [];
  const results = await pLimit(atOnce).map(items, async (item) => {
    if (thrown.length > 0) return [];
    try {
      return [await work(item)];
    } catch (error) {
      thrown.push(error);
      return [];
    }
  });
  if (thrown.length > 0) throw thrown[0];
  return results.flat();
}

/** The reference to an object; `undefined` if the server does not serve its kind. */
export async function refTo(object: KubernetesObject, cluster: Cluster, run: Run): Promise<ObjectRef | undefined> {
  const { apiVersion, kind, metadata } = object;
  const resource = await cluster.kindOf(apiVersion, kind, run);
  if (resource === undefined) return undefined;
  return { resource, namespace: resource.namespaced ? (metadata.namespace ?? "default") : "", name: metadata.name };
}

/** The object on the server; `undefined` if there is none. */
export async function readLive(
  object: KubernetesObject,
  cluster: Cluster,
  run: Run,
): Promise<KubernetesObject | undefined> {
  const ref = await refTo(object, cluster, run);
  return ref && cluster.read(ref, run);
}
