import type { Catalogue } from "../../catalogue/catalogue.ts";
import { type Acceptance, acceptedSteps } from "../../catalogue/policy.ts";
import { isAboveMain, parseVersion } from "../../catalogue/version.ts";
import { canonicalJson } from "../../document/canonical.ts";
import { describeUsers, type ModuleUser, named } from "../../fleet/users.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { changedRestrictions, templateRestrictions } from "../../kubernetes/releaseMeta.ts";
import { type Artifact, type Artifacts, foundArtifact, type ModuleUsers } from "./input.ts";
import type { EntryStep, EntryUsers, Refusal, Refused } from "./item.ts";
import { type EarlierRecords, entriesIn, isAbove } from "./records.ts";

/** A move of an entry, with the facts on which its harm depends. */
export interface JudgedMove {
  readonly step: EntryStep;
  readonly version: string;
  readonly template: KubernetesObject;
  /** The templates that it replaces: the live one, and the one that we last applied. */
  readonly before: readonly KubernetesObject[];
  readonly isGuardGone: boolean;
}

/** The refusals of a move that would harm clusters. */
export function moveRefusals(
  move: JudgedMove,
  users: ModuleUsers,
  artifacts: Artifacts,
): readonly (Refused | undefined)[] {
  const { step, version, isGuardGone } = move;
  const harm = step.mandatory
    ? downgradeRefusal(step, version, users, artifacts)
    : endangeringRefusal(step, version, isGuardGone, users);
  return [unknownUsers("which version they run", users), harm, templateRefusal(move, users)];
}

/** The refusal of a removal that would harm clusters. */
export function removalRefusal({ channel, mandatory }: EntryStep, users: ModuleUsers): Refused | undefined {
  const unknown = unknownUsers("who uses it there", users);
  const affected = mandatory ? users.all : channelUsers(channel, users);
  if (unknown !== undefined || affected.length === 0) return unknown;
  const who = describeUsers(named(affected));
  return mandatory
    ? {
        refusal: "mandatory-removed",
        reason: `lifecycle-manager would uninstall ${users.module} from every cluster within seconds: ${who}.`,
        remedy: "Serve it again, or accept the removal: accepts in module.yaml, with refusal mandatory-removed.",
      }
    : {
        refusal: "channel-in-use",
        reason: `The channel ${channel} would lose ${users.module}, which has ${who} there: their module would be in Error, and lifecycle-manager would forget which version they have.`,
        remedy: "Move them to another channel first, or serve it again.",
      };
}

/** The refusal of a step while the users of a module are unknown. */
export function unknownUsers(what: string, { unknown }: ModuleUsers): Refused | undefined {
  if (unknown === undefined) return undefined;
  return {
    refusal: "references-unknown",
    reason: `It is unknown ${what}: ${unknown}`,
    remedy: "Grant list on kymas and manifests; check the address.",
  };
}

/** The users that may get the module from the channel. */
export function channelUsers(channel: string, { all }: ModuleUsers): readonly ModuleUser[] {
  return all.filter(({ channels }) => channels === "every" || channels.includes(channel));
}

/** Whether lifecycle-manager keeps an installed version. An invalid version counts as kept, because it may be higher. */
function isKept(installed: string, to: string): boolean {
  return parseVersion(installed) === undefined || isAboveMain(installed, to);
}

/**
 * The users that are affected when an entry is set to `to`. If `isGuardGone`, lifecycle-manager is about to forget their
 * versions, although their status still has them.
 */
export function affectedUsers(
  { channel }: EntryStep,
  to: string,
  isGuardGone: boolean,
  users: ModuleUsers,
): EntryUsers {
  const groups = Map.groupBy(channelUsers(channel, users), ({ version, installed }): keyof EntryUsers => {
    if (installed === undefined || !isKept(installed, to)) return "behind";
    return version === undefined || isGuardGone || !isKept(version, to) ? "endangered" : "protected";
  });
  const group = (name: keyof EntryUsers): EntryUsers["behind"] => named(groups.get(name) ?? []);
  return { protected: group("protected"), endangered: group("endangered"), behind: group("behind") };
}

/**
 * Refuses a version below an installed one if lifecycle-manager no longer knows what users run: it would install it.
 */
export function endangeringRefusal(
  step: EntryStep,
  to: string,
  isGuardGone: boolean,
  users: ModuleUsers,
): Refused | undefined {
  const { endangered } = affectedUsers(step, to, isGuardGone, users);
  if (endangered.count === 0) return undefined;
  const { from } = step;
  const highest = highestInstalled(users);
  const release = releaseText("of at least", highest);
  const over = parseVersion(highest) === undefined ? "a version that may be higher" : "a higher version";
  return {
    refusal: "user-endangered",
    reason: `lifecycle-manager would install ${to} over ${over}, because it no longer knows what they run: ${describeUsers(endangered)}.`,
    remedy:
      from === undefined || from === to
        ? release
        : `Restore the template or the artifact of ${users.module} ${from}, which the release meta names, and wait until the status of the Kymas has a version again. Otherwise: ${release}`,
  };
}

/** The remedy against a lower version than the installed one, if that can be compared. */
function releaseText(relation: "of at least" | "higher than", installed: string): string {
  return parseVersion(installed) === undefined
    ? "Set spec.version in their Manifests to the version that they install."
    : `Release a version ${relation} ${installed}.`;
}

function highestInstalled({ all }: ModuleUsers): string {
  return all.flatMap((user) => user.installed ?? []).reduce((a, b) => (isAbove(b, a) ? b : a));
}

/**
 * lifecycle-manager does not protect mandatory modules from downgrades: it installs a lower version at once,
 * everywhere. A version that it could not install, and that no Manifest has, may be withdrawn.
 */
function downgradeRefusal(
  { from }: EntryStep,
  to: string,
  users: ModuleUsers,
  artifacts: Artifacts,
): Refused | undefined {
  const isInstalled = users.all.some(({ installed }) => installed !== undefined && isAbove(installed, to));
  const isLower = from !== undefined && from !== "" && isAbove(from, to);
  const isStillborn = isLower && foundArtifact(artifacts, users.module, from)?.kind === "missing";
  if (!isInstalled && (!isLower || isStillborn)) return undefined;
  const higher = isLower ? from : highestInstalled(users);
  return {
    refusal: "mandatory-downgrade",
    reason: `Mandatory modules are not protected against downgrades: ${to} would replace ${higher} at once, on every cluster.`,
    remedy: releaseText("higher than", higher),
  };
}

/** Refuses a template with other restrictions than before, which installs or uninstalls the module on clusters. */
function templateRefusal({ step, template, before }: JudgedMove, users: ModuleUsers): Refused | undefined {
  const after = templateRestrictions(template);
  const restrictions = before.length === 0 ? [{}] : before.map(templateRestrictions);
  const changed = new Set(restrictions.flatMap((one) => changedRestrictions(one, after)));
  if (changed.size === 0 || channelUsers(step.channel, users).length === 0) return undefined;
  return restrictionRefusal(
    [...changed].map((field) => `the label ${field} of ${template.metadata.name}`),
    users,
  );
}

/** The refusal to change the clusters to which a module is offered. */
export function restrictionRefusal(fields: readonly string[], { module, all }: ModuleUsers): Refused {
  return {
    refusal: "restriction-changed",
    reason: `A change of ${fields.join(" and ")} uninstalls ${module} from clusters, or installs it there, within seconds; ${describeUsers(named(all))}.`,
    remedy: "Leave it unchanged, or accept the change: accepts in module.yaml, with refusal restriction-changed.",
  };
}

/** The refusal to make a module mandatory, or no longer mandatory; `undefined`: it has no users. */
export function flipRefusal(becomesMandatory: boolean, users: ModuleUsers): Refused | undefined {
  const { module, all } = users;
  const unknown = unknownUsers("who uses it", users);
  if (unknown !== undefined || all.length === 0) return unknown;
  const change = becomesMandatory
    ? "would become mandatory, and be installed on every cluster"
    : "would no longer be mandatory, and be uninstalled from every cluster that did not enable it";
  return {
    refusal: "mandatory-flip",
    reason: `${module} ${change}; it has ${describeUsers(named(all))}.`,
    remedy: "Keep its kind, or accept the change: accepts in module.yaml, with refusal mandatory-flip.",
  };
}

/** The refusal of a version whose artifact lifecycle-manager does not find; with another reason if that is not known. */
export function artifactRefusal(artifact: Exclude<Artifact, { kind: "present" }>, unknown: string): Refused {
  const reason =
    artifact.kind === "missing"
      ? `lifecycle-manager would find no OCM component version that it can install: ${artifact.where}. It would forget which version its users have.`
      : `It is unknown whether ${unknown}: ${artifact.because}`;
  return { refusal: "artifact-missing", reason, remedy: "Push it, or correct registry." };
}

/** Judges a step: it is refused unless every refusal was accepted. Returns the first other one, and the acceptances. */
export function judgeStep(
  { module, channel, from, to }: EntryStep,
  found: readonly (Refused | undefined)[],
  accepted: ReadonlySet<string>,
): { readonly refused: Refused | undefined; readonly accepted: readonly string[] } {
  const refusals = found.filter((refused) => refused !== undefined);
  const keys = refusals.map(({ refusal }) => acceptedKey({ refusal, module, channel, from, to }));
  const first = keys.findIndex((key) => !accepted.has(key));
  return first === -1
    ? { refused: undefined, accepted: keys }
    : { refused: refusals[first], accepted: keys.slice(0, first) };
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
