import type { PlanItem, PlanOptions } from "./planItem.ts";

/** A set may always lose so many objects at once, and so large a part of it. */
const FEW = 5;
const PART = 0.1;

/**
 * Refuses all removals when there are too many of them, or when nothing would be left: then it is more likely that the
 * repository was read wrongly than that everything shall go. `members` counts the objects of the set that live now.
 */
export function limitPrunes(items: readonly PlanItem[], members: number, options: PlanOptions): readonly PlanItem[] {
  const prunes = items.filter((item) => item.kind === "prune" && item.carriedOut).length;
  const limit = options.maxPrune ?? Math.max(FEW, Math.floor(members * PART));
  const everything = prunes > 0 && prunes >= members;
  if (prunes <= limit && !everything) return items;
  const reason = everything
    ? `${prunes} objects would go, and nothing would be left.`
    : `${prunes} objects would go, more than ${limit}.`;
  const remedy = everything
    ? "Check the repository; delete by hand if it is meant."
    : `Check them, then allow it: --max-prune ${prunes}.`;
  return items.map((item) =>
    item.kind === "prune" && item.carriedOut
      ? { kind: "refused", object: item.object, refusal: "too-many-prunes", reason, remedy }
      : item,
  );
}
