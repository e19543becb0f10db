import { objectGroupKind, objectKey } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { applyAll } from "../apply.ts";
import type { ModuleContent } from "../content.ts";
import type { Inventory } from "../judge/leftOver.ts";
import { removeAll } from "../remove.ts";
import type { Delivery } from "../step.ts";

/** Applies manifests by itself, and removes what they no longer contain, as lifecycle-manager does. */
export const DIRECTLY: Delivery = {
  tools: [],
  isTool: () => false,
  join: () => Promise.resolve(),
  bring: async (content, before, context, run) => {
    const applied = await applyAll(content.objects, context, run);
    if (applied.kind === "trouble") return applied;
    const removed = dropped(content, before, context.seen.before);
    const trouble = await removeAll(removed, context, run);
    if (trouble !== undefined) return { kind: "trouble", trouble };
    return { kind: "delivered", heldMs: 0, removed, unchecked: applied.unchecked };
  },
  takeAway: async ({ objects }, users, context, run) =>
    (await removeAll(users, context, run)) ?? removeAll(ownObjects(objects, context.seen.before), context, run),
  leave: () => Promise.resolve(true),
};

/** The objects of the previous version that the new one does not contain. */
export function dropped(
  { objects }: ModuleContent,
  before: ModuleContent | undefined,
  there: Inventory,
): readonly KubernetesObject[] {
  const shipped = new Set(objects.map(objectKey));
  return ownObjects(before?.objects ?? [], there).filter((object) => !shipped.has(objectKey(object)));
}

/** The objects, except namespaces that were there before, since others use them as well. */
export function ownObjects(objects: readonly KubernetesObject[], before: Inventory): readonly KubernetesObject[] {
  return objects.filter((object) => objectGroupKind(object) !== "/Namespace" || !before.has(objectKey(object)));
}
