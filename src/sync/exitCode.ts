import { isOutage } from "./apply.ts";
import { planEntries, isAmiss, isStuck, isUnknown, planItems, type Plan } from "./plan/item.ts";
import type { SyncResult } from "./sync.ts";

/** 0: as wanted; 1: something is refused, contested, stuck or failed; 3: something could not be read or reached. */
type ExitCode = 0 | 1 | 3;

/** The exit code for a plan. */
export function codeOfPlan(plan: Plan): ExitCode {
  const entries = planEntries(plan);
  const items = planItems(plan);
  if (entries.some(isUnknown)) return 3;
  return [...entries, ...items].some(isAmiss) || items.some(isStuck) ? 1 : 0;
}

/** The exit code for a sync. An outage in any request counts as the world's. */
export function codeOfSync({ entries, outcomes }: Pick<SyncResult, "entries" | "outcomes">): ExitCode {
  if (outcomes.some(isOutage) || entries.some(({ entry }) => isUnknown(entry))) return 3;
  const isAmissAnywhere =
    entries.some(({ entry, result }) => isAmiss(entry) || (result !== "done" && result !== "left")) ||
    outcomes.some(({ item, result }) => isAmiss(item) || isStuck(item) || (result !== "done" && result !== "left"));
  return isAmissAnywhere ? 1 : 0;
}
