import { groupKindOf, installOrder, objectKey, objectText } from "../kubernetes/installOrder.ts";
import type { KubernetesObject, ObjectRef } from "../kubernetes/object.ts";
import { Fault, type Run } from "../ports.ts";
import { applyAll, isDefinition } from "./apply.ts";
import { type ClusterClaim, type Objects, takeClaim } from "./claim.ts";
import { knownContents, whatUsersWrite } from "./content.ts";
import { ownObjects } from "./delivery/direct.ts";
import { type Inventory, isEmptyNamespace, leftOver } from "./judge/leftOver.ts";
import { removeAll, stillThere } from "./remove.ts";
import { eachOf, withDeadline, readLive, refTo, settle, type StepContext } from "./step.ts";
import { customResources, takeInventory } from "./steps/uninstall.ts";

/** The time after which objects are removed by force. Milliseconds. */
const DEADLINE_MS = 15_000;
/** A pod may take half a minute to end. Milliseconds. */
const PODS_MS = 45_000;

/** The namespace that every managed cluster has, so that modules need not create it. */
export const HOME: KubernetesObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kyma-system" } };

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
  return [...new Map(objects.map((object) => [`${groupKindOf(object)} ${objectText(object)}`, object])).values()];
}

/** A claimed cluster. */
export interface ClaimedCluster {
  readonly claim: ClusterClaim;
  /** What the run brings, without namespaces that exist already, and with HOME if the run creates it. */
  readonly brings: Objects;
}

/**
 * Claims a cluster for a path, and removes what a killed run left there. Refuses one that has objects of the module
 * already, since the run would change and remove them. Throws CONFIGURATION, CLUSTER_REFUSED.
 */
export async function claimCluster(context: StepContext, run: Run): Promise<ClaimedCluster> {
  const claim = await takeClaim(context, run);
  let isClean = claim.left === undefined;
  try {
    if (claim.left !== undefined) await forgetKilled(claim.left, context, run);
    isClean = true;
    const brought = broughtBy(context);
    const there = await eachOf(brought, async (object) => {
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
    return { claim, brings };
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

async function forgetKilled(left: Objects, context: StepContext, run: Run): Promise<void> {
  run.log.warn("An earlier run was killed on this cluster: what it left is removed first.");
  const others = left.filter((object) => !isHome(object));
  await forget(others, context, run);
  if (others.length < left.length) await removeHome(context, run);
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

/**
 * Removes HOME, which the run created. If it contains anything else, or does not go, it stays, and is in the result.
 */
export async function removeHome(context: StepContext, run: Run): Promise<Inventory> {
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
export async function tidy(context: StepContext, run: Run): Promise<Inventory> {
  const { before, leftEarlier } = context.seen;
  await forget(ownObjects(broughtBy(context), before), context, run);
  let left: Inventory = new Map();
  await settle(
    forPods(context, PODS_MS),
    async () => {
      const after = await takeInventory(context, run);
      const entries = new Set(leftOver(before, after, leftEarlier).left);
      left = new Map([...after].filter(([, entry]) => entries.has(entry)));
      return left.size === 0 ? undefined : { said: "it is left", remedy: "" };
    },
    run,
  );
  return left;
}

/** Removes custom resources first, while their managers can still clean up after them. */
async function forget(objects: Objects, context: StepContext, run: Run): Promise<void> {
  const limited = forPods(context, DEADLINE_MS);
  const definitions = objects.filter(isDefinition).map((definition) => readLive(definition, context.cluster, run));
  const live = (await Promise.all(definitions)).filter((definition) => definition !== undefined);
  await removeByForce(await customResources(live, context.cluster, run), limited, run);
  for (const group of installOrder(objects).toReversed()) await removeByForce(group, limited, run);
}

async function removeByForce(objects: Objects, context: StepContext, run: Run): Promise<void> {
  const { cluster } = context;
  const refs = new Map<KubernetesObject, ObjectRef>();
  await eachOf(objects, async (object) => {
    const ref = await refTo(object, cluster, run);
    if (ref === undefined) return undefined;
    refs.set(object, ref);
    await cluster.remove(ref, run);
    return undefined;
  });
  await eachOf([...refs.keys()], async (object) => {
    const stuck = await settle(context, () => stillThere(object, context, run), run);
    const ref = refs.get(object);
    // The run created these objects, and the controller that should remove the finalizer is gone or broken.
    if (stuck !== undefined && ref !== undefined && object.kind !== "Namespace")
      await cluster.patch(ref, { metadata: { finalizers: null } }, { isTrial: false }, run);
    return undefined;
  });
}
