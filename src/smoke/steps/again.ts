import { compare, fieldText } from "../../kubernetes/compare.ts";
import { objectKey, objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { Run } from "../../ports.ts";
import { applyAll } from "../apply.ts";
import { contentHash } from "../judge/still.ts";
import { holdStill } from "../hold.ts";
import { eachOf, failed, readLive, type StepContext, type StepOutcome, type Trouble } from "../step.ts";

/** Applies the same again: nothing changes, and nothing moves afterwards. */
export async function again(context: StepContext, run: Run): Promise<StepOutcome> {
  const { to, cluster } = context;
  const before = new Map<string, KubernetesObject>();
  await eachOf(to.objects, async (object) => {
    const live = await readLive(object, cluster, run);
    if (live !== undefined) before.set(objectKey(object), live);
    return undefined;
  });
  const applied = await applyAll(to.objects, context, run);
  if (applied.kind === "trouble") return failed(applied.trouble);
  const [changed] = applied.stored.flatMap((stored) => changeTrouble(before.get(objectKey(stored)), stored) ?? []);
  if (changed !== undefined) return failed(changed);
  const trouble = await holdStill(to, context.seen.used, context, run);
  if (trouble !== undefined) return failed(trouble);
  return { kind: "passed", unchecked: context.pods ? [] : ["whether it stands still: nothing runs here"] };
}

/** What the second apply changed; `undefined` where it changed nothing. */
function changeTrouble(was: KubernetesObject | undefined, stored: KubernetesObject): Trouble | undefined {
  const object = objectText(stored);
  const remedy = "Find out who else writes it: lifecycle-manager would write it back again and again.";
  if (was === undefined) return { object, said: "it was gone, and was created again", remedy };
  if (isSame(was, stored)) return undefined;
  const fields = compare(was, stored, "everything").map(({ path }) => fieldText(path));
  return { object, said: `applying the same again changed ${fields.join(", ") || "it"}`, remedy };
}

/** The first apply after a creation may put managedFields in order. */
function isSame(was: KubernetesObject, stored: KubernetesObject): boolean {
  const isUntouched = was.metadata.resourceVersion === stored.metadata.resourceVersion;
  return isUntouched || (was.metadata.uid === stored.metadata.uid && contentHash(was) === contentHash(stored));
}
