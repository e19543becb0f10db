import type { PlanOptions } from "./input.ts";
import type { EntryItem, ModulePlan, Refused } from "./item.ts";

/** A set may always lose so many objects at once, and so large a part of it. */
const FEW = 5;
const PART = 0.1;

/**
 * Why nothing is removed, although that was asked for: there are too many removals, or nothing of what was there before
 * would be left. Then it is more likely that the repository was read wrongly than that everything shall go. `undefined`:
 * as many may go.
 *
 * Takes:  `members`, the objects of the set that live before anything is done. What nobody but the control plane knows
 * does not count: that is repaired, and not removed.
 */
export function refusalOfRemovals(
  modules: readonly ModulePlan[],
  members: number,
  options: PlanOptions,
): Refused | undefined {
  const objects = modules.flatMap(({ items }) => items.filter((item) => item.kind === "prune" && item.carriedOut));
  const entries = modules.flatMap(({ entries, items }) =>
    entries.filter((entry) => isRemoval(entry) && !items.some((item) => item.kind === "prune" && item.carriedOut)),
  );
  const count = objects.length + entries.length;
  const limit = options.maxPrune ?? Math.max(FEW, Math.floor(members * PART));
  const isEverything = members > 0 && objects.length >= members;
  if (count <= limit && !isEverything) return undefined;
  return {
    refusal: "too-many-prunes",
    reason: isEverything
      ? `${count} objects would go, and nothing would be left of what is there.`
      : `${count} objects and entries would go, more than ${limit}.`,
    remedy: isEverything
      ? "Check the repository; delete by hand if it is meant."
      : `Check them, then allow it: --max-prune ${count}.`,
  };
}

/** An entry that goes from a release meta that stays; with a release meta that goes, that one counts. */
function isRemoval(entry: EntryItem): boolean {
  return entry.kind === "remove" && entry.carriedOut && entry.cause !== "drift";
}
