import { objectGroupKind, installOrder, objectKey, objectText } from "../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { Fault, type Run } from "../ports.ts";
import { applyAll, isDefinition } from "./apply.ts";
import { type ClusterClaim, type Objects, takeClaim } from "./claim.ts";
import { knownContents, whatUsersWrite } from "./content.ts";
import { ownObjects } from "./delivery/direct.ts";
import { type Inventory, type InventoryEntry, isEmptyNamespace, leftOver } from "./judge/leftOver.ts";
import { removeAll, removeByForce } from "./remove.ts";
import { firstTrouble, withDeadline, readLive, settle, type StepContext } from "./step.ts";
import { customResources, takeInventory } from "./steps/uninstall.ts";

/** The time after which objects are removed by force. Milliseconds. */
const DEADLINE_MS = 15_000;
/** A pod may take half a minute to end. Milliseconds. */
const PODS_MS = 45_000;

/** The time to remove everything that a path left, even with finalizers and pods in every group. Milliseconds. */
const CLEAN_UP_MS = 300_000;

/** The namespace that every managed cluster has, so that modules need not create it. */
const HOME: KubernetesObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kyma-system" } };

/**
 * Creates HOME, unless it exists. Throws CLUSTER_REFUSED if it is being deleted, or may not be created: then nothing can
 * be said about a module.
 */
export async function createHome(context: StepContext, run: Run): Promise<void> {
  const { server } = context.cluster;
  const applied = await applyAll([HOME], context, run);
  if (applied.kind === "trouble") throw new Fault("CLUSTER_REFUSED", `${server}: ${applied.trouble.said}`);
  const live = await readLive(HOME, context.cluster, run);
  if (live?.metadata.deletionTimestamp !== undefined)
    throw new Fault(
      "CLUSTER_REFUSED",
      `${server}: ${objectText(HOME)} is being deleted. Wait until it is gone, or use another cluster.`,
    );
}

/**
 * All objects that a path may bring, including neighbours and tools. Users' objects come first, since they are removed
 * first.
 */
function broughtBy({
  from,
  to,
  neighbours,
  delivery,
}: Pick<StepContext, "from" | "to" | "neighbours" | "delivery">): Objects {
  const contents = knownContents([from, to, ...neighbours.map(({ content }) => content)]);
  const objects = [
    ...contents.flatMap(whatUsersWrite),
    ...contents.flatMap(({ objects }) => objects),
    ...delivery.tools,
  ];
  return [...new Map(objects.map((object) => [`${objectGroupKind(object)} ${objectText(object)}`, object])).values()];
}

/** What paths of a module left on a cluster that is kept. */
export interface Leftovers {
  /** By `objectKey`. */
  readonly objects: Map<string, InventoryEntry>;
  /** What was there before a path whose clean-up failed: all that came since then is left, too. */
  unfinished: Inventory | undefined;
}

/** A claimed cluster. */
export interface ClaimedCluster {
  readonly claim: ClusterClaim;
  /** What the run brings, without namespaces that exist already, and with HOME if the run creates it. */
  readonly brings: Objects;
  /** What earlier paths of the module left there, without HOME. */
  readonly leftEarlier: Inventory;
}

/**
 * Claims a cluster for a path, and removes what an unfinished run or path left there. Refuses one that has objects of the
 * module already, since the run would change and remove them. Throws CONFIGURATION, CLUSTER_REFUSED.
 */
export async function claimCluster(context: StepContext, left: Leftovers, run: Run): Promise<ClaimedCluster> {
  const claim = await takeClaim(context, run);
  let isClean = claim.left === undefined;
  try {
    if (claim.left !== undefined) await forgetUnfinished(claim.left, left, context, run);
    await findUnfinished(left, context, run);
    isClean = true;
    const brought = broughtBy(context);
    const there = await firstTrouble(brought, async (object) => {
      const isThere = object.kind !== "Namespace" && (await readLive(object, context.cluster, run)) !== undefined;
      return isThere ? { object: objectText(object), said: "", remedy: "" } : undefined;
    });
    if (there !== undefined) {
      const remedy = "Take an empty cluster, or remove the module there.";
      throw new Fault(
        "CONFIGURATION",
        `${context.cluster.server} has ${there.object ?? ""} already, which the run would change and remove. ${remedy}`,
      );
    }
    const brings = await absentIn([HOME, ...brought.filter((object) => !isHome(object))], context, run);
    await claim.list(brings, run);
    return { claim, brings, leftEarlier: new Map([...left.objects].filter(([key]) => key !== objectKey(HOME))) };
  } catch (error) {
    // Also after an interruption. Nothing was brought yet.
    if (isClean)
      await claim.release({ ...run, signal: AbortSignal.any([claim.lost, AbortSignal.timeout(RELEASE_MS)]) });
    else await claim.end();
    throw error;
  }
}

/** The time to remove a claim. Milliseconds. */
const RELEASE_MS = 10_000;

/** Removes the objects that an unfinished run or path listed. */
async function forgetUnfinished(listed: Objects, left: Leftovers, context: StepContext, run: Run): Promise<void> {
  run.log.warn("An earlier test on this cluster did not clean up: what it left is removed first.");
  const others = listed.filter((object) => !isHome(object));
  await forget(others, context, run);
  if (others.length < listed.length) add(await removeHome(context, run), left);
}

/** Finds what a path whose clean-up failed left besides, whoever removed the objects that it listed. */
async function findUnfinished(left: Leftovers, context: StepContext, run: Run): Promise<void> {
  if (left.unfinished === undefined) return;
  add(leftSince(left.unfinished, await takeInventory(context, run), left.objects), left);
  left.unfinished = undefined;
}

function add(found: Inventory, { objects }: Leftovers): void {
  for (const [key, entry] of found) objects.set(key, entry);
}

async function absentIn(objects: Objects, { cluster }: StepContext, run: Run): Promise<Objects> {
  const there = await Promise.all(
    objects.map(async (object) => object.kind === "Namespace" && (await readLive(object, cluster, run)) !== undefined),
  );
  return objects.filter((_, index) => there[index] === false);
}

function isHome(object: KubernetesObject): boolean {
  return objectKey(object) === objectKey(HOME);
}

/** Leaves a cluster of our own. Returns whether it can be used again: not after a fault. */
export async function leaveOwn(context: StepContext, run: Run): Promise<boolean> {
  try {
    return await context.delivery.leave(context, run);
  } catch (error) {
    if (!(error instanceof Fault) || run.signal.aborted) throw error;
    run.log.warn(`${context.cluster.server} was not cleaned up, and is not used again: ${error.message}`);
    return false;
  }
}

/** The state in which a path left a cluster that is kept. */
interface LeftState extends ClaimedCluster {
  /** Whether every step passed. */
  readonly isClean: boolean;
  readonly left: Leftovers;
}

/**
 * Cleans up, even after an interruption, since the user keeps the cluster. Adds what stays to `left`. The steps' results
 * stay true if this fails, so a fault is a warning; the next path or run there continues, by the list on the cluster.
 */
export async function cleanUp(context: StepContext, state: LeftState, { log }: Run): Promise<void> {
  const { claim } = state;
  const within = { log, signal: AbortSignal.any([claim.lost, AbortSignal.timeout(CLEAN_UP_MS)]) };
  const { server } = context.cluster;
  try {
    const stays = await removeBrought(context, state, within);
    await claim.release(within);
    if (stays.length > 0) log.warn(`Left on ${server}, remove it by hand: ${stays.join(", ")}`);
  } catch (error) {
    // The run that took the cluster over cleans it up.
    if (claim.lost.aborted) return;
    if (!(error instanceof Fault) && !within.signal.aborted) throw error;
    const why = error instanceof Fault ? error.message : `it took longer than ${CLEAN_UP_MS / 1000} s`;
    log.warn(`${server} was not cleaned up, the next test there continues: ${why}`);
  }
}

/** Returns what stays: `ConfigMap kyma-system/litter`. */
async function removeBrought(
  context: StepContext,
  { brings, isClean, left }: LeftState,
  run: Run,
): Promise<readonly string[]> {
  const isHomeOurs = brings.includes(HOME) || left.objects.has(objectKey(HOME));
  left.unfinished = context.seen.before;
  const hasLeft = await context.delivery.leave(context, run);
  const stays = isClean && hasLeft ? NOTHING : await tidy(context, run);
  add(stays, left);
  left.unfinished = undefined;
  const home = isHomeOurs ? await removeHome(context, run) : NOTHING;
  add(home, left);
  return [...stays.values(), ...home.values()].map(({ text }) => text);
}

const NOTHING: Inventory = new Map();

/**
 * Removes HOME, which the run created. If it contains anything else, or does not go, it stays, and is in the result.
 */
async function removeHome(context: StepContext, run: Run): Promise<Inventory> {
  const inventory = await takeInventory(context, run);
  const own = new Map([...inventory].filter(([key]) => key === objectKey(HOME)));
  if (!isEmptyNamespace(HOME.metadata.name, inventory)) return own;
  const trouble = await removeAll([HOME], forPods(context, PODS_MS), run);
  return trouble === undefined ? new Map() : own;
}

/** The context with another time to settle. Without pods it is unchanged, since nothing takes long to end. */
function forPods(context: StepContext, settleMs: number): StepContext {
  return context.pods ? withDeadline(context, settleMs) : context;
}

/**
 * Removes everything that a path brought onto a cluster that is kept, including pods. Returns what is left nevertheless.
 */
async function tidy(context: StepContext, run: Run): Promise<Inventory> {
  const { before, leftEarlier } = context.seen;
  await forget(ownObjects(broughtBy(context), before), context, run);
  let left: Inventory = new Map();
  await settle(
    forPods(context, PODS_MS),
    async () => {
      left = leftSince(before, await takeInventory(context, run), leftEarlier);
      return left.size === 0 ? undefined : { said: "it is left", remedy: "" };
    },
    run,
  );
  return left;
}

/** The objects of `after` that a path left, by `objectKey`. */
function leftSince(before: Inventory, after: Inventory, leftEarlier: Inventory): Inventory {
  const entries = new Set(leftOver(before, after, leftEarlier).left);
  return new Map([...after].filter(([, entry]) => entries.has(entry)));
}

/** Removes custom resources first, while their managers can still clean up after them. */
async function forget(objects: Objects, context: StepContext, run: Run): Promise<void> {
  const limited = forPods(context, DEADLINE_MS);
  const definitions = objects.filter(isDefinition).map((definition) => readLive(definition, context.cluster, run));
  const live = (await Promise.all(definitions)).filter((definition) => definition !== undefined);
  await removeByForce(await customResources(live, context.cluster, run), limited, run);
  for (const group of installOrder(objects).toReversed()) await removeByForce(group, limited, run);
}
