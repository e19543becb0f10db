import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { Cluster, Run } from "../../ports.ts";
import { isDefinition, objectKinds } from "../apply.ts";
import { isClaim } from "../claim.ts";
import { objectInventory, type Inventory, leftOver } from "../judge/leftOver.ts";
import { firstTrouble, failed, settle, type StepContext, type StepOutcome, type Trouble } from "../step.ts";

/**
 * Removes the custom resources, then the rest. Nothing of the module may be left, and what was there before must be
 * unchanged.
 */
export async function uninstall(context: StepContext, run: Run): Promise<StepOutcome> {
  const { to, seen } = context;
  const resources = await customResources(to.objects, context.cluster, run);
  const users = [...seen.used.map(({ wrote }) => wrote), ...resources];
  const trouble = await context.delivery.takeAway(to, users, context, run);
  if (trouble !== undefined) return failed(trouble);
  const left = await settle(context, () => leftTrouble(context, run), run);
  if (left !== undefined) return failed(left);
  const { leases, leftEarlier } = leftOver(seen.before, await takeInventory(context, run), seen.leftEarlier);
  if (leftEarlier.length > 0) {
    const texts = leftEarlier.map(({ text }) => text).join(", ");
    const why = `an earlier path of this run left ${texts} here, so it is unknown whether this one leaves it`;
    return { kind: "notChecked", why };
  }
  return {
    kind: "passed",
    notes: leases.map(({ text }) => `${text} is left: managers leave the Lease of their election`),
  };
}

/** Every object of the kinds that a manifest defines. */
export async function customResources(
  objects: readonly KubernetesObject[],
  cluster: Cluster,
  run: Run,
): Promise<readonly KubernetesObject[]> {
  const kinds = objects.filter(isDefinition).flatMap((definition) => objectKinds(definition).slice(0, 1));
  const lists = await Promise.all(
    kinds.map(async ({ apiVersion, kind }) => {
      const resource = await cluster.kindOf(apiVersion, kind, run);
      return resource === undefined ? [] : cluster.list(resource, undefined, run);
    }),
  );
  return lists.flat();
}

async function leftTrouble(context: StepContext, run: Run): Promise<Trouble | undefined> {
  const { seen } = context;
  const { left, harmed } = leftOver(seen.before, await takeInventory(context, run), seen.leftEarlier);
  const [lost] = harmed;
  if (lost !== undefined) {
    const { entry, isGone } = lost;
    const said = isGone
      ? "it was there before the module came, and is gone"
      : "the module changed it, and left it changed";
    return { object: entry.text, said, remedy: "Do not change objects that the module did not create." };
  }
  const [first, ...others] = left;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : `; so are ${others.map(({ text }) => text).join(", ")}`;
  return {
    object: first.text,
    said: `it is left after the module was removed${more}`,
    remedy: "Give it an owner, or remove it in the finalizer of the custom resource.",
  };
}

/** All objects of a cluster, without our claim, the tools of the delivery, and the objects that belong to them. */
export async function takeInventory(
  { cluster, delivery }: Pick<StepContext, "cluster" | "delivery">,
  run: Run,
): Promise<Inventory> {
  const objects: KubernetesObject[] = [];
  const kinds = (await cluster.kinds(run)).filter(({ kind }) => kind !== "Event");
  await firstTrouble(kinds, async (kind) => {
    objects.push(...(await cluster.list(kind, undefined, run)));
    return undefined;
  });
  return objectInventory(objects, (object) => isClaim(object) || delivery.isTool(object));
}
