import { composeReleaseMeta, releaseMetaVersions } from "../../catalogue/compile.ts";
import { describeUsers, named } from "../../fleet/users.ts";
import { type KubernetesObject, RESOURCES } from "../../kubernetes/object.ts";
import { changedTerms, type ModuleTerms, readReleaseMeta, releaseTerms } from "../../kubernetes/releaseMeta.ts";
import { judgeDesired, writeBlocker } from "./difference.ts";
import { foundArtifact, isOurs } from "./input.ts";
import { type ItemOf, objectName, type PlanItem, type Refused } from "./item.ts";
import type { EntryDecision } from "./moves.ts";
import { entryKey, placeOfKey } from "./records.ts";
import { acceptedKey, artifactRefusal, channelUsers, restrictionRefusal, unknownUsers } from "./refusals.ts";
import { type ModuleState, termsOnClusters } from "./state.ts";

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
  readonly restriction?: ItemOf<"refused"> | undefined;
  /** The refused change of the component. The new versions may exist in the new component only, so no entry moves. */
  readonly component?: ItemOf<"refused"> | undefined;
}

/**
 * Judges the terms of a module, which apply to every channel. A refused change leaves only its field unchanged. If they
 * are neither live nor recorded, the wanted terms count as those before, so that nothing changes; but without any
 * records, clusters may have it from another component, and without restrictions.
 */
export function judgeTerms(state: ModuleState): Terms {
  const { meta, terms = {}, options } = state;
  if (meta !== undefined && !isOurs(meta, state) && !options.adopt)
    return { effective: terms, applied: undefined, accepted: [], refused: [] };
  const [last] = [...state.recorded.values()].flatMap((record) => record.terms ?? []);
  const live = meta === undefined ? (last ?? termsOnClusters(state) ?? terms) : releaseTerms(meta);
  const recorded = last ?? live;
  return compareTerms(live, recorded, state.terms ?? recorded, state);
}

/** Refuses a change of a field relative to the terms that we applied, which users have, or else to the live ones. */
function compareTerms(live: ModuleTerms, recorded: ModuleTerms, wanted: ModuleTerms, state: ModuleState): Terms {
  const changed = new Set(changedTerms(recorded, wanted));
  const judged = [...new Set([...changed, ...changedTerms(live, wanted)])].map((field) => {
    const from = changed.has(field) ? recorded[field] : live[field];
    return { field, ...judgeField(field, from, wanted[field], state) };
  });
  const kept = judged.flatMap(({ field, found }) => (found === undefined ? [] : [{ field, found }]));
  const keep = (values: ModuleTerms): ModuleTerms => {
    const terms: ModuleTerms = { ...wanted, ...Object.fromEntries(kept.map(({ field }) => [field, values[field]])) };
    return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined && value !== null));
  };
  const { kind } = RESOURCES.moduleReleaseMeta;
  const refused = kept.map(({ field, found }): ItemOf<"refused"> => {
    return { kind: "refused", object: { kind, name: state.module, field: `spec.${field}` }, ...found };
  });
  return {
    effective: keep(live),
    applied: keep(recorded),
    accepted: judged.flatMap(({ accepted }) => accepted ?? []),
    refused,
    restriction: refused[kept.findIndex(({ field }) => field !== COMPONENT && live[field] !== undefined)],
    component: refused[kept.findIndex(({ field }) => field === COMPONENT)],
  };
}

const COMPONENT = "ocmComponentName";

/** Why a change of a field is refused; or the key of its acceptance, if it needs one. */
function judgeField(
  field: keyof ModuleTerms,
  from: unknown,
  to: unknown,
  state: ModuleState,
): { readonly found?: Refused; readonly accepted?: string } {
  const { module, users, gate } = state;
  const unknown = unknownUsers("who uses it", users);
  const isUnused = users.all.length === 0;
  const change =
    field === COMPONENT ? componentRefusal(from, to, module) : restrictionRefusal([`spec.${field}`], users);
  const found = unknown ?? (isUnused ? undefined : change);
  const key = found && acceptedKey({ refusal: found.refusal, module, field, from, to });
  if (found !== undefined && !gate.accepted.has(String(key))) return { found };
  const lost = field === COMPONENT ? lostArtifact(state) : undefined;
  if (lost !== undefined) return { found: lost };
  return key === undefined ? {} : { accepted: key };
}

/** Refuses another component of which a served version has no artifact, or may have none. */
function lostArtifact({ module, entries, artifacts }: ModuleState): Refused | undefined {
  for (const { version } of entries) {
    const artifact = foundArtifact(artifacts, module, version);
    if (artifact !== undefined && artifact.kind !== "present")
      return artifactRefusal(artifact, `the artifact of ${version} exists in the new component`);
  }
  return undefined;
}

function componentRefusal(from: unknown, to: unknown, module: string): Refused {
  const [before, after] = [from, to].map((name) => (typeof name === "string" ? name : "none"));
  return {
    refusal: "component-changed",
    reason: `With another OCM component (${before} → ${after}) lifecycle-manager installs ${module} a second time, and never removes the first.`,
    remedy: "Leave it unchanged, or accept the change: accepts in module.yaml, with refusal component-changed.",
  };
}

/** Judges the release meta that follows from the decisions. It is removed once the module serves nothing. */
export function judgeReleaseMeta(
  decisions: readonly EntryDecision[],
  terms: ModuleTerms,
  state: ModuleState,
): readonly PlanItem[] {
  const { module, meta, users, desired, options, noRemoval } = state;
  const served = decisions.flatMap(({ item, serves }) => (serves === undefined ? [] : [{ ...item, version: serves }]));
  if (served.length > 0)
    return [judgeDesired(composeReleaseMeta(module, releaseMetaVersions(served), terms, desired.target), meta, state)];
  if (meta === undefined || !isOurs(meta, state)) return [];
  const object = objectName(meta);
  const blocker = writeBlocker(meta, state);
  if (blocker !== undefined) return [blocker];
  const refused = unknownUsers("who uses it", users) ?? noRemoval ?? lossRefusal(meta, state);
  if (refused !== undefined) return [{ kind: "refused", object, ...refused }];
  return [{ kind: "prune", object, live: meta, carriedOut: options.prune }];
}

/**
 * A release meta is removed or restored completely, or not at all. Its last entry stays while the module has users or
 * the release meta belongs to others, and until a removal is requested, also if only drift is left. A missing release
 * meta does not come back without an entry that has users.
 */
export function keepWhole(decisions: readonly EntryDecision[], state: ModuleState): readonly EntryDecision[] {
  const { meta } = state;
  const isToGo = decisions.length > 0 && decisions.every(({ serves }) => serves === undefined);
  const refused = meta === undefined ? returnRefusal(decisions, state) : isToGo && lossRefusal(meta, state);
  if (!refused) {
    if (!isToGo || state.options.prune) return decisions;
    return decisions.map(({ item, serves }) =>
      item.kind === "remove" ? { item: { ...item, carriedOut: false }, serves: item.from } : { item, serves },
    );
  }
  // Entries that stay are in the live release meta, if there is one.
  return decisions.map(({ item, serves }): EntryDecision => {
    const { module, channel, mandatory, from, to, kind } = item;
    return kind === "remove" || kind === "create"
      ? { item: { module, channel, mandatory, from, to, kind: "refused", ...refused }, serves: from }
      : { item, serves: meta === undefined ? undefined : serves };
  });
}

/**
 * lifecycle-manager remembers the versions of users whose release meta is gone, but forgets them once a new one lacks
 * their channel.
 */
function returnRefusal(decisions: readonly EntryDecision[], state: ModuleState): Refused | undefined {
  const { module, recorded, users } = state;
  const items = new Map(decisions.map(({ item }) => [entryKey(item), item]));
  const served = new Set(decisions.flatMap(({ item, serves }) => (serves === undefined ? [] : [entryKey(item)])));
  if (served.size === 0) return undefined;
  // Without records, every channel may have had an entry, also one that the repository does not serve.
  const before = recorded.size > 0 ? recorded.keys() : [...items.keys(), ...keysInUse(decisions, state)];
  for (const key of new Set(before)) {
    if (served.has(key)) continue;
    const own = items.get(key);
    const channel = own?.channel ?? placeOfKey(key).channel;
    const having = channelUsers(channel, users).filter(({ installed }) => installed !== undefined);
    if (having.length === 0) continue;
    return {
      refusal: "user-endangered",
      reason: `ModuleReleaseMeta ${module} is gone, and would come back without ${channel}: lifecycle-manager would forget which version its users have: ${describeUsers(named(having))}.`,
      remedy: own?.kind === "refused" ? own.remedy : `Make it possible to serve ${channel} again.`,
    };
  }
  return undefined;
}

/** The channels from which clusters have a version, and that lifecycle-manager remembers. A mandatory module needs none. */
function keysInUse(decisions: readonly EntryDecision[], { module, users }: ModuleState): readonly string[] {
  if (decisions.some(({ item, serves }) => item.mandatory && serves !== undefined)) return [];
  return users.all
    .filter(({ version, installed }) => version !== undefined && installed !== undefined)
    .flatMap(({ condition }) => condition.channels.map((channel) => entryKey({ module, channel, mandatory: false })));
}

function lossRefusal(meta: KubernetesObject, state: ModuleState): Refused | undefined {
  const { module, users } = state;
  if (!isOurs(meta, state))
    return {
      refusal: "not-ours",
      reason: `ModuleReleaseMeta ${module} is not ours, and all of its entries would be removed.`,
      remedy: "Serve the module, or delete it by hand.",
    };
  if (users.all.length === 0 || readReleaseMeta(meta).mandatory !== undefined) return undefined;
  return {
    refusal: "module-in-use",
    reason: `No channel serves ${module} any more, but it has ${describeUsers(named(users.all))}: a removal would break them.`,
    remedy: "Let them disable the module first, or serve it again.",
  };
}
