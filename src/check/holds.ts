import { countedHolds, holdEndMs, isAsStrong } from "../catalogue/holdStrength.ts";
import { isBroken } from "../document/finding.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { Hold } from "../catalogue/policy.ts";
import { holdsPath } from "../catalogue/paths.ts";
import { releaseManagersApproved } from "./authority.ts";
import type { Context } from "./context.ts";

/**
 * The holds of a module that count: those of the head, where anyone can add one, and those of the base that the change
 * removes or weakens without the approval of a release manager.
 */
export function holdsAsCount(context: Context, module: ModuleName): readonly Hold[] {
  const holds = countedHolds(context.head, module);
  return releaseManagersApproved(context) === true ? holds : [...holds, ...liftedHolds(context, module)];
}

/** The path of a module's `holds.yaml` if it cannot be read in the base or the head: its holds are then unknown. */
export function unreadableHolds({ base, head }: Context, module: ModuleName): string | undefined {
  const path = holdsPath(module);
  return isBroken(head, path) || (base !== undefined && isBroken(base, path)) ? path : undefined;
}

/** The holds of the base that are still in force and that the head removes or weakens. */
export function liftedHolds({ base, head, nowMs }: Context, module: ModuleName): readonly Hold[] {
  const before = base === undefined ? [] : countedHolds(base, module);
  const after = countedHolds(head, module);
  return before.filter((hold) => holdEndMs(hold) > nowMs && !after.some((other) => isAsStrong(other, hold)));
}
