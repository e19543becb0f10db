import { MANDATORY } from "../../catalogue/names.ts";
import { describeUsers, isStray, named } from "../../fleet/users.ts";
import type { EntryDecision } from "./entries.ts";
import type { EntryItem, MoveBlocker } from "./item.ts";
import { isInstalled, liveEntries, type ModuleInput } from "./moduleInput.ts";
import { type Blockers, stayAsApplied } from "./moves.ts";
import { appliedVersion, entryKey } from "./records.ts";
import { acceptText, type FoundRefusal, judgeStep, unknownUsers } from "./refusals.ts";

/** Whether a module changes between mandatory and not mandatory. */
function isFlip(module: ModuleInput): boolean {
  const [first] = module.wanted;
  return first !== undefined && kindsBefore(module).includes(!first.mandatory);
}

/** Whether the entries before were mandatory. Either the live ones or the records may be gone. */
function kindsBefore(module: ModuleInput): readonly boolean[] {
  const known = [
    ...liveEntries(module).map(({ mandatory }) => mandatory),
    ...[...module.recorded.keys()].map((key) => key === `${MANDATORY}/${module.module}`),
  ];
  // If both are gone, clusters still have it; no Kyma mentions a mandatory module.
  const left = module.users.filter(isInstalled);
  return known.length > 0 || left.length === 0 ? known : [left.every(isStray)];
}

/** The refusal of such a change, which installs or uninstalls a module on many clusters. */
export function flipOf(module: ModuleInput): FoundRefusal | undefined {
  const [first] = module.wanted;
  return first !== undefined && isFlip(module) ? flipRefusal(first.mandatory, module) : undefined;
}

/** The refusal to make a module mandatory, or no longer mandatory; `undefined`: it has no users. */
export function flipRefusal(becomesMandatory: boolean, module: ModuleInput): FoundRefusal | undefined {
  const [unknown] = unknownUsers("who uses it", module);
  if (unknown !== undefined || module.users.length === 0) return unknown;
  const users = describeUsers(named(module.users));
  const reason = becomesMandatory
    ? `${module.module} would become mandatory, and be installed on every cluster; it has ${users}.`
    : `${module.module} would no longer be mandatory, and be uninstalled from every cluster that did not enable it; it has ${users}.`;
  return ["mandatory-flip", reason, `Keep its kind, or accept the change: ${acceptText("mandatory-flip")}.`];
}

/**
 * A module changes its kind in one write or not at all: a release meta has entries of one kind, and lifecycle-manager
 * uninstalls within seconds what a removal takes away. If one of its entries is blocked, all of them stay.
 */
export function flipWhole(
  decided: readonly EntryDecision[],
  module: ModuleInput,
  blockers: Blockers,
): readonly EntryDecision[] {
  const decisions = withoutReplaced(decided, module);
  if (!isFlip(module)) return decisions;
  const items = decisions.map(({ item }) => item);
  const isBack = (item: EntryItem): boolean => item.kind === "create" && item.mandatory !== module.wanted[0]?.mandatory;
  const blocked = items.find(({ kind }) => kind === "refused") ?? items.find(({ kind }) => kind === "waiting");
  const blocker = (blocked && blockerOf(blocked)) ?? items.filter(isBack).map(waitFor)[0];
  if (blocker === undefined) return decisions;
  return decisions.map(({ item, serves }): EntryDecision => {
    if (item.kind === "unchanged" || isBack(item) || blockerOf(item) !== undefined) return { item, serves };
    const { module: name, channel, mandatory, from, to } = item;
    const step = { module: name, channel, mandatory, from, to };
    const applied = appliedVersion(module.input.live.records, entryKey(step), from);
    const { serves: stays, told } = stayAsApplied({ step, applied }, module, blockers);
    return { item: { ...step, ...blocker, ...told }, serves: stays };
  });
}

/**
 * Leaves out lost entries that entries of the other kind have replaced: the sync that changed the kind was killed, or
 * another client changed it. Brought back, they would change it again. They stay recorded while the change is refused.
 */
function withoutReplaced(decisions: readonly EntryDecision[], module: ModuleInput): readonly EntryDecision[] {
  const kept = decisions.find(({ item, serves }) => item.from !== undefined && serves !== undefined);
  if (kept === undefined) return decisions;
  return decisions.flatMap((decision): readonly EntryDecision[] => {
    const { module: name, channel, mandatory, from, to, kind } = decision.item;
    const isReplaced = kind === "create" && from === undefined && mandatory !== kept.item.mandatory;
    if (!isReplaced || module.wanted.some((entry) => entryKey(entry) === entryKey(decision.item))) return [decision];
    const found = flipRefusal(kept.item.mandatory, module);
    const step = { module: name, channel, mandatory, from: to, to: undefined };
    const { refused } = judgeStep(step, found === undefined ? [] : [found], module);
    const item = refused && { module: name, channel, mandatory, from, to, kind: "refused" as const, ...refused };
    return item === undefined ? [] : [{ item, serves: undefined }];
  });
}

/** What another client removed of the old kind comes back first, so that lifecycle-manager knows what its users run. */
function waitFor({ channel, module }: EntryItem): MoveBlocker {
  return { kind: "waiting", reason: `${channel}/${module}, which another client removed, comes back first` };
}

function blockerOf(item: EntryItem): MoveBlocker | undefined {
  if (item.kind === "refused") {
    const { kind, refusal, reason, remedy } = item;
    return { kind, refusal, reason, remedy };
  }
  if (item.kind !== "waiting") return undefined;
  const { kind, reason, untilMs, isUnknown } = item;
  return { kind, reason, ...(untilMs !== undefined && { untilMs }), ...(isUnknown !== undefined && { isUnknown }) };
}
