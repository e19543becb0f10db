import type { RequiredApi } from "../catalogue/policy.ts";
import type { KubernetesObject, ObjectRef } from "../kubernetes/object.ts";
import type { Cluster, Run, SteadyClock } from "../ports.ts";
import type { ModuleContent, NoContent } from "./content.ts";
import type { UsedObject } from "./judge/kept.ts";
import type { Inventory } from "./judge/leftOver.ts";
import type { Footprint, SmokeVersion } from "./path.ts";

/** What a step of a path works on. Steps get it one after the other, with what those before them saw. */
export interface StepContext {
  readonly cluster: Cluster;
  /** Whether anything runs pods there. */
  readonly pods: boolean;
  readonly clock: SteadyClock;
  readonly limits: SmokeLimits;
  /** `undefined` on the path of an install. */
  readonly from: ModuleContent | undefined;
  readonly to: ModuleContent;
  /** The APIs that the module needs, and that the cluster need not have. */
  readonly requires: readonly RequiredApi[];
  readonly neighbours: readonly Neighbour[];
  readonly delivery: Delivery;
  readonly seen: Seen;
}

/** A version of another module that the tried one needs, or is needed by. */
export interface Neighbour {
  readonly role: "provider" | "consumer";
  readonly version: SmokeVersion;
  readonly content: ModuleContent | NoContent;
  /** Whether a channel that brings the tried version offers it as well: clusters take their modules from one channel. */
  readonly isInSameChannel: boolean;
  /** What its own module requires. */
  readonly requires: readonly RequiredApi[];
  /** Of what the consumer of the two requires, what the provider is there for; empty where that is not known. */
  readonly needs: readonly RequiredApi[];
}

/** How versions of a module come to a cluster, and go again. Methods throw Faults of the world. */
export interface Delivery {
  /** What it brings onto a cluster for itself, by kind and name. */
  readonly tools: readonly KubernetesObject[];
  /** Whether an object belongs to it, and to no module. */
  isTool(object: KubernetesObject): boolean;
  /** Makes a cluster ready to be delivered to. */
  join(context: StepContext, run: Run): Promise<void>;
  /** Brings a version, in place of `before` where there was one. What is there already is brought once more. */
  bring(content: ModuleContent, before: ModuleContent | undefined, context: StepContext, run: Run): Promise<Delivered>;
  /** Takes a version away: what users have of it first. */
  takeAway(
    content: ModuleContent,
    users: readonly KubernetesObject[],
    context: StepContext,
    run: Run,
  ): Promise<Trouble | undefined>;
  /** Takes itself away, also in the middle of something. Gives whether nothing of it is left. */
  leave(context: StepContext, run: Run): Promise<boolean>;
}

/** What became of a version that was brought. */
export type Delivered =
  | { readonly kind: "trouble"; readonly trouble: Trouble }
  | {
      readonly kind: "delivered";
      /** How long of it was spent on waiting whether it stays. Milliseconds. */
      readonly heldMs: number;
      /** What the version before had, and this one does not. */
      readonly removed: readonly KubernetesObject[];
      readonly unchecked: readonly string[];
    };

/** What the steps of a path saw so far. */
export interface Seen {
  /** What was there before. */
  readonly before: Inventory;
  /** Of that, what earlier paths of the module left in the same run. */
  readonly leftEarlier: Inventory;
  /** What users wrote. */
  readonly used: readonly UsedObject[];
  /** How long it took each version from the apply until its workloads were available. Seconds. */
  readonly starts: { readonly from?: number; readonly to?: number };
  /** What the pods of each version used at the end of its use. Bytes; `undefined` where it is not known. */
  readonly memory: { readonly from?: number | undefined; readonly to?: number | undefined };
  readonly footprint?: { readonly from?: Footprint | undefined; readonly to: Footprint };
}

/** Timeouts, in milliseconds. */
export interface SmokeLimits {
  /** For a roll-out, a state, or a removal. */
  readonly settleMs: number;
  /** How long what was reached must stand still. */
  readonly holdMs: number;
  /** Between two looks. */
  readonly lookMs: number;
}

/** Why a step failed. */
export interface Trouble {
  /** `Deployment kyma-system/manager`. */
  readonly object?: string;
  /** The last words of the API server, or of a pod. */
  readonly said: string;
  readonly remedy: string;
  readonly events?: readonly string[];
  /** Whether more time makes it no better. */
  readonly isFinal?: boolean;
}

/** What became of a step. */
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

/** A failed step. */
export function failed(trouble: Trouble): StepOutcome {
  return { kind: "failed", trouble };
}

/** Looks until there is no trouble any more. Gives what there still is when the time is over. */
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

/** The same context, with another time for what settles. Milliseconds. */
export function patiently(context: StepContext, settleMs: number): StepContext {
  return { ...context, limits: { ...context.limits, settleMs } };
}

const AT_ONCE = 16;

/** Does `work` for each item, some at a time, until one gives trouble. Gives that of the first item that has any. */
export async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<Trouble | undefined>,
): Promise<Trouble | undefined> {
  const troubles = new Map<number, Trouble>();
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      const trouble = troubles.size === 0 ? await work(item) : undefined;
      if (trouble !== undefined) troubles.set(index, trouble);
    }
  };
  await sideBySide(AT_ONCE, worker);
  return troubles.get(Math.min(...troubles.keys()));
}

/** Runs so many workers, and waits for all of them also where one throws: nothing may be under way when a cluster goes. */
export async function sideBySide(count: number, worker: () => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(Array.from({ length: count }, worker));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** Where an object is; `undefined` where the server does not serve its kind. */
export async function refTo(object: KubernetesObject, cluster: Cluster, run: Run): Promise<ObjectRef | undefined> {
  const { apiVersion, kind, metadata } = object;
  const resource = await cluster.kindOf(apiVersion, kind, run);
  if (resource === undefined) return undefined;
  return { resource, namespace: resource.namespaced ? (metadata.namespace ?? "default") : "", name: metadata.name };
}

/** What the server has of an object; `undefined` where there is none. */
export async function readLive(
  object: KubernetesObject,
  cluster: Cluster,
  run: Run,
): Promise<KubernetesObject | undefined> {
  const ref = await refTo(object, cluster, run);
  return ref && cluster.read(ref, run);
}
