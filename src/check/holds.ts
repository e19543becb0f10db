import { holdEndMs, isAsStrong } from "../catalogue/holdStrength.ts";
import { isBroken } from "../document/finding.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { Hold } from "../catalogue/policy.ts";
import { holdsPath } from "../catalogue/paths.ts";
import { releaseManagersApproved } from "./authority.ts";
import type { Context } from "./context.ts";

/**
 * The holds of a module as they count: those of the head, where anybody may add one, and those of the base that the
 * change takes away or weakens, unless a release manager approved.
 */
export function holdsAsCount(context: Context, module: ModuleName): readonly Hold[] {
  const { holds = [] } = context.head.modules.get(module) ?? {};
  return releaseManagersApproved(context) === true ? holds : [...holds, ...liftedHolds(context, module)];
}

/** The file with the holds of a module where that cannot be read, in the base or in the head: it is unknown what it holds. */
export function unreadableHolds({ base, head }: Context, module: ModuleName): string | undefined {
  const path = holdsPath(module);
  return isBroken(head, path) || (base !== undefined && isBroken(base, path)) ? path : undefined;
}

/** The holds of the base, still in force, that the head takes away or weakens. */
export function liftedHolds({ base, head, nowMs }: Context, module: ModuleName): readonly Hold[] {
  const { holds: before = [] } = base?.modules.get(module) ?? {};
  const { holds: after = [] } = head.modules.get(module) ?? {};
  return before.filter((hold) => holdEndMs(hold) > nowMs && !after.some((other) => isAsStrong(other, hold)));
}
