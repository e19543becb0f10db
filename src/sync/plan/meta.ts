import { composeReleaseMeta, type ModuleTerms } from "../../catalogue/compile.ts";
import { describeUsers, named } from "../../fleet/users.ts";
import { isOurs } from "../../kubernetes/applySet.ts";
import { RESOURCES, type KubernetesObject } from "../../kubernetes/object.ts";
import { changedRestrictions, readReleaseMeta, RESTRICTIONS } from "../../kubernetes/releaseMeta.ts";
import type { EntryDecision } from "./entries.ts";
import type { ItemOf, PlanItem, Refused } from "./item.ts";
import { liveEntries, type ModuleInput } from "./moduleInput.ts";
import { judgeDesired, nameOf, obstacleTo, refused } from "./object.ts";
import { MANDATORY, placeOfKey } from "./records.ts";
import {
  acceptText,
  isFieldAccepted,
  restrictionRefusal,
  unknownUsers,
  usersOf,
  type FoundRefusal,
} from "./refusals.ts";

/** A module that becomes mandatory is installed everywhere; one that ceases to be is uninstalled where that was not asked for it. */
export function flipOf(module: ModuleInput): FoundRefusal | undefined {
  const [first] = module.wanted;
  if (first === undefined || !kindsBefore(module).has(!first.mandatory)) return undefined;
  return flipRefusal(first.mandatory, module);
}

/** Whether the module is mandatory by what is live, and by what we recorded: either may be gone. */
function kindsBefore(module: ModuleInput): ReadonlySet<boolean> {
  return new Set([
    ...liveEntries(module).map(({ mandatory }) => mandatory),
    ...[...module.recorded.keys()].map((key) => key === `${MANDATORY}/${module.module}`),
  ]);
}

/** The refusal to make a module mandatory, or to let it cease to be; `undefined` where nobody uses it. */
export function flipRefusal(becomesMandatory: boolean, module: ModuleInput): FoundRefusal | undefined {
  const [unknown] = unknownUsers("who uses it", module);
  if (unknown !== undefined || module.users.length === 0) return unknown;
  const users = describeUsers(named(module.users));
  const reason = becomesMandatory
    ? `${module.module} would become mandatory, and be installed on every cluster; it has ${users}.`
    : `${module.module} would no longer be mandatory, and be uninstalled from every cluster that did not enable it; it has ${users}.`;
  return ["mandatory-flip", reason, `Keep its kind, or have it accepted: ${acceptText("mandatory-flip")}.`];
}

/** What holds for a module, and what may not come to hold. */
export interface Terms {
  readonly effective: ModuleTerms;
  /** What is to be recorded: what we decided on, and not what someone else wrote and may not be put right. */
  readonly applied: ModuleTerms | undefined;
  readonly refused: readonly ItemOf<"refused">[];
  /**
   * A restriction that is live, and that the repository does not want: what becomes intact under it is uninstalled, so
   * that nothing of the module is moved or restored until somebody has decided.
   */
  readonly restriction: ItemOf<"refused"> | undefined;
}

/** What holds for the module in every channel. A change that is refused leaves the field as it is, and nothing else. */
export function judgeTerms(module: ModuleInput): Terms {
  const { meta, terms, input } = module;
  const isForeign = meta !== undefined && !isOurs(meta, input.desired.target) && !input.options.adopt;
  if (isForeign) return { effective: terms ?? {}, applied: undefined, refused: [], restriction: undefined };
  const before = termsBefore(module);
  return compareTerms(before, terms ?? before.recorded, module);
}

/** Of a module of which nothing is live and nothing recorded, what is wanted is not a change. */
function termsBefore(module: ModuleInput): TermsBefore {
  const recorded = recordedTerms(module);
  const live = module.meta && termsOf(module.meta);
  const known = live ?? recorded ?? module.terms ?? {};
  return { live: known, recorded: recorded ?? known };
}

/** What held for the module when its release meta was written last. */
function recordedTerms({ recorded }: ModuleInput): ModuleTerms | undefined {
  return [...recorded.values()].find(({ terms }) => terms !== undefined)?.terms;
}

/** What held before: as it is live, and as we applied it last. */
interface TermsBefore {
  readonly live: ModuleTerms;
  readonly recorded: ModuleTerms;
}

/** A field may not change that is neither as it is live nor as we applied it: users have what we applied. */
function compareTerms({ live, recorded }: TermsBefore, wanted: ModuleTerms, module: ModuleInput): Terms {
  const changed = new Set(changedTerms(recorded, wanted));
  const fields = new Set([...changed, ...changedTerms(live, wanted)]);
  const kept = [...fields].flatMap((field) => {
    const from = changed.has(field) ? recorded[field] : live[field];
    const found = fieldRefusal(field, { from, to: wanted[field] }, module);
    const step = { module: module.module, field, from, to: wanted[field] };
    const isTaken = found === undefined || isFieldAccepted({ ...step, refusal: found[0] }, module);
    return isTaken ? [] : [{ field, found }];
  });
  const keep = (values: ModuleTerms): ModuleTerms =>
    withoutUnset({ ...wanted, ...Object.fromEntries(kept.map(({ field }) => [field, values[field]])) });
  const object = { kind: RESOURCES.moduleReleaseMeta.kind, name: module.module };
  const items = kept.map(({ field, found }) => refused({ ...object, field: `spec.${field}` }, ...found));
  const restricting = kept.findIndex(({ field }) => field !== "ocmComponentName" && live[field] !== undefined);
  return { effective: keep(live), applied: keep(recorded), refused: items, restriction: items[restricting] };
}

/** The terms that differ. A component that nothing named before doubles nothing. */
export function changedTerms(before: ModuleTerms, after: ModuleTerms): readonly (keyof ModuleTerms)[] {
  const isSame = before.ocmComponentName === undefined || before.ocmComponentName === after.ocmComponentName;
  return [...changedRestrictions(before, after), ...(isSame ? [] : (["ocmComponentName"] as const))];
}

function withoutUnset(terms: ModuleTerms): ModuleTerms {
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined && value !== null));
}

function fieldRefusal(
  field: keyof ModuleTerms,
  { from, to }: { readonly from: unknown; readonly to: unknown },
  module: ModuleInput,
): FoundRefusal | undefined {
  const [unknown] = unknownUsers("who uses it", module);
  if (unknown !== undefined) return unknown;
  if (module.users.length === 0) return undefined;
  if (field !== "ocmComponentName") return restrictionRefusal([`spec.${field}`], module);
  const reason = `With another OCM component (${textOf(from)} → ${textOf(to)}) lifecycle-manager installs ${module.module} a second time, and never removes the first.`;
  return ["component-changed", reason, `Leave it as it is, or have it accepted: ${acceptText("component-changed")}.`];
}

function textOf(component: unknown): string {
  return typeof component === "string" ? component : "none";
}

/** The terms that a release meta says. */
export function termsOf(meta: KubernetesObject): ModuleTerms {
  const spec = readReleaseMeta(meta);
  return Object.fromEntries(
    (["ocmComponentName", ...RESTRICTIONS] as const).flatMap((field) => {
      const value = spec[field];
      return value === undefined || value === null || value === false ? [] : [[field, value] as const];
    }),
  );
}

/** The release meta that the decisions amount to. A module that serves nothing any more loses it. */
export function judgeMeta(
  decisions: readonly EntryDecision[],
  terms: ModuleTerms,
  module: ModuleInput,
): readonly PlanItem[] {
  const { meta, input } = module;
  const { target } = input.desired;
  const served = decisions.flatMap(({ item, serves }) => (serves === undefined ? [] : [{ ...item, version: serves }]));
  if (served.length === 0) return meta === undefined ? [] : goneMeta(meta, module);
  if (module.wanted.length === 0 && (meta === undefined || !isOurs(meta, target))) return [];
  const mandatory = served.find((entry) => entry.mandatory);
  const composed = composeReleaseMeta(
    module.module,
    mandatory === undefined
      ? { channels: served.map(({ channel, version }) => ({ channel, version })) }
      : { mandatory: { version: mandatory.version } },
    terms,
    target,
  );
  return [judgeDesired(composed, meta, module)];
}

/**
 * A release meta goes and comes back as a whole, or not at all: its last entry may not go where its users, or those of
 * others, stand against that, and one that is gone does not come back without an entry that has users.
 */
export function keepWhole(decisions: readonly EntryDecision[], module: ModuleInput): readonly EntryDecision[] {
  const { meta } = module;
  const isToGo = decisions.length > 0 && decisions.every(({ serves }) => serves === undefined);
  const refusal = meta === undefined ? refusalOfReturn(decisions, module) : isToGo && refusalOfLoss(meta, module);
  if (!refusal) return decisions;
  // What stays stands in the live release meta, if there is one.
  return decisions.map(({ item, serves }): EntryDecision => {
    const { module: name, channel, mandatory, from, to, kind } = item;
    return kind === "remove" || kind === "create"
      ? { item: { module: name, channel, mandatory, from, to, kind: "refused", ...refusal }, serves: from }
      : { item, serves: meta === undefined ? undefined : serves };
  });
}

/**
 * lifecycle-manager remembers the versions of users whose release meta is gone, and forgets them once there is one without
 * their channel.
 */
function refusalOfReturn(decisions: readonly EntryDecision[], module: ModuleInput): Refused | undefined {
  const served = new Set(decisions.flatMap(({ item, serves }) => (serves === undefined ? [] : [item.channel])));
  const [lost] = channelsBefore(decisions, module)
    .filter((channel) => served.size > 0 && !served.has(channel))
    .map((channel) => ({ channel, users: usersOf(channel, module).filter((user) => user.installed !== undefined) }))
    .filter(({ users }) => users.length > 0);
  if (lost === undefined) return undefined;
  const { channel, users } = lost;
  const own = decisions.find(({ item }) => item.channel === channel)?.item;
  const reason = `ModuleReleaseMeta ${module.module} is gone, and would come back without ${channel}: lifecycle-manager would forget which version its users have: ${describeUsers(named(users))}.`;
  const remedy = own?.kind === "refused" ? own.remedy : `Make it possible to serve ${channel} again.`;
  return { refusal: "user-endangered", reason, remedy };
}

/** The channels that had an entry; those that may have had one, where nothing of the module is recorded. */
function channelsBefore(decisions: readonly EntryDecision[], { recorded }: ModuleInput): readonly string[] {
  return recorded.size > 0
    ? [...recorded.keys()].map((key) => placeOfKey(key).channel)
    : decisions.map(({ item }) => item.channel);
}

function refusalOfLoss(meta: KubernetesObject, { users, module, input }: ModuleInput): Refused | undefined {
  if (!isOurs(meta, input.desired.target)) {
    const reason = `ModuleReleaseMeta ${module} is not ours, and nothing of it would be left.`;
    return { refusal: "not-ours", reason, remedy: "Serve the module, or delete it by hand." };
  }
  if (users.length === 0 || readReleaseMeta(meta).mandatory !== undefined) return undefined;
  const reason = `No channel serves ${module} any more, but it has ${describeUsers(named(users))}: removing it would break them.`;
  return { refusal: "module-in-use", reason, remedy: "Let them disable the module first, or serve it again." };
}

function goneMeta(meta: KubernetesObject, module: ModuleInput): readonly PlanItem[] {
  if (!isOurs(meta, module.input.desired.target)) return [];
  const object = nameOf(meta);
  const obstacle = obstacleTo(meta, module.input);
  if (obstacle !== undefined) return [obstacle];
  const [unknown] = unknownUsers("who uses it", module);
  if (unknown !== undefined) return [refused(object, ...unknown)];
  if (module.noRemoval !== undefined) return [{ kind: "refused", object, ...module.noRemoval }];
  return [{ kind: "prune", object, live: meta, carriedOut: true }];
}
