import type { ChannelEntry } from "../../catalogue/compile.ts";
import { casesOf, type EntryCase, isServed } from "./cases.ts";
import type { EntryItem, EntryStep } from "./item.ts";
import { isGivenUp, type ModuleInput, templateOf } from "./moduleInput.ts";
import { asRefusal, type Blockers, judgeMove, refusalToRestore, stay, stayAsApplied, usersIfLowered } from "./moves.ts";
import { asRefused, isAbove, judgeStep, refusalsOfRemoval } from "./refusals.ts";

/** The decision on one entry, and the version that the channel serves afterwards. */
export interface EntryDecision {
  readonly item: EntryItem;
  readonly serves: string | undefined;
}

/** Decides on every entry of a module, in the order of the channels. */
export function decideEntries(module: ModuleInput, blockers: Blockers): readonly EntryDecision[] {
  return casesOf(module).flatMap((one) => {
    if (one.wanted !== undefined) return [decideWanted(one, one.wanted, module, blockers)];
    return one.step.from === undefined ? decideLost(one, module, blockers) : [decideUnwanted(one, module, blockers)];
  });
}

function decideWanted(one: EntryCase, wanted: ChannelEntry, module: ModuleInput, blockers: Blockers): EntryDecision {
  const { step } = one;
  if (isServed(one, wanted)) return { item: { ...step, kind: "unchanged" }, serves: wanted.version };
  const { blocker, move } = judgeMove(one, wanted, module, blockers);
  if (blocker !== undefined) {
    const users = blocker.kind === "refused" && step.from !== undefined ? usersIfLowered(step, wanted, module) : {};
    const { serves, told } = stay(one, module, blockers);
    return { item: { ...step, ...blocker, ...users, ...told }, serves };
  }
  // Another client wrote the wanted version; it counts as ours from now on.
  if (step.from === wanted.version) return { item: { ...step, kind: "unchanged" }, serves: wanted.version };
  return { item: { ...step, kind: directionOf(step, wanted.version), ...move }, serves: wanted.version };
}

function directionOf({ from }: EntryStep, to: string): "create" | "raise" | "lower" {
  if (from === undefined) return "create";
  return from !== "" && isAbove(from, to) ? "lower" : "raise";
}

/** An entry that the repository does not want. One that we never applied is drift. */
function decideUnwanted(one: EntryCase, module: ModuleInput, blockers: Blockers): EntryDecision {
  const { step, applied } = one;
  const isDrift = applied === undefined;
  const cause = isDrift ? "drift" : "repository";
  const left = { ...step, kind: "remove", cause, carriedOut: false, accepted: [] } as const;
  const { serves, told } = stayAsApplied(one, module, blockers);
  if (!isDrift && !isAskedFor(step, module)) return { item: { ...left, ...told }, serves };
  const found = blockers.flip === undefined ? refusalsOfRemoval(step, module) : [blockers.flip];
  const { refused, accepted } = judgeStep(step, found, module);
  const limit = isDrift ? undefined : module.noRemoval;
  const blocker = blockers.meta ?? asRefusal(refused ?? limit);
  if (blocker === undefined) return { item: { ...left, carriedOut: true, accepted }, serves: undefined };
  return { item: { ...step, ...blocker, ...told }, serves };
}

/**
 * Whether a removal is requested. A module that changes its kind loses the entries of the other kind in the same write.
 */
function isAskedFor(step: EntryStep, { wanted, input }: ModuleInput): boolean {
  return input.options.prune || wanted.some((entry) => entry.mandatory !== step.mandatory);
}

/**
 * An entry that we applied, but that is neither wanted nor live: another client removed it. It is kept in the records
 * while it may have users; otherwise lifecycle-manager would forget their versions. What another owner took over is
 * left to it.
 */
function decideLost(one: EntryCase, module: ModuleInput, blockers: Blockers): readonly EntryDecision[] {
  const { step, applied } = one;
  if (applied === undefined || isTaken(applied, step.channel, module)) return [];
  const isUnused = refusalsOfRemoval(step, module).length === 0;
  if (isUnused && mayStayAway(module, blockers)) return [];
  const back = { ...step, to: applied };
  const found = refusalToRestore(step, applied, module);
  const blocker = blockers.meta ?? asRefusal(found && asRefused(found));
  if (blocker === undefined)
    return [{ item: { ...back, kind: "create", cause: "drift", specHash: "", accepted: [] }, serves: applied }];
  return isUnused ? [] : [{ item: { ...back, ...blocker }, serves: undefined }];
}

/** Whether a lost entry without users is left out: its removal is requested, or its release meta does not come back. */
function mayStayAway(module: ModuleInput, { flip }: Blockers): boolean {
  // Its record is what a change of kind is refused by.
  const isRequested = module.input.options.prune && module.noRemoval === undefined && flip === undefined;
  return isRequested || isGivenUp(module);
}

/** Whether another client's template of the channel, or release meta of the module, is in the place of ours. */
function isTaken(applied: string, channel: string, module: ModuleInput): boolean {
  const isPerChannel = module.input.desired.target.generation === "channel-templates";
  return isPerChannel
    ? templateOf(applied, channel, module) !== undefined
    : module.meta !== undefined && isGivenUp(module);
}
