import type { Generation } from "../catalogue/settings.ts";
import { RESOURCES } from "../kubernetes/object.ts";
import type { Outcome } from "./apply.ts";
import { isAct, type EntryItem, type PlanItem } from "./plan/item.ts";
import type { Prepared } from "./prepare.ts";

/** Modules at once. Twenty writes keep an API server busy; more do not make it faster. */
const CONCURRENCY = 20;
/** Templates, then what entries stand in, then removals. Up to lifecycle-manager 1.7 entries stand in templates. */
export function phasesOf(
  items: readonly PlanItem[],
  generation: Generation,
): readonly [PlanItem[], PlanItem[], PlanItem[]] {
  const phases: [PlanItem[], PlanItem[], PlanItem[]] = [[], [], []];
  for (const item of items) {
    const isMeta = generation === "channel-templates" || item.object.kind === RESOURCES.moduleReleaseMeta.kind;
    if (item.kind === "prune") phases[2].push(item);
    else phases[isMeta ? 1 : 0].push(item);
  }
  phases[2].sort((a, b) => rankOf(a) - rankOf(b));
  return phases;
}

/** Removals go the other way round: release metas first, since an entry must never name an absent template. */
function rankOf({ object }: PlanItem): number {
  return object.kind === RESOURCES.moduleReleaseMeta.kind ? 0 : 1;
}

/** Whether lifecycle-manager's memory decides what an entry does to its users. */
export function isLowering(entries: readonly EntryItem[], { input: { users } }: Prepared): boolean {
  return entries.some(({ kind, module }) => {
    const hasUsers = users.kind === "unknown" || (users.modules.get(module)?.length ?? 0) > 0;
    return hasUsers && (kind === "lower" || kind === "create" || kind === "remove");
  });
}

/** Whether an object that was to be written is not as wanted. */
export function isUnsettled({ item, result }: Outcome): boolean {
  if (result === "left") return item.kind === "refused" || item.kind === "waiting" || item.kind === "contested";
  return result !== "done";
}

/** What becomes of an item that is not carried out. */
export function skipped(item: PlanItem, because: string): Outcome {
  return isAct(item) ? { item, result: "skipped", because } : { item, result: "left" };
}

/** Runs `task` on each item, some at a time; starts no more of them once `signal` is aborted. */
export async function inParallel<T>(
  items: readonly T[],
  task: (item: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted) return;
      await task(item);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
