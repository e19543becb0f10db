import type { ChannelEntry } from "../../catalogue/compile.ts";
import { compareVersions, parseVersion } from "../../catalogue/version.ts";
import { describeUsers, named, type ModuleUser } from "../../fleet/users.ts";
import { changedRestrictions, templateRestrictions } from "../../kubernetes/releaseMeta.ts";
import { artifactOf } from "./artifacts.ts";
import { acceptedKey, type RefusedStep } from "./gate.ts";
import type { EntryStep, EntryUsers, Refusal, Refused } from "./item.ts";
import { templateOf, type ModuleInput } from "./moduleInput.ts";
import { entryKey } from "./records.ts";

/** What refuses a step, and by which acceptances it is taken nevertheless. */
export interface StepJudgement {
  readonly refused: Refused | undefined;
  readonly accepted: readonly string[];
}

/** A refusal that was found, before it is known whether a person accepted it. */
export type FoundRefusal = readonly [refusal: Refusal, reason: string, remedy: string];

/** What was found, as a decision. */
export function asRefused([refusal, reason, remedy]: FoundRefusal): Refused {
  return { refusal, reason, remedy };
}

/** Whether nothing refuses `step`, or somebody accepted each thing that does. */
export function judgeStep(
  step: EntryStep,
  found: readonly FoundRefusal[],
  { module, input }: ModuleInput,
): StepJudgement {
  const accepted: string[] = [];
  for (const one of found) {
    const key = acceptedKey({ refusal: one[0], module, channel: step.channel, from: step.from, to: step.to });
    if (!input.gate.accepted.has(key)) return { refused: asRefused(one), accepted };
    accepted.push(key);
  }
  return { refused: undefined, accepted };
}

/** Whether the change of a field of a module was accepted. */
export function isFieldAccepted(step: Extract<RefusedStep, { field: string }>, { input }: ModuleInput): boolean {
  return input.gate.accepted.has(acceptedKey(step));
}

/** What an entry is set to. */
export interface EntryTarget {
  readonly version: string;
  readonly template: ChannelEntry["template"];
  /** The templates that it takes the place of: as it is live, and as we applied it last. */
  readonly before: readonly ChannelEntry["template"][];
}

/** What would hurt clusters if an entry were set to a version. */
export function refusalsOfMove(step: EntryStep, wanted: EntryTarget, module: ModuleInput): readonly FoundRefusal[] {
  return [
    ...unknownUsers("which version they run", module),
    ...(step.mandatory ? downgrade(step, wanted.version, module) : endangered(step, wanted.version, module)),
    ...restriction(step, wanted, module),
  ];
}

/** What would hurt clusters if an entry went. */
export function refusalsOfRemoval(step: EntryStep, module: ModuleInput): readonly FoundRefusal[] {
  const unknown = unknownUsers("who uses it there", module);
  if (unknown.length > 0) return unknown;
  const { channel } = step;
  if (step.mandatory) {
    if (module.users.length === 0) return [];
    const reason = `lifecycle-manager would uninstall ${module.module} from every cluster within seconds: ${describeUsers(named(module.users))}.`;
    return [["mandatory-removed", reason, `Serve it again, or have it accepted: ${acceptText("mandatory-removed")}.`]];
  }
  const users = usersOf(channel, module);
  if (users.length === 0) return [];
  const reason = `The channel ${channel} would lose ${module.module}, which has ${describeUsers(named(users))} there: their module would be in Error, and lifecycle-manager would forget which version they have.`;
  return [["channel-in-use", reason, "Move them to another channel first, or serve it again."]];
}

/** Refuses to touch what may have users: who may not list them cannot know. */
export function unknownUsers(what: string, { input }: ModuleInput): readonly FoundRefusal[] {
  if (input.users.kind === "known") return [];
  const reason = `It is unknown ${what}: ${input.users.because}`;
  return [["references-unknown", reason, "Grant list on kymas and manifests; check the address."]];
}

/** Who may get the module from the channel. */
export function usersOf(channel: string, { users }: ModuleInput): readonly ModuleUser[] {
  return users.filter(({ channels }) => channels === "every" || channels.includes(channel));
}

/** Whether `version` is above `limit`; one that is not a version is above all: it is not known to be low. */
export function isAbove(version: string, limit: string): boolean {
  const [left, right] = [parseVersion(version), parseVersion(limit)];
  return left === undefined || right === undefined || compareVersions(left, right) > 0;
}

/** Who is concerned when an entry is set to `to`. */
export function concerned(step: EntryStep, to: string, module: ModuleInput): EntryUsers {
  const isGone = isGuardGone(step, module);
  const groups = Map.groupBy(usersOf(step.channel, module), ({ version, installed }): keyof EntryUsers => {
    if (installed === undefined || !isAbove(installed, to)) return "behind";
    return version === undefined || isGone || !isAbove(version, to) ? "endangered" : "protected";
  });
  const group = (name: keyof EntryUsers): EntryUsers["behind"] => named(groups.get(name) ?? []);
  return { protected: group("protected"), endangered: group("endangered"), behind: group("behind") };
}

/**
 * Whether lifecycle-manager is about to forget which version the users of an entry have, though their status still says
 * it: the template is gone, or the entry itself that we applied.
 */
function isGuardGone(step: EntryStep, module: ModuleInput): boolean {
  if (step.from === undefined) return module.recorded.has(entryKey(step)) && !isMetaGone(module);
  return templateOf(step.from, step.channel, module) === undefined;
}

/** A release meta that is gone as a whole, and comes back, leaves lifecycle-manager's memory as it was. */
function isMetaGone({ meta, input }: ModuleInput): boolean {
  return meta === undefined && input.desired.target.generation === "version-templates";
}

/** lifecycle-manager lowers a module whose version its Kyma does not say. */
export function endangered(step: EntryStep, to: string, module: ModuleInput): readonly FoundRefusal[] {
  const users = concerned(step, to, module).endangered;
  if (users.count === 0) return [];
  const highest = highestInstalled(module);
  const restore =
    step.from === undefined || step.from === to
      ? ""
      : `Restore what the release meta names: the template or the artifact of ${module.module} ${step.from}; and wait until the Kymas say a version again. `;
  const reason = `lifecycle-manager would install ${to} over a higher version, since it no longer knows what they run: ${describeUsers(users)}.`;
  return [["user-endangered", reason, `${restore}Or release a version of at least ${highest}.`]];
}

function highestInstalled({ users }: ModuleInput): string {
  const installed = users.flatMap((user) => user.installed ?? []);
  return installed.reduce((a, b) => (isAbove(b, a) ? b : a));
}

/**
 * lifecycle-manager guards mandatory modules against nothing: it installs a lower version at once, everywhere. A version
 * that it could not install, and that no Manifest says, may be taken back.
 */
function downgrade(step: EntryStep, to: string, module: ModuleInput): readonly FoundRefusal[] {
  const { from } = step;
  const installed = module.users.filter((user) => user.installed !== undefined && isAbove(user.installed, to));
  const isLower = from !== undefined && from !== "" && isAbove(from, to);
  const isStillborn = isLower && artifactOf(module.input.artifacts, module.module, from)?.kind === "missing";
  if (installed.length === 0 && (!isLower || isStillborn)) return [];
  const higher = isLower ? from : highestInstalled(module);
  const reason = `Mandatory modules are not protected against downgrades: ${to} would replace ${higher} at once, on every cluster.`;
  return [["mandatory-downgrade", reason, `Release a version higher than ${higher}.`]];
}

/** A template that is offered to other clusters than the one before uninstalls the module, or installs it. */
function restriction(
  { channel }: EntryStep,
  { template, before }: EntryTarget,
  module: ModuleInput,
): readonly FoundRefusal[] {
  if (usersOf(channel, module).length === 0) return [];
  const after = templateRestrictions(template);
  const restrictions = before.length === 0 ? [{}] : before.map(templateRestrictions);
  const changed = [...new Set(restrictions.flatMap((one) => changedRestrictions(one, after)))];
  if (changed.length === 0) return [];
  return [
    restrictionRefusal(
      changed.map((field) => `the label ${field} of ${template.metadata.name}`),
      module,
    ),
  ];
}

/** The refusal to offer a module to other clusters than now. */
export function restrictionRefusal(fields: readonly string[], { module, users }: ModuleInput): FoundRefusal {
  const reason = `A change of ${fields.join(" and ")} uninstalls ${module} from clusters, or installs it there, within seconds; ${describeUsers(named(users))}.`;
  return [
    "restriction-changed",
    reason,
    `Leave it as it is, or have it accepted: ${acceptText("restriction-changed")}.`,
  ];
}

/** How a refusal is accepted. */
export function acceptText(refusal: Refusal): string {
  return `accepts in module.yaml, with refusal ${refusal}`;
}
