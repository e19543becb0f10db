import { groupKindOf, installOrder, objectText } from "../kubernetes/installOrder.ts";
import type { KubernetesObject, ObjectRef } from "../kubernetes/object.ts";
import { Fault, type Run } from "../ports.ts";
import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import { knownContents, whatUsersWrite } from "./content.ts";
import { leftOver } from "./judge/leftOver.ts";
import { refusalTrouble } from "./judge/refusal.ts";
import { stillThere } from "./remove.ts";
import { eachOf, readLive, refTo, settle, type StepContext, type Trouble } from "./step.ts";
import { customResources, takeInventory } from "./steps/uninstall.ts";

/** What is removed by force after so long. Milliseconds. */
const PATIENCE_MS = 15_000;
/** A pod may take half a minute to end. Milliseconds. */
const PODS_MS = 45_000;

/** The name of the ConfigMap in which a run says what it brings onto a cluster that is not its own. */
const TRACES = "kyma-modules-smoke";

/** What a run brings onto a cluster. */
type Objects = readonly KubernetesObject[];

/** Everything that a path may bring, neighbours included, users' objects first: those that are removed first. */
export function broughtBy({ from, to, neighbours }: Pick<StepContext, "from" | "to" | "neighbours">): Objects {
  const contents = knownContents([from, to, ...neighbours.map(({ content }) => content)]);
  const objects = [...contents.flatMap(whatUsersWrite), ...contents.flatMap(({ objects }) => objects)];
  return [...new Map(objects.map((object) => [`${groupKindOf(object)} ${objectText(object)}`, object])).values()];
}

/**
 * Refuses a cluster that has objects of the module already: they would be changed, and removed. What an earlier run left
 * when it was killed is removed first. Throws CONFIGURATION.
 */
export async function claimCluster(context: StepContext, run: Run): Promise<void> {
  const traces = await readLive(tracesOf([]), context.cluster, run);
  if (traces !== undefined) {
    run.log.warn("An earlier run was killed on this cluster: what it left is removed first.");
    await forget(namedIn(traces), context, run);
  }
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
  const answer = await context.cluster.apply(tracesOf(brought), { isTrial: false }, run);
  if (answer.kind === "refused")
    throw new Fault("CLUSTER_REFUSED", `ConfigMap ${TRACES}: ${refusalTrouble(tracesOf([]), answer).said}`);
}

/** Removes whatever a path brought onto a cluster that is kept, pods included. Gives what is left all the same. */
export async function tidy(context: StepContext, run: Run): Promise<readonly string[]> {
  await forget(broughtBy(context), context, run);
  let left: readonly string[] = [];
  const look = async (): Promise<Trouble | undefined> => {
    const after = await takeInventory(context.cluster, run);
    left = leftOver(context.seen.before, after).left.map(({ text }) => text);
    return left.length === 0 ? undefined : { said: left.join(", "), remedy: "" };
  };
  await settle({ ...context, limits: { ...context.limits, settleMs: PODS_MS } }, look, run);
  return left;
}

/** Takes the traces away from a cluster that is as it was. */
export async function releaseCluster({ cluster }: StepContext, run: Run): Promise<readonly string[]> {
  const traces = await refTo(tracesOf([]), cluster, run);
  if (traces !== undefined) await cluster.remove(traces, run);
  return [];
}

async function forget(objects: Objects, context: StepContext, run: Run): Promise<void> {
  const patient: StepContext = { ...context, limits: { ...context.limits, settleMs: PATIENCE_MS } };
  await removeByForce(await customResources(objects, context.cluster, run), patient, run);
  for (const group of installOrder(objects).toReversed()) await removeByForce(group, patient, run);
  await releaseCluster(context, run);
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
    // Of objects that the run made itself: whoever was to remove the finalizer is gone, or broken.
    if (stuck !== undefined && ref !== undefined && object.kind !== "Namespace")
      await cluster.patch(ref, { metadata: { finalizers: null } }, { isTrial: false }, run);
    return undefined;
  });
}

function tracesOf(objects: Objects): KubernetesObject {
  const named = objects.map(({ apiVersion, kind, metadata: { name, namespace } }) => ({
    apiVersion,
    kind,
    name,
    namespace,
  }));
  const metadata = { name: TRACES, namespace: "default" };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { objects: JSON.stringify(named) } };
}

function namedIn(traces: KubernetesObject): Objects {
  const named: unknown = JSON.parse(textAt(traces, ["data", "objects"]) ?? "[]");
  return (Array.isArray(named) ? named : []).filter(isRecord).map((one) => {
    const text = (field: string): string => textAt(one, [field]) ?? "";
    const namespace = fieldAt(one, ["namespace"]);
    const metadata = { name: text("name"), ...(typeof namespace === "string" && { namespace }) };
    return { apiVersion: text("apiVersion"), kind: text("kind"), metadata };
  });
}
