import { fieldAt } from "../document/fields.ts";
import { objectGroupKind, installOrder, isServedByPods, objectText } from "../kubernetes/installOrder.ts";
import type { KubernetesObject, ObjectRef } from "../kubernetes/object.ts";
import type { Run } from "../ports.ts";
import { refusalTrouble } from "./judge/refusal.ts";
import { firstTrouble, refTo, settle, type StepContext, type Trouble } from "./step.ts";

/** Removes objects in reverse install order, and waits until they are gone. */
export async function removeAll(
  objects: readonly KubernetesObject[],
  context: StepContext,
  run: Run,
): Promise<Trouble | undefined> {
  for (const group of installOrder(objects).toReversed()) {
    const there = group.filter((object) => context.pods || !isServedByPods(object));
    const trouble =
      (await firstTrouble(there, async (object) => {
        const ref = await refTo(object, context.cluster, run);
        const refusal = ref && (await context.cluster.remove(ref, run));
        return refusal && refusalTrouble(object, refusal);
      })) ?? (await firstTrouble(there, (object) => settle(context, () => stillThere(object, context, run), run)));
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

/** Why an object is not gone yet. */
export async function stillThere(
  object: KubernetesObject,
  { cluster, pods }: StepContext,
  run: Run,
): Promise<Trouble | undefined> {
  const ref = await refTo(object, cluster, run);
  const live = ref && (await cluster.read(ref, run));
  if (live === undefined) return undefined;
  // Where no controller runs, nothing else finalizes a namespace.
  if (!pods && objectGroupKind(object) === "/Namespace") {
    await cluster.finalize(object.metadata.name, run);
    return { object: objectText(object), said: "it is in Terminating", remedy: "Look at its status." };
  }
  const finalizers = fieldAt(live, ["metadata", "finalizers"]);
  const names = Array.isArray(finalizers) ? finalizers.join(", ") : "";
  return {
    object: objectText(object),
    said: names === "" ? "it is still there" : `it is in Terminating: nothing removes its finalizers ${names}`,
    remedy:
      names === ""
        ? "Look at what creates it again."
        : "Let the manager remove its finalizer as soon as it has cleaned up, also when what it cleans up is gone already.",
  };
}

/** Removes objects, and the finalizers of those that do not go in time: only for objects that the run created. */
export async function removeByForce(
  objects: readonly KubernetesObject[],
  context: StepContext,
  run: Run,
): Promise<void> {
  const { cluster } = context;
  const refs = new Map<KubernetesObject, ObjectRef>();
  await firstTrouble(objects, async (object) => {
    const ref = await refTo(object, cluster, run);
    if (ref === undefined) return undefined;
    refs.set(object, ref);
    await cluster.remove(ref, run);
    return undefined;
  });
  await firstTrouble([...refs.keys()], async (object) => {
    const stuck = await settle(context, () => stillThere(object, context, run), run);
    const ref = refs.get(object);
    // The controller that should remove the finalizer is gone or broken.
    if (stuck !== undefined && ref !== undefined && object.kind !== "Namespace")
      await cluster.patch(ref, { metadata: { finalizers: null } }, { isTrial: false }, run);
    return undefined;
  });
}
