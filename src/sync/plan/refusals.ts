import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { ChannelEntry } from "../../catalogue/compile.ts";
import { type Acceptance, acceptedSteps } from "../../catalogue/policy.ts";
import { compareVersions, isAboveMain, parseVersion } from "../../catalogue/version.ts";
import { canonicalJson } from "../../document/canonical.ts";
import { describeUsers, type ModuleUser, named } from "../../fleet/users.ts";
import { changedRestrictions, templateRestrictions } from "../../kubernetes/releaseMeta.ts";
import { artifactOf } from "./input.ts";
import type { EntryStep, EntryUsers, Refusal, Refused } from "./item.ts";
import { type ModuleInput, templateOf } from "./moduleInput.ts";
import { type EarlierRecords, entriesIn, entryKey } from "./records.ts";

/** The refusal of a step, or the acceptances that override its refusals. */
interface StepJudgement {
  readonly refused: Refused | undefined;
  readonly accepted: readonly string[];
}

/** A refusal, before acceptances are considered. */
export type FoundRefusal = readonly [refusal: Refusal, reason: string, remedy: string];

/** Turns a found refusal into a decision. */
export function asRefused([refusal, reason, remedy]: FoundRefusal): Refused {
  return { refusal, reason, remedy };
}

/** Judges a step: it is refused unless every found refusal was accepted. */
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

/** The target of a move. */
interface EntryTarget {
  readonly version: string;
  readonly template: ChannelEntry["template"];
  /** The templates that it replaces: the live one, and the one that we last applied. */
  readonly before: readonly ChannelEntry["template"][];
}

/** The refusals of a move that would harm clusters. */
export function refusalsOfMove(step: EntryStep, wanted: EntryTarget, module: ModuleInput): readonly FoundRefusal[] {
  return [
    ...unknownUsers("which version they run", module),
    ...(step.mandatory ? downgrade(step, wanted.version, module) : endangered(step, wanted.version, module)),
    ...restriction(step, wanted, module),
  ];
}

/** The refusals of a removal that would harm clusters. */
export function refusalsOfRemoval(step: EntryStep, module: ModuleInput): readonly FoundRefusal[] {
  const unknown = unknownUsers("who uses it there", module);
  if (unknown.length > 0) return unknown;
  const { channel } = step;
  if (step.mandatory) {
    if (module.users.length === 0) return [];
    const reason = `lifecycle-manager would uninstall ${module.module} from every cluster within seconds: ${describeUsers(named(module.users))}.`;
    return [
      ["mandatory-removed", reason, `Serve it again, or accept the removal: ${acceptText("mandatory-removed")}.`],
    ];
  }
  const users = usersOf(channel, module);
  if (users.length === 0) return [];
  const reason = `The channel ${channel} would lose ${module.module}, which has ${describeUsers(named(users))} there: their module would be in Error, and lifecycle-manager would forget which version they have.`;
  return [["channel-in-use", reason, "Move them to another channel first, or serve it again."]];
}

/** Refuses steps while the users of modules are unknown. */
export function unknownUsers(what: string, { input }: ModuleInput): readonly FoundRefusal[] {
  if (input.users.kind === "known") return [];
  const reason = `It is unknown ${what}: ${input.users.because}`;
  return [["references-unknown", reason, "Grant list on kymas and manifests; check the address."]];
}

/** The users that may get the module from the channel. */
export function usersOf(channel: string, { users }: ModuleInput): readonly ModuleUser[] {
  return users.filter(({ channels }) => channels === "every" || channels.includes(channel));
}

/** Whether `version` is above `limit`. An invalid version counts as above, because it is not known to be low. */
export function isAbove(version: string, limit: string): boolean {
  const [left, right] = [parseVersion(version), parseVersion(limit)];
  return left === undefined || right === undefined || compareVersions(left, right) > 0;
}

/** Whether lifecycle-manager keeps an installed version. An invalid version counts as kept, because it may be higher. */
function isKept(installed: string, to: string): boolean {
  return parseVersion(installed) === undefined || isAboveMain(installed, to);
}

/** The users that are affected when an entry is set to `to`. */
export function concerned(step: EntryStep, to: string, module: ModuleInput): EntryUsers {
  const isGone = isGuardGone(step, module);
  const groups = Map.groupBy(usersOf(step.channel, module), ({ version, installed }): keyof EntryUsers => {
    if (installed === undefined || !isKept(installed, to)) return "behind";
    return version === undefined || isGone || !isKept(version, to) ? "endangered" : "protected";
  });
  const group = (name: keyof EntryUsers): EntryUsers["behind"] => named(groups.get(name) ?? []);
  return { protected: group("protected"), endangered: group("endangered"), behind: group("behind") };
}

/**
 * Whether lifecycle-manager is about to forget the versions of the users of an entry, although their status still has
 * them: the template is gone, or the entry that we applied.
 */
function isGuardGone(step: EntryStep, module: ModuleInput): boolean {
  const { meta, input, recorded } = module;
  if (step.from !== undefined) return templateOf(step.from, step.channel, module) === undefined;
  // If the whole release meta is missing, lifecycle-manager still remembers the versions when it comes back.
  const isMetaGone = meta === undefined && input.desired.target.generation === "version-templates";
  return recorded.has(entryKey(step)) && !isMetaGone;
}

/**
 * Refuses a version below an installed one if lifecycle-manager no longer knows what users run: it would install it.
 */
export function endangered(step: EntryStep, to: string, module: ModuleInput): readonly FoundRefusal[] {
  const users = concerned(step, to, module).endangered;
  if (users.count === 0) return [];
  const { from } = step;
  const highest = highestInstalled(module);
  const release = releaseText("of at least", highest);
  const remedy =
    from === undefined || from === to
      ? release
      : `Restore the template or the artifact of ${module.module} ${from}, which the release meta names, and wait until the status of the Kymas has a version again. Otherwise: ${release}`;
  const over = parseVersion(highest) === undefined ? "a version that may be higher" : "a higher version";
  const reason = `lifecycle-manager would install ${to} over ${over}, because it no longer knows what they run: ${describeUsers(users)}.`;
  return [["user-endangered", reason, remedy]];
}

/** The remedy against a lower version than the installed one, if that can be compared. */
function releaseText(relation: "of at least" | "higher than", installed: string): string {
  return parseVersion(installed) === undefined
    ? "Set spec.version in their Manifests to the version that they install."
    : `Release a version ${relation} ${installed}.`;
}

function highestInstalled({ users }: ModuleInput): string {
  const installed = users.flatMap((user) => user.installed ?? []);
  return installed.reduce((a, b) => (isAbove(b, a) ? b : a));
}

/**
 * lifecycle-manager does not protect mandatory modules from downgrades: it installs a lower version at once,
 * everywhere. A version that it could not install, and that no Manifest has, may be withdrawn.
 */
function downgrade(step: EntryStep, to: string, module: ModuleInput): readonly FoundRefusal[] {
  const { from } = step;
  const installed = module.users.filter((user) => user.installed !== undefined && isAbove(user.installed, to));
  const isLower = from !== undefined && from !== "" && isAbove(from, to);
  const isStillborn = isLower && artifactOf(module.input.artifacts, module.module, from)?.kind === "missing";
  if (installed.length === 0 && (!isLower || isStillborn)) return [];
  const higher = isLower ? from : highestInstalled(module);
  const reason = `Mandatory modules are not protected against downgrades: ${to} would replace ${higher} at once, on every cluster.`;
  return [["mandatory-downgrade", reason, releaseText("higher than", higher)]];
}

/** Refuses a template with other restrictions than before, which installs or uninstalls the module on clusters. */
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

/** The refusal to change the clusters to which a module is offered. */
export function restrictionRefusal(fields: readonly string[], { module, users }: ModuleInput): FoundRefusal {
  const reason = `A change of ${fields.join(" and ")} uninstalls ${module} from clusters, or installs it there, within seconds; ${describeUsers(named(users))}.`;
  return [
    "restriction-changed",
    reason,
    `Leave it unchanged, or accept the change: ${acceptText("restriction-changed")}.`,
  ];
}

/** Explains how to accept a refusal. */
export function acceptText(refusal: Refusal): string {
  return `accepts in module.yaml, with refusal ${refusal}`;
}

/** A refused step of an entry, or a refused change of a field. */
export type RefusedStep = { readonly refusal: Refusal; readonly module: string } & (
  | { readonly channel: string; readonly from: string | undefined; readonly to: string | undefined }
  | { readonly field: string; readonly from: unknown; readonly to: unknown }
);

/** The key of an acceptance. */
export function acceptedKey(step: RefusedStep): string {
  const { refusal, module, from, to } = step;
  return canonicalJson([refusal, module, "field" in step ? step.field : step.channel, from ?? null, to ?? null]);
}

/** The acceptances that are valid now, and those that an earlier landscape recorded for the same step. */
export function validAcceptances(
  { modules }: Pick<Catalogue, "modules">,
  earlier: Iterable<EarlierRecords>,
  nowMs: number,
): ReadonlySet<string> {
  const records = [...earlier].flatMap((one) => [...entriesIn(one).values()]);
  const recorded = new Set(records.flatMap(({ current }) => current?.accepted ?? []));
  const keys = [...modules.values()].flatMap((module) =>
    (module.says.accepts ?? [])
      .filter(({ refusal }) => !NEVER_ACCEPTED.has(refusal))
      .flatMap((acceptance) => {
        const isValid = Date.parse(acceptance.until) > nowMs;
        return acceptanceKeys(module.name, acceptance).filter((key) => isValid || recorded.has(key));
      }),
  );
  return new Set(keys);
}

/** Unknown facts, a missing artifact and a foreign set cannot be accepted. */
const NEVER_ACCEPTED: ReadonlySet<string> = new Set<Refusal>(["references-unknown", "artifact-missing", "other-set"]);

function acceptanceKeys(module: string, acceptance: Acceptance): readonly string[] {
  const refusal = acceptance.refusal as Refusal;
  const { channel, field, from, to } = acceptance;
  if (field !== undefined) return [acceptedKey({ refusal, module, field, from, to })];
  return acceptedSteps({ from, to }).map(([before, after]) =>
    acceptedKey({ refusal, module, channel, from: before ?? undefined, to: after ?? undefined }),
  );
}
