import { composeReleaseMeta, releaseMetaVersions } from "../../catalogue/compile.ts";
import { describeUsers, named } from "../../fleet/users.ts";
import { type KubernetesObject, RESOURCES } from "../../kubernetes/object.ts";
import { changedTerms, type ModuleTerms, readReleaseMeta, termsOf } from "../../kubernetes/releaseMeta.ts";
import type { EntryDecision } from "./entries.ts";
import { ARTIFACT_REMEDY, artifactOf, isOurs, missingText } from "./input.ts";
import type { ItemOf, PlanItem, Refused } from "./item.ts";
import { liveEntries, type ModuleInput, termsOnClusters } from "./moduleInput.ts";
import { blockerTo, judgeDesired, nameOf, refused } from "./object.ts";
import { entryKey, placeOfKey } from "./records.ts";
import { acceptedKey, acceptText, type FoundRefusal, restrictionRefusal, unknownUsers, usersOf } from "./refusals.ts";

/** The terms of a module after the sync, and the refused changes. */
export interface Terms {
  readonly effective: ModuleTerms;
  /** The terms to record: those that we decided on, without foreign edits that may not be reverted. */
  readonly applied: ModuleTerms | undefined;
  /** The keys of the acceptances that it needed. */
  readonly accepted: readonly string[];
  readonly refused: readonly ItemOf<"refused">[];
  /**
   * A live restriction that the repository does not want. lifecycle-manager would uninstall what is restored under it,
   * so nothing of the module is moved or restored until a person has decided.
   */
  readonly restriction: ItemOf<"refused"> | undefined;
  /** The refused change of the component. The new versions may exist in the new component only, so no entry moves. */
  readonly component: ItemOf<"refused"> | undefined;
}

/** Judges the terms of a module, which apply to every channel. A refused change leaves only its field unchanged. */
export function judgeTerms(module: ModuleInput): Terms {
  const { meta, terms, input } = module;
  const isForeign = meta !== undefined && !isOurs(meta, input) && !input.options.adopt;
  if (isForeign)
    return {
      effective: terms ?? {},
      applied: undefined,
      accepted: [],
      refused: [],
      restriction: undefined,
      component: undefined,
    };
  const before = termsBefore(module);
  return compareTerms(before, terms ?? before.recorded, module);
}

/**
 * The terms before the sync. If neither live nor recorded, the wanted terms count, so that nothing changes; but without
 * any records, clusters may have it from another component, and without restrictions.
 */
function termsBefore(module: ModuleInput): TermsBefore {
  const recorded = [...module.recorded.values()].find(({ terms }) => terms !== undefined)?.terms;
  const live = module.meta && termsOf(module.meta);
  const known = live ?? recorded ?? termsOnClusters(module) ?? module.terms ?? {};
  return { live: known, recorded: recorded ?? known };
}

/** The terms before the sync: live, and last applied by us. */
interface TermsBefore {
  readonly live: ModuleTerms;
  readonly recorded: ModuleTerms;
}

/** Refuses a change of a field relative to the terms that we applied, which users have, or else to the live ones. */
function compareTerms({ live, recorded }: TermsBefore, wanted: ModuleTerms, module: ModuleInput): Terms {
  const changed = new Set(changedTerms(recorded, wanted));
  const fields = new Set([...changed, ...changedTerms(live, wanted)]);
  const judged = [...fields].map((field) => {
    const from = changed.has(field) ? recorded[field] : live[field];
    return { field, ...judgeField(field, { from, to: wanted[field] }, module) };
  });
  const kept = judged.flatMap(({ field, found }) => (found === undefined ? [] : [{ field, found }]));
  const keep = (values: ModuleTerms): ModuleTerms => {
    const terms: ModuleTerms = { ...wanted, ...Object.fromEntries(kept.map(({ field }) => [field, values[field]])) };
    return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined && value !== null));
  };
  const object = { kind: RESOURCES.moduleReleaseMeta.kind, name: module.module };
  const items = kept.map(({ field, found }) => refused({ ...object, field: `spec.${field}` }, ...found));
  const isComponent = ({ field }: { readonly field: keyof ModuleTerms }): boolean => field === "ocmComponentName";
  return {
    effective: keep(live),
    applied: keep(recorded),
    accepted: judged.flatMap(({ accepted }) => accepted ?? []),
    refused: items,
    restriction: items[kept.findIndex((one) => !isComponent(one) && live[one.field] !== undefined)],
    component: items[kept.findIndex(isComponent)],
  };
}

/** A change of a field. */
interface TermChange {
  readonly from: unknown;
  readonly to: unknown;
}

/** Why a change of a field is refused; or the key of its acceptance, if it needs one. */
function judgeField(
  field: keyof ModuleTerms,
  change: TermChange,
  module: ModuleInput,
): { readonly found?: FoundRefusal; readonly accepted?: string } {
  const found = fieldRefusal(field, change, module);
  const key = found && acceptedKey({ refusal: found[0], module: module.module, field, ...change });
  if (found !== undefined && !module.input.gate.accepted.has(String(key))) return { found };
  const lost = field === "ocmComponentName" ? refusalWithoutArtifact(module) : undefined;
  if (lost !== undefined) return { found: lost };
  return key === undefined ? {} : { accepted: key };
}

/** Refuses another component of which a served version has no artifact, or may have none. */
function refusalWithoutArtifact(module: ModuleInput): FoundRefusal | undefined {
  const [lost] = liveEntries(module).flatMap(({ version }) => {
    const artifact = artifactOf(module.input.artifacts, module.module, version);
    return artifact === undefined || artifact.kind === "present" ? [] : [{ version, artifact }];
  });
  if (lost === undefined) return undefined;
  const { version, artifact } = lost;
  const reason =
    artifact.kind === "missing"
      ? missingText(artifact)
      : `It is unknown whether the artifact of ${version} exists in the new component: ${artifact.because}`;
  return ["artifact-missing", reason, ARTIFACT_REMEDY];
}

function fieldRefusal(
  field: keyof ModuleTerms,
  { from, to }: TermChange,
  module: ModuleInput,
): FoundRefusal | undefined {
  const [unknown] = unknownUsers("who uses it", module);
  if (unknown !== undefined) return unknown;
  if (module.users.length === 0) return undefined;
  if (field !== "ocmComponentName") return restrictionRefusal([`spec.${field}`], module);
  const reason = `With another OCM component (${textOf(from)} → ${textOf(to)}) lifecycle-manager installs ${module.module} a second time, and never removes the first.`;
  return ["component-changed", reason, `Leave it unchanged, or accept the change: ${acceptText("component-changed")}.`];
}

function textOf(component: unknown): string {
  return typeof component === "string" ? component : "none";
}

/** Judges the release meta that follows from the decisions. It is removed once the module serves nothing. */
export function judgeMeta(
  decisions: readonly EntryDecision[],
  terms: ModuleTerms,
  module: ModuleInput,
): readonly PlanItem[] {
  const { meta, input } = module;
  const { target } = input.desired;
  const served = decisions.flatMap(({ item, serves }) => (serves === undefined ? [] : [{ ...item, version: serves }]));
  if (served.length === 0) return meta === undefined ? [] : goneMeta(meta, module);
  const composed = composeReleaseMeta(module.module, releaseMetaVersions(served), terms, target);
  return [judgeDesired(composed, meta, module)];
}

/**
 * A release meta is removed or restored completely, or not at all. Its last entry stays while the module has users or
 * the release meta belongs to others, and until a removal is requested, also if only drift is left. A missing release
 * meta does not come back without an entry that has users.
 */
export function keepWhole(decisions: readonly EntryDecision[], module: ModuleInput): readonly EntryDecision[] {
  const { meta } = module;
  const isToGo = decisions.length > 0 && decisions.every(({ serves }) => serves === undefined);
  const refusal = meta === undefined ? refusalOfReturn(decisions, module) : isToGo && refusalOfLoss(meta, module);
  if (!refusal) {
    if (!isToGo || module.input.options.prune) return decisions;
    return decisions.map(({ item, serves }) =>
      item.kind === "remove" ? { item: { ...item, carriedOut: false }, serves: item.from } : { item, serves },
    );
  }
  // Entries that stay are in the live release meta, if there is one.
  return decisions.map(({ item, serves }): EntryDecision => {
    const { module: name, channel, mandatory, from, to, kind } = item;
    return kind === "remove" || kind === "create"
      ? { item: { module: name, channel, mandatory, from, to, kind: "refused", ...refusal }, serves: from }
      : { item, serves: meta === undefined ? undefined : serves };
  });
}

/**
 * lifecycle-manager remembers the versions of users whose release meta is gone, but forgets them once a new one lacks
 * their channel.
 */
function refusalOfReturn(decisions: readonly EntryDecision[], module: ModuleInput): Refused | undefined {
  const items = new Map(decisions.map(({ item }) => [entryKey(item), item]));
  const served = new Set(decisions.flatMap(({ item, serves }) => (serves === undefined ? [] : [entryKey(item)])));
  // Without records, every channel may have had an entry, also one that the repository does not serve.
  const before = module.recorded.size > 0 ? module.recorded.keys() : [...items.keys(), ...keysInUse(decisions, module)];
  const [lost] = [...new Set(before)]
    .filter((key) => served.size > 0 && !served.has(key))
    .map((key) => {
      const own = items.get(key);
      const channel = own?.channel ?? placeOfKey(key).channel;
      return { own, channel, users: usersOf(channel, module).filter((user) => user.installed !== undefined) };
    })
    .filter(({ users }) => users.length > 0);
  if (lost === undefined) return undefined;
  const { own, channel, users } = lost;
  const reason = `ModuleReleaseMeta ${module.module} is gone, and would come back without ${channel}: lifecycle-manager would forget which version its users have: ${describeUsers(named(users))}.`;
  const remedy = own?.kind === "refused" ? own.remedy : `Make it possible to serve ${channel} again.`;
  return { refusal: "user-endangered", reason, remedy };
}

/** The channels from which clusters have a version, and that lifecycle-manager remembers. A mandatory module needs none. */
function keysInUse(decisions: readonly EntryDecision[], { module, users }: ModuleInput): readonly string[] {
  if (decisions.some(({ item, serves }) => item.mandatory && serves !== undefined)) return [];
  return users
    .filter(({ version, installed }) => version !== undefined && installed !== undefined)
    .flatMap(({ condition }) => condition.channels.map((channel) => entryKey({ module, channel, mandatory: false })));
}

function refusalOfLoss(meta: KubernetesObject, { users, module, input }: ModuleInput): Refused | undefined {
  if (!isOurs(meta, input)) {
    const reason = `ModuleReleaseMeta ${module} is not ours, and all of its entries would be removed.`;
    return { refusal: "not-ours", reason, remedy: "Serve the module, or delete it by hand." };
  }
  if (users.length === 0 || readReleaseMeta(meta).mandatory !== undefined) return undefined;
  const reason = `No channel serves ${module} any more, but it has ${describeUsers(named(users))}: a removal would break them.`;
  return { refusal: "module-in-use", reason, remedy: "Let them disable the module first, or serve it again." };
}

function goneMeta(meta: KubernetesObject, module: ModuleInput): readonly PlanItem[] {
  if (!isOurs(meta, module.input)) return [];
  const object = nameOf(meta);
  const blocker = blockerTo(meta, module.input);
  if (blocker !== undefined) return [blocker];
  const [unknown] = unknownUsers("who uses it", module);
  if (unknown !== undefined) return [refused(object, ...unknown)];
  const refusal = module.noRemoval ?? refusalOfLoss(meta, module);
  if (refusal !== undefined) return [{ kind: "refused", object, ...refusal }];
  return [{ kind: "prune", object, live: meta, carriedOut: module.input.options.prune }];
}
