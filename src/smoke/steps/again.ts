import { compare, fieldText } from "../../kubernetes/compare.ts";
import { objectKey, objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { Run } from "../../ports.ts";
import { contentHash } from "../judge/still.ts";
import { holdStill } from "../hold.ts";
import { managerMemory } from "../memory.ts";
import { firstTrouble, failed, readLive, type StepContext, type StepOutcome, type Trouble } from "../step.ts";

/** Applies the same version again: nothing may change, neither at once nor afterwards. */
export async function again(context: StepContext, run: Run): Promise<StepOutcome> {
  const { to, delivery } = context;
  const before = await readStoredObjects(to, context, run);
  const delivered = await delivery.bring(to, to, context, run);
  if (delivered.kind === "trouble") return failed(delivered.trouble);
  const after = await readStoredObjects(to, context, run);
  const [changed] = [...after].flatMap(([key, stored]) => changeTrouble(before.get(key), stored) ?? []);
  if (changed !== undefined) return failed(changed);
  const trouble = await holdStill(to, context.seen.used, context, run);
  if (trouble !== undefined) return failed(trouble);
  const memory = { ...context.seen.memory, to: await managerMemory(to, context, run) };
  return {
    kind: "passed",
    seen: { memory },
    unchecked: context.pods ? [] : ["whether it stays unchanged: nothing runs here"],
  };
}

/** The objects of a version on the server, by `objectKey`. */
async function readStoredObjects(
  { objects }: StepContext["to"],
  { cluster }: StepContext,
  run: Run,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const stored = new Map<string, KubernetesObject>();
  await firstTrouble(objects, async (object) => {
    const live = await readLive(object, cluster, run);
    if (live !== undefined) stored.set(objectKey(object), live);
    return undefined;
  });
  return stored;
}

/** The trouble if the second apply changed an object; `undefined` if it changed nothing. */
function changeTrouble(was: KubernetesObject | undefined, stored: KubernetesObject): Trouble | undefined {
  const object = objectText(stored);
  const remedy = "Find out who else writes it: lifecycle-manager would write it back again and again.";
  if (was === undefined) return { object, said: "it was gone, and was created again", remedy };
  const isUntouched = was.metadata.resourceVersion === stored.metadata.resourceVersion;
  // The first apply after a creation may only sort managedFields.
  if (isUntouched || (was.metadata.uid === stored.metadata.uid && contentHash(was) === contentHash(stored)))
    return undefined;
  const fields = compare(was, stored, "everything").map(({ path }) => fieldText(path));
  return { object, said: `applying the same again changed ${fields.join(", ") || "it"}`, remedy };
}
