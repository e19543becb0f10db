import type { Generation } from "../catalogue/settings.ts";
import { RESOURCES } from "../kubernetes/object.ts";
import { namedTemplates } from "../kubernetes/releaseMeta.ts";
import type { ObjectOutcome } from "./apply.ts";
import { isAct, type EntryItem, type PlanItem } from "./plan/item.ts";
import { entryTemplateName } from "./plan/records.ts";
import type { Prepared } from "./prepare.ts";

/** The items of a module, in the order in which they are carried out: an entry must never name an absent template. */
export interface Phases {
  readonly templates: readonly PlanItem[];
  /** The objects that hold entries: the release meta; up to lifecycle-manager 1.7, templates. */
  readonly holders: readonly PlanItem[];
  readonly prunes: readonly PlanItem[];
}

/** Sorts the items of a module into phases. */
export function applyPhases(items: readonly PlanItem[], generation: Generation): Phases {
  const isHolder = ({ object }: PlanItem): boolean =>
    generation === "channel-templates" || object.kind === RESOURCES.moduleReleaseMeta.kind;
  const [prunes, others] = [items.filter(isPrune), items.filter((item) => !isPrune(item))];
  return {
    templates: others.filter((item) => !isHolder(item)),
    holders: others.filter(isHolder),
    prunes: prunes.sort((a, b) => phaseRank(a) - phaseRank(b)),
  };
}

function isPrune({ kind }: PlanItem): boolean {
  return kind === "prune";
}

/** Removals start with release metas, because an entry must never name an absent template. */
function phaseRank({ object }: PlanItem): number {
  return object.kind === RESOURCES.moduleReleaseMeta.kind ? 0 : 1;
}

/** The maximum age of the users when something is removed that had none. Milliseconds. */
export const FRESH_MS = 30_000;

/**
 * How old the users may be when the items of a module are carried out; `undefined`: their effect does not depend on
 * users. It may depend on the state that lifecycle-manager keeps about them, or a Kyma may have begun to use what is
 * removed. Milliseconds.
 */
export function maxAgeOfUsersMs(
  entries: readonly EntryItem[],
  items: readonly PlanItem[],
  { input: { users, desired } }: Prepared,
): number | undefined {
  const { generation } = desired.target;
  const dependsOnState = entries.some(
    (entry) =>
      (users.kind === "unknown" || users.modules.has(entry.module)) &&
      (entry.kind === "lower" ||
        entry.kind === "create" ||
        entry.kind === "remove" ||
        "setBack" in entry ||
        items.some((item) => wakes(item, entry, generation))),
  );
  if (dependsOnState) return 0;
  return entries.some((entry) => entry.kind === "remove" && entry.carriedOut) ? FRESH_MS : undefined;
}

/** Whether an item restores or repairs a template that an entry already names. */
function wakes(item: PlanItem, entry: EntryItem, generation: Generation): boolean {
  const { kind, name } = item.object;
  const isWritten = isAct(item) && !isPrune(item);
  const isTemplate =
    kind === RESOURCES.moduleTemplate.kind && name === entryTemplateName(entry, entry.from ?? "", generation);
  return isWritten && isTemplate;
}

/** Whether an object is not as wanted after a write was due. */
export function isUnsettled({ item, result }: ObjectOutcome): boolean {
  if (result === "left") return item.kind === "refused" || item.kind === "waiting" || item.kind === "contested";
  return result !== "done";
}

/** The outcome of an item that is not carried out. */
export function skipped(item: PlanItem, because: string): ObjectOutcome {
  return isAct(item) ? { item, result: "skipped", because } : { item, result: "left" };
}

/** The templates that a release meta newly names. */
export function newlyNamed(item: PlanItem): readonly string[] {
  if (item.kind === "create") return namedTemplates(item.desired);
  if (item.kind !== "change") return [];
  const before = namedTemplates(item.live);
  return namedTemplates(item.desired).filter((name) => !before.includes(name));
}
