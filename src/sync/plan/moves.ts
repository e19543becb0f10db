import type { ChannelEntry } from "../../catalogue/compile.ts";
import { type EntryCase, hasHad } from "./cases.ts";
import { ARTIFACT_REMEDY, artifactOf, isOurs, missingText } from "./input.ts";
import type { EntryMove, EntryStep, MoveBlocker, Refused, SetBack } from "./item.ts";
import { knownTemplate, type ModuleInput, templateOf } from "./moduleInput.ts";
import { judgeDesired } from "./object.ts";
import { entryKey } from "./records.ts";
import { concerned, type FoundRefusal, isAbove, judgeStep, refusalsOfMove, refusalsOfRemoval } from "./refusals.ts";
import { CLAIM_ANNOTATIONS } from "./set.ts";

/** What blocks the entries of a module, apart from their own versions. */
export interface Blockers {
  /** From the release meta. */
  readonly meta: MoveBlocker | undefined;
  /** From the template of a wanted entry. */
  readonly template: (wanted: ChannelEntry) => MoveBlocker | undefined;
  /** From a change between mandatory and not mandatory. */
  readonly flip: FoundRefusal | undefined;
}

/** Whether an entry may move, and how. */
interface MoveJudgement {
  readonly blocker: MoveBlocker | undefined;
  readonly move: EntryMove;
}

/** Judges whether an entry may move, starting with the objects that it needs; and how it moves. */
export function judgeMove(
  one: EntryCase,
  wanted: ChannelEntry,
  module: ModuleInput,
  blockers: Blockers,
): MoveJudgement {
  const { step, applied } = one;
  const isRestored = applied === wanted.version;
  const { blocked, passed } = gateOn(wanted, module);
  const { refused, accepted } = judgeStep(step, refusalsOf(one, wanted, module, blockers), module);
  // What we applied last has passed the gate.
  const first = (isRestored ? undefined : blocked) ?? artifactBlocker(wanted, module);
  return {
    blocker: blockers.meta ?? blockers.template(wanted) ?? first ?? asRefusal(refused),
    move: {
      cause: isRestored ? "drift" : "repository",
      specHash: wanted.specHash,
      accepted,
      ...usersIfLowered(step, wanted, module),
      ...(!isRestored && passed !== undefined && { passed }),
    },
  };
}

function refusalsOf(
  one: EntryCase,
  wanted: ChannelEntry,
  module: ModuleInput,
  { flip }: Blockers,
): readonly FoundRefusal[] {
  const { step, applied } = one;
  const versions = [step.from, applied].filter((version) => version !== undefined);
  const live = versions.map((version) => templateOf(version, step.channel, module));
  // The repository may have other content for it than we applied.
  const known = applied === undefined ? undefined : knownTemplate(applied, step.channel, module);
  const before = [...live, known].filter((template) => template !== undefined);
  const found = refusalsOfMove(step, { ...wanted, before }, module);
  return flip === undefined ? found : [flip, ...found];
}

/** Turns a refusal into a blocker. */
export function asRefusal(refused: Refused | undefined): MoveBlocker | undefined {
  return refused && { kind: "refused", ...refused };
}

/** The affected users, if the version of an entry goes down. */
export function usersIfLowered(
  step: EntryStep,
  { version }: { readonly version: string },
  module: ModuleInput,
): Pick<EntryMove, "users"> {
  const isLowered = step.from !== undefined && !step.mandatory && isAbove(step.from, version);
  return isLowered && module.input.users.kind === "known" ? { users: concerned(step, version, module) } : {};
}

/** The block on an entry by a hold or a wave; or `passed`, if --now overrides it. */
interface GateJudgement {
  readonly blocked?: MoveBlocker;
  readonly passed?: string;
}

function gateOn(wanted: ChannelEntry, { input }: ModuleInput): GateJudgement {
  const key = entryKey(wanted);
  const found = input.gate.holds.get(key) ?? input.gate.waves.get(key);
  if (found === undefined) return {};
  return input.options.now === undefined ? { blocked: { kind: "waiting", ...found } } : { passed: found.reason };
}

/** An entry must never point to a missing artifact, not even for a second. */
function artifactBlocker({ module: name, version }: ChannelEntry, module: ModuleInput): MoveBlocker | undefined {
  const artifact = artifactOf(module.input.artifacts, name, version);
  switch (artifact?.kind) {
    case undefined:
    case "present":
      return undefined;
    case "missing":
      return {
        kind: "refused",
        refusal: "artifact-missing",
        reason: missingText(artifact),
        remedy: ARTIFACT_REMEDY,
      };
    case "unknown":
      // A withdrawal to a version that was served before does not wait for a registry that is down.
      if (hasHad(version, module) && !isSwitched(module.input)) return undefined;
      return {
        kind: "waiting",
        reason: `it is unknown whether the artifact of ${version} exists: ${artifact.because}`,
        isUnknown: true,
      };
  }
}

/**
 * Refuses to bring a version back whose artifact lifecycle-manager does not find, also one that another client removed:
 * its Kymas would go to Error.
 */
function lostArtifact(version: string, { module, input }: ModuleInput): readonly FoundRefusal[] {
  const artifact = artifactOf(input.artifacts, module, version);
  if (artifact?.kind === "missing") return [["artifact-missing", missingText(artifact), ARTIFACT_REMEDY]];
  if (artifact?.kind !== "unknown" || !isSwitched(input)) return [];
  const reason = `It is unknown whether this generation of lifecycle-manager finds the artifact of ${version}: ${artifact.because}`;
  return [["artifact-missing", reason, ARTIFACT_REMEDY]];
}

/** Whether the set was made for another generation of lifecycle-manager, which read other artifacts. */
function isSwitched({ live, desired }: ModuleInput["input"]): boolean {
  const before = live.parent?.metadata.annotations?.[CLAIM_ANNOTATIONS.generation];
  return before !== undefined && before !== desired.target.generation;
}

/** What an entry serves while it does not move, and what is told of it if another client changed that. */
interface ServedMeanwhile {
  readonly serves: string | undefined;
  readonly told: { readonly setBack?: SetBack };
}

/** What an entry serves if it does not move: the version that we last applied, unless that would harm users. */
export function stay({ step, applied }: AppliedCase, module: ModuleInput, blockers: Blockers): ServedMeanwhile {
  const serves = servedMeanwhile({ step, applied }, module, blockers);
  if (serves === undefined || serves === step.from) return { serves, told: {} };
  return { serves, told: { setBack: { version: serves, ...usersIfLowered(step, { version: serves }, module) } } };
}

type AppliedCase = Pick<EntryCase, "step" | "applied">;

/** The same for an entry that is not removed meanwhile: without a record, it stays as it is. */
export function stayAsApplied(one: AppliedCase, module: ModuleInput, blockers: Blockers): ServedMeanwhile {
  return one.applied === undefined ? { serves: one.step.from, told: {} } : stay(one, module, blockers);
}

function servedMeanwhile(
  { step, applied }: AppliedCase,
  module: ModuleInput,
  { meta, flip }: Blockers,
): string | undefined {
  const { from } = step;
  // Brought back, an entry that is not live would change the kind of the module.
  if (applied === from || meta !== undefined || (flip !== undefined && from === undefined)) return from;
  // An entry without a record may be removed. A mandatory one stays, because only it prevents a downgrade.
  if (applied === undefined) return !step.mandatory && refusalsOfRemoval(step, module).length === 0 ? undefined : from;
  return refusalToRestore(step, applied, module) === undefined ? applied : from;
}

/** Why an entry may not be set back to the version that we last applied; `undefined`: that harms no user. */
export function refusalToRestore(step: EntryStep, applied: string, module: ModuleInput): FoundRefusal | undefined {
  const live = templateOf(applied, step.channel, module);
  const template = knownTemplate(applied, step.channel, module) ?? live;
  if (template === undefined) {
    const reason = `The template of ${module.module} ${applied} is gone, and neither the repository nor its history has it.`;
    const remedy = `Add modules/${module.module}/${applied}/template.yaml; or fetch the whole history, if the clone is shallow.`;
    return ["template-missing", reason, remedy];
  }
  const isOwn = live !== undefined && isOurs(live, module.input);
  if (live !== undefined && (live.metadata.deletionTimestamp !== undefined || !isOwn)) {
    const reason = `ModuleTemplate ${live.metadata.name} is being deleted, or is not ours.`;
    return ["not-ours", reason, "Wait until it is gone, or take it over: sync --adopt."];
  }
  // Users would get the live template, with any restrictions that a person set by hand; or none, if its content is not known.
  const judged = judgeDesired(template, live, module);
  if (judged.kind === "refused") return [judged.refusal, judged.reason, judged.remedy];
  const target = { version: applied, template, before: [template] };
  return [...lostArtifact(applied, module), ...refusalsOfMove({ ...step, to: applied }, target, module)][0];
}
