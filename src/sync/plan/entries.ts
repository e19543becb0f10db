import type { ChannelEntry } from "../../catalogue/compile.ts";
import { MANDATORY } from "../../catalogue/names.ts";
import { isStray } from "../../fleet/users.ts";
import { type EntryItem, type EntryStep } from "./item.ts";
import {
  asRefusal,
  type Blockers,
  type EntryDecision,
  judgeMove,
  type MoveBlocker,
  restoreRefusal,
  stay,
  stayAsApplied,
  usersIfLowered,
} from "./moves.ts";
import { appliedVersion, entryKey, isAbove } from "./records.ts";
import { flipRefusal, judgeStep, removalRefusal } from "./refusals.ts";
import { type EntryCase, entryCases, isGivenUp, isInstalled, isServed, isTaken, type ModuleState } from "./state.ts";

/** Decides on every entry of a module, in the order of the channels. */
export function decideEntries(
  state: ModuleState,
  objects: Pick<Blockers, "meta" | "template">,
): readonly EntryDecision[] {
  const [first] = state.wanted;
  const isFlip = first !== undefined && kindsBefore(state).includes(!first.mandatory);
  const blockers: Blockers = { ...objects, flip: isFlip ? flipRefusal(first.mandatory, state.users) : undefined };
  const decided = entryCases(state).flatMap((one) => decideEntry(one, state, blockers));
  const decisions = withoutReplaced(decided, state);
  return isFlip ? flippedWhole(decisions, first.mandatory, state, blockers) : decisions;
}

/**
 * | wanted | live | applied by us | the entry                                                         |
 * | ------ | ---- | ------------- | ----------------------------------------------------------------- |
 * | yes    |      |               | is unchanged, moves, or stays                                     |
 * | no     | yes  | yes           | is removed on request                                             |
 * | no     | yes  | no            | is drift, and removed at once                                     |
 * | no     | no   | yes           | was removed by another client: comes back while it may have users |
 */
function decideEntry(one: EntryCase, state: ModuleState, blockers: Blockers): readonly EntryDecision[] {
  const { step, wanted, applied } = one;
  if (wanted !== undefined) return [decideWanted(one, wanted, state, blockers)];
  if (step.from !== undefined) return [decideUnwanted(one, state, blockers)];
  // What another owner took over is left to it.
  return applied === undefined || isTaken(applied, step.channel, state)
    ? []
    : decideLost(step, applied, state, blockers);
}

function decideWanted(one: EntryCase, wanted: ChannelEntry, state: ModuleState, blockers: Blockers): EntryDecision {
  const { step } = one;
  const { version } = wanted;
  const unchanged: EntryDecision = { item: { ...step, kind: "unchanged" }, serves: version };
  if (isServed(one, wanted)) return unchanged;
  const { blocker, move } = judgeMove(one, wanted, state, blockers);
  if (blocker !== undefined) {
    const users = blocker.kind === "refused" && step.from !== undefined ? usersIfLowered(step, version, state) : {};
    const { serves, told } = stay(one, state, blockers);
    return { item: { ...step, ...blocker, ...users, ...told }, serves };
  }
  // Another client wrote the wanted version; it counts as ours from now on.
  if (step.from === version) return unchanged;
  const isLower = step.from !== undefined && step.from !== "" && isAbove(step.from, version);
  const kind = step.from === undefined ? "create" : isLower ? "lower" : "raise";
  return { item: { ...step, kind, ...move }, serves: version };
}

/** An entry that the repository does not want. One that we never applied is drift. */
function decideUnwanted(one: EntryCase, state: ModuleState, { flip, ...blockers }: Blockers): EntryDecision {
  const { step, applied } = one;
  const { users, gate, options, noRemoval } = state;
  const isDrift = applied === undefined;
  const { serves, told } = stayAsApplied(one, state, { ...blockers, flip });
  const left = { ...step, kind: "remove", cause: isDrift ? "drift" : "repository" } as const;
  // A module that changes its kind loses the entries of the other kind in the same write.
  const isAskedFor = options.prune || state.wanted.some((entry) => entry.mandatory !== step.mandatory);
  if (!isDrift && !isAskedFor) return { item: { ...left, carriedOut: false, accepted: [], ...told }, serves };
  const { refused, accepted } = judgeStep(step, [flip ?? removalRefusal(step, users)], gate.accepted);
  const blocker = blockers.meta ?? asRefusal(refused ?? (isDrift ? undefined : noRemoval));
  if (blocker === undefined) return { item: { ...left, carriedOut: true, accepted }, serves: undefined };
  return { item: { ...step, ...blocker, ...told }, serves };
}

/**
 * An entry that we applied, but that is neither wanted nor live: another client removed it. It is kept in the records
 * while it may have users; otherwise lifecycle-manager would forget their versions.
 */
function decideLost(
  step: EntryStep,
  applied: string,
  state: ModuleState,
  { meta, flip }: Blockers,
): readonly EntryDecision[] {
  const isUnused = removalRefusal(step, state.users) === undefined;
  // Its record is what a change of kind is refused by.
  const isRequested = state.options.prune && state.noRemoval === undefined && flip === undefined;
  if (isUnused && (isRequested || isGivenUp(state))) return [];
  const back = { ...step, to: applied };
  const blocker = meta ?? asRefusal(restoreRefusal(step, applied, state));
  if (blocker === undefined)
    return [{ item: { ...back, kind: "create", cause: "drift", specHash: "", accepted: [] }, serves: applied }];
  return isUnused ? [] : [{ item: { ...back, ...blocker }, serves: undefined }];
}

/** Whether the entries before were mandatory. Either the live ones or the records may be gone. */
function kindsBefore({ module, entries, recorded, users }: ModuleState): readonly boolean[] {
  const known = [
    ...entries.map(({ mandatory }) => mandatory),
    ...[...recorded.keys()].map((key) => key === `${MANDATORY}/${module}`),
  ];
  // If both are gone, clusters still have it; no Kyma mentions a mandatory module.
  const left = users.all.filter(isInstalled);
  return known.length > 0 || left.length === 0 ? known : [left.every(isStray)];
}

/**
 * A module changes its kind in one write or not at all: a release meta has entries of one kind, and lifecycle-manager
 * uninstalls within seconds what a removal takes away. If one of its entries is blocked, all of them stay.
 */
function flippedWhole(
  decisions: readonly EntryDecision[],
  becomesMandatory: boolean,
  state: ModuleState,
  blockers: Blockers,
): readonly EntryDecision[] {
  const items = decisions.map(({ item }) => item);
  const isBack = (item: EntryItem): boolean => item.kind === "create" && item.mandatory !== becomesMandatory;
  const blocked = items.find(({ kind }) => kind === "refused") ?? items.find(({ kind }) => kind === "waiting");
  const blocker = (blocked && entryBlocker(blocked)) ?? items.filter(isBack).map(waitForReturn)[0];
  if (blocker === undefined) return decisions;
  return decisions.map(({ item, serves }): EntryDecision => {
    if (item.kind === "unchanged" || isBack(item) || entryBlocker(item) !== undefined) return { item, serves };
    const { module, channel, mandatory, from, to } = item;
    const step = { module, channel, mandatory, from, to };
    const applied = appliedVersion(state.live.records, entryKey(step), from);
    const { serves: stays, told } = stayAsApplied({ step, applied }, state, blockers);
    return { item: { ...step, ...blocker, ...told }, serves: stays };
  });
}

/**
 * Leaves out lost entries that entries of the other kind have replaced: the sync that changed the kind was killed, or
 * another client changed it. Brought back, they would change it again. They stay recorded while the change is refused.
 */
function withoutReplaced(decisions: readonly EntryDecision[], state: ModuleState): readonly EntryDecision[] {
  const kept = decisions.find(({ item, serves }) => item.from !== undefined && serves !== undefined);
  if (kept === undefined) return decisions;
  const wanted = new Set(state.wanted.map(entryKey));
  return decisions.flatMap((decision): readonly EntryDecision[] => {
    const { module, channel, mandatory, from, to, kind } = decision.item;
    const isReplaced = kind === "create" && from === undefined && mandatory !== kept.item.mandatory;
    if (!isReplaced || wanted.has(entryKey(decision.item))) return [decision];
    const step = { module, channel, mandatory, from: to, to: undefined };
    const { refused } = judgeStep(step, [flipRefusal(kept.item.mandatory, state.users)], state.gate.accepted);
    const item = refused && { ...step, from, to, kind: "refused" as const, ...refused };
    return item === undefined ? [] : [{ item, serves: undefined }];
  });
}

/** What another client removed of the old kind comes back first, so that lifecycle-manager knows what its users run. */
function waitForReturn({ channel, module }: EntryItem): MoveBlocker {
  return { kind: "waiting", reason: `${channel}/${module}, which another client removed, comes back first` };
}

function entryBlocker(item: EntryItem): MoveBlocker | undefined {
  if (item.kind === "refused") {
    const { kind, refusal, reason, remedy } = item;
    return { kind, refusal, reason, remedy };
  }
  if (item.kind !== "waiting") return undefined;
  const { kind, reason, untilMs, isUnknown } = item;
  return { kind, reason, ...(untilMs !== undefined && { untilMs }), ...(isUnknown !== undefined && { isUnknown }) };
}
