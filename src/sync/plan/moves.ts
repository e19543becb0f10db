import type { ChannelEntry } from "../../catalogue/compile.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { judgeDesired } from "./difference.ts";
import { CLAIM_ANNOTATIONS, type EntryGate, foundArtifact, isOurs } from "./input.ts";
import {
  type EntryItem,
  type EntryMove,
  type EntryStep,
  type PlanItem,
  type Refused,
  type SetBack,
  type Waiting,
} from "./item.ts";
import { entryKey, isAbove } from "./records.ts";
import { affectedUsers, artifactRefusal, judgeStep, moveRefusals, removalRefusal } from "./refusals.ts";
import {
  type EntryCase,
  hasServedBefore,
  isGuardGone,
  knownTemplate,
  liveTemplate,
  type ModuleState,
} from "./state.ts";

/** The decision on one entry, and the version that the channel serves afterwards. */
export interface EntryDecision {
  readonly item: EntryItem;
  readonly serves: string | undefined;
}

/** Why an entry does not move. */
export type MoveBlocker = ({ readonly kind: "refused" } & Refused) | ({ readonly kind: "waiting" } & Waiting);

/** What blocks the entries of a module, apart from their own versions. */
export interface Blockers {
  /** From the release meta. */
  readonly meta: MoveBlocker | undefined;
  /** From the template of a wanted entry. */
  readonly template: (wanted: ChannelEntry) => MoveBlocker | undefined;
  /** From a change between mandatory and not mandatory. */
  readonly flip: Refused | undefined;
}

/** Turns a refusal into a blocker. */
export function asRefusal(refused: Refused | undefined): MoveBlocker | undefined {
  return refused && { kind: "refused", ...refused };
}

/** Turns an object that cannot be written into a blocker of the entry that needs it. */
export function asBlocker(item: PlanItem | undefined, module: string): MoveBlocker | undefined {
  if (item === undefined) return undefined;
  const { kind, name } = item.object;
  const needed = name === module ? "" : `${kind} ${name}, which it needs: `;
  if (item.kind === "waiting") return { kind: "waiting", reason: `${needed}${item.reason}` };
  if (item.kind === "contested")
    return { kind: "waiting", reason: `${needed}${item.by.join(", ") || "another client"} keeps overwriting it` };
  if (item.kind !== "refused") return undefined;
  return { kind: "refused", refusal: item.refusal, reason: `${needed}${item.reason}`, remedy: item.remedy };
}

/** Judges whether an entry may move, starting with the objects that it needs; and how it moves. */
export function judgeMove(
  one: EntryCase,
  wanted: ChannelEntry,
  state: ModuleState,
  { meta, template, flip }: Blockers,
): { readonly blocker: MoveBlocker | undefined; readonly move: EntryMove } {
  const { step, applied } = one;
  const { gate, users, artifacts } = state;
  // What we applied last has passed the gate.
  const isRestored = applied === wanted.version;
  const wait = isRestored ? undefined : gateWait(wanted, gate);
  const waiting = wait && state.options.now === undefined ? ({ kind: "waiting", ...wait } as const) : undefined;
  const move = { step, ...wanted, before: replacedTemplates(one, state), isGuardGone: isGuardGone(step, state) };
  const { refused, accepted } = judgeStep(step, [flip, ...moveRefusals(move, users, artifacts)], gate.accepted);
  return {
    blocker: meta ?? template(wanted) ?? waiting ?? artifactBlocker(wanted, state) ?? asRefusal(refused),
    move: {
      cause: isRestored ? "drift" : "repository",
      specHash: wanted.specHash,
      accepted,
      ...usersIfLowered(step, wanted.version, state),
      ...(wait && { passed: wait.reason }),
    },
  };
}

function gateWait(wanted: ChannelEntry, { holds, waves }: EntryGate): Waiting | undefined {
  const key = entryKey(wanted);
  return holds.get(key) ?? waves.get(key);
}

/** The templates that a move replaces. The repository may have other content for a version than we applied. */
function replacedTemplates({ step, applied }: EntryCase, state: ModuleState): readonly KubernetesObject[] {
  const live = [step.from, applied]
    .filter((version) => version !== undefined)
    .flatMap((version) => liveTemplate(version, step.channel, state) ?? []);
  const known = applied === undefined ? undefined : knownTemplate(applied, step.channel, state);
  return known === undefined ? live : [...live, known];
}

/** The affected users, if the version of an entry goes down. */
export function usersIfLowered(step: EntryStep, version: string, state: ModuleState): Pick<EntryMove, "users"> {
  const isLowered = step.from !== undefined && !step.mandatory && isAbove(step.from, version);
  return isLowered && state.users.unknown === undefined
    ? { users: affectedUsers(step, version, isGuardGone(step, state), state.users) }
    : {};
}

/** An entry must never point to a missing artifact, not even for a second. */
function artifactBlocker({ module, version }: ChannelEntry, state: ModuleState): MoveBlocker | undefined {
  const artifact = foundArtifact(state.artifacts, module, version);
  if (artifact === undefined || artifact.kind === "present") return undefined;
  const unknown = `the artifact of ${version} exists`;
  if (artifact.kind === "missing") return asRefusal(artifactRefusal(artifact, unknown));
  // A withdrawal to a version that was served before does not wait for a registry that is down.
  if (hasServedBefore(version, state) && !isSwitched(state)) return undefined;
  return { kind: "waiting", reason: `it is unknown whether ${unknown}: ${artifact.because}`, isUnknown: true };
}

/** Whether the set was made for another generation of lifecycle-manager, which read other artifacts. */
function isSwitched({ live, desired }: ModuleState): boolean {
  const before = live.parent?.metadata.annotations?.[CLAIM_ANNOTATIONS.generation];
  return before !== undefined && before !== desired.target.generation;
}

/** What an entry serves while it does not move, and what is told of it if another client changed that. */
interface ServedMeanwhile {
  readonly serves: string | undefined;
  readonly told: { readonly setBack?: SetBack };
}

/** What an entry serves if it does not move: the version that we last applied, unless that would harm users. */
export function stay(one: AppliedCase, state: ModuleState, blockers: Blockers): ServedMeanwhile {
  const { step } = one;
  const serves = servedMeanwhile(one, state, blockers);
  if (serves === undefined || serves === step.from) return { serves, told: {} };
  return { serves, told: { setBack: { version: serves, ...usersIfLowered(step, serves, state) } } };
}

type AppliedCase = Pick<EntryCase, "step" | "applied">;

/** The same for an entry that is not removed meanwhile: without a record, it stays as it is. */
export function stayAsApplied(one: AppliedCase, state: ModuleState, blockers: Blockers): ServedMeanwhile {
  return one.applied === undefined ? { serves: one.step.from, told: {} } : stay(one, state, blockers);
}

function servedMeanwhile(
  { step, applied }: AppliedCase,
  state: ModuleState,
  { meta, flip }: Blockers,
): string | undefined {
  const { from } = step;
  // Brought back, an entry that is not live would change the kind of the module.
  if (applied === from || meta !== undefined || (flip !== undefined && from === undefined)) return from;
  if (applied !== undefined) return restoreRefusal(step, applied, state) === undefined ? applied : from;
  // An entry without a record may be removed. A mandatory one stays, because only it prevents a downgrade.
  return step.mandatory || removalRefusal(step, state.users) !== undefined ? from : undefined;
}

/** Why an entry may not be set back to the version that we last applied; `undefined`: that harms no user. */
export function restoreRefusal(step: EntryStep, applied: string, state: ModuleState): Refused | undefined {
  const { module, users, artifacts } = state;
  const live = liveTemplate(applied, step.channel, state);
  const template = knownTemplate(applied, step.channel, state) ?? live;
  if (template === undefined)
    return {
      refusal: "template-missing",
      reason: `The template of ${module} ${applied} is gone, and neither the repository nor its history has it.`,
      remedy: `Add modules/${module}/${applied}/template.yaml; or fetch the whole history, if the clone is shallow.`,
    };
  if (live !== undefined && (live.metadata.deletionTimestamp !== undefined || !isOurs(live, state)))
    return {
      refusal: "not-ours",
      reason: `ModuleTemplate ${live.metadata.name} is being deleted, or is not ours.`,
      remedy: "Wait until it is gone, or take it over: sync --adopt.",
    };
  // Users would get the live template, with any restrictions that a person set by hand; or none, if its content is not known.
  const judged = judgeDesired(template, live, state);
  if (judged.kind === "refused") return { refusal: judged.refusal, reason: judged.reason, remedy: judged.remedy };
  const back = { ...step, to: applied };
  const replaced = isFromCommit(step, state) ? template : live;
  const before = replaced === undefined ? [] : [replaced];
  const move = { step: back, version: applied, template, before, isGuardGone: isGuardGone(back, state) };
  return lostArtifact(applied, state) ?? moveRefusals(move, users, artifacts).find((found) => found !== undefined);
}

/** Whether we applied an entry. A record of another one was made from what was live, and says nothing of restrictions. */
function isFromCommit(step: EntryStep, { recorded }: ModuleState): boolean {
  return recorded.get(entryKey(step))?.current?.commit !== undefined;
}

/** Refuses to bring a version back whose artifact lifecycle-manager does not find: its Kymas would go to Error. */
function lostArtifact(version: string, state: ModuleState): Refused | undefined {
  const artifact = foundArtifact(state.artifacts, state.module, version);
  const isLost = artifact?.kind === "missing" || (artifact?.kind === "unknown" && isSwitched(state));
  return isLost
    ? artifactRefusal(artifact, `this generation of lifecycle-manager finds the artifact of ${version}`)
    : undefined;
}
