import { type ChannelEntry, MANDATORY_LABEL } from "../../catalogue/compile.ts";
import { MANDATORY, parseChannelName, parseModuleName } from "../../catalogue/names.ts";
import type { Generation } from "../../catalogue/settings.ts";
import { parseVersion } from "../../catalogue/version.ts";
import { textAt } from "../../document/fields.ts";
import type { ModuleUser, Users } from "../../fleet/users.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { type ModuleTerms, namedEntries } from "../../kubernetes/releaseMeta.ts";
import {
  type EntryMoveRequest,
  isOurs,
  type ModuleSlice,
  type ModuleUsers,
  type PlanInput,
  foundArtifact,
} from "./input.ts";
import type { EntryStep, Refused } from "./item.ts";
import { appliedVersion, entryKey, type EntryRecord, entryTemplateName, isAbove, placeOfKey } from "./records.ts";

/** A version that is live under a channel. */
interface LiveEntry {
  readonly module: string;
  readonly channel: string;
  readonly mandatory: boolean;
  readonly version: string;
}

/**
 * One module on a control plane. Its entries read the same, whether a release meta holds all of them or, up to
 * lifecycle-manager 1.7, a template each.
 */
export interface ModuleState extends ModuleSlice, Omit<PlanInput, "users"> {
  readonly entries: readonly LiveEntry[];
  readonly users: ModuleUsers;
  readonly fleet: Users;
  /** Why requested removals are refused. */
  readonly noRemoval: Refused | undefined;
}

/** Reads the state of one module. */
export function moduleState(slice: ModuleSlice, input: PlanInput, noRemoval?: Refused): ModuleState {
  const { users: fleet, ...rest } = input;
  const isKnown = fleet.kind === "known";
  const users: ModuleUsers = {
    module: slice.module,
    all: isKnown ? [...(fleet.modules.get(slice.module) ?? []), ...fleet.unnamed] : [],
    unknown: isKnown ? undefined : fleet.because,
  };
  return { ...rest, ...slice, entries: liveEntries(slice, input), users, fleet, noRemoval };
}

/** The live entries of a module. Foreign objects count only if the repository wants the module, too. */
function liveEntries({ module, meta, templates, wanted }: ModuleSlice, input: PlanInput): readonly LiveEntry[] {
  const { target, mandatoryChannel = MANDATORY } = input.desired;
  if (target.generation === "channel-templates")
    return [...templates.values()].flatMap((template): readonly LiveEntry[] => {
      const { channel = "", version = "" } = (template["spec"] ?? {}) as Partial<LiveEntry>;
      const entry = wanted.find((one) => one.channel === channel);
      // The template of a version is no entry.
      if (template.metadata.name !== `${module}-${channel}` || !(entry ?? isOurs(template, input))) return [];
      return [{ module, channel, version, mandatory: entry?.mandatory ?? isMandatoryTemplate(template) }];
    });
  if (meta === undefined || !(wanted.length > 0 || isOurs(meta, input))) return [];
  const unnamed = wanted.find(({ mandatory }) => mandatory)?.channel ?? mandatoryChannel;
  return namedEntries(meta).map(({ channel, version }) => {
    return { module, channel: channel ?? unnamed, version, mandatory: channel === undefined };
  });
}

/** Whether lifecycle-manager up to 1.7 installs a template on every cluster. */
export function isMandatoryTemplate(template: KubernetesObject): boolean {
  const { mandatory = false } = (template["spec"] ?? {}) as { readonly mandatory?: boolean };
  return mandatory || template.metadata.labels?.[MANDATORY_LABEL] === "true";
}

/** The live template of an entry with `version`. */
export function liveTemplate(
  version: string,
  channel: string,
  { module, templates, desired }: ModuleState,
): KubernetesObject | undefined {
  return templates.get(entryTemplateName({ module, channel }, version, desired.target.generation));
}

/** The key of `PlanInput.known` for a template of a version, by generation. */
export function knownKey(module: string, version: string, channel: string, generation: Generation): string {
  return generation === "channel-templates" ? `${module}-${channel}@${version}` : `${module}-${version}`;
}

/** The template of a version from the repository or its history. */
export function knownTemplate(
  version: string,
  channel: string,
  { module, wanted, known, desired }: ModuleState,
): KubernetesObject | undefined {
  const { generation } = desired.target;
  const now = wanted.find(
    (entry) => entry.version === version && (entry.channel === channel || generation === "version-templates"),
  );
  return now?.template ?? known.get(knownKey(module, version, channel, generation));
}

/**
 * Whether lifecycle-manager is about to forget the versions of the users of an entry, although their status still has
 * them: the template is gone, its artifact, or the entry that we applied.
 */
export function isGuardGone(step: EntryStep, state: ModuleState): boolean {
  const { meta, desired, recorded, module, artifacts } = state;
  if (step.from !== undefined) {
    const isUnpublished = foundArtifact(artifacts, module, step.from)?.kind === "missing";
    return isUnpublished || liveTemplate(step.from, step.channel, state) === undefined;
  }
  // If the whole release meta is missing, lifecycle-manager still remembers the versions when it comes back.
  const isMetaGone = meta === undefined && desired.target.generation === "version-templates";
  return recorded.has(entryKey(step)) && !isMetaGone;
}

/**
 * Whether the release meta of a module that no channel serves does not come back: it has no users, or another client
 * took its place. Up to lifecycle-manager 1.7, there is none.
 */
export function isGivenUp(state: ModuleState): boolean {
  const { wanted, meta, users, desired } = state;
  if (wanted.length > 0 || desired.target.generation === "channel-templates") return false;
  return meta === undefined ? users.all.length === 0 : !isOurs(meta, state);
}

/** Whether another client's template of the channel, or release meta of the module, is in the place of ours. */
export function isTaken(applied: string, channel: string, state: ModuleState): boolean {
  return state.desired.target.generation === "channel-templates"
    ? liveTemplate(applied, channel, state) !== undefined
    : state.meta !== undefined && isGivenUp(state);
}

/**
 * The terms under which clusters have a module of which neither a release meta nor any records are left: no restrictions,
 * and the component in the live templates. `undefined`: something is left, or no cluster has it.
 */
export function termsOnClusters({ meta, terms, templates, users, live }: ModuleState): ModuleTerms | undefined {
  if (meta !== undefined || live.records.kind !== "none" || !users.all.some(isInstalled)) return undefined;
  const path = ["spec", "descriptor", "component", "name"];
  const components = [...templates.values()].flatMap((template) => textAt(template, path) ?? []);
  // Older templates may name an earlier component.
  const component = components.find((one) => one === terms?.ocmComponentName) ?? components[0];
  return component === undefined ? {} : { ocmComponentName: component };
}

/** Whether a cluster has a module. */
export function isInstalled({ installed, version }: ModuleUser): boolean {
  return installed !== undefined || version !== undefined;
}

/**
 * A module whose files cannot be used, as it was applied last: its entries and terms are those of the records, so that
 * nothing moves and what others change is repaired. `undefined` without records, or if the content of a recorded
 * version is not known any more.
 */
export function recordedSlice(state: ModuleState): Pick<ModuleSlice, "wanted" | "terms"> | undefined {
  if (state.live.records.kind === "none" || state.recorded.size === 0) return undefined;
  const wanted = [...state.recorded].map(([key, record]) => recordedEntry(key, record, state));
  const [terms] = [...state.recorded.values()].flatMap((record) => record.terms ?? []);
  return wanted.every((entry) => entry !== undefined) ? { wanted, terms } : undefined;
}

function recordedEntry(key: string, record: EntryRecord, state: ModuleState): ChannelEntry | undefined {
  const { channel, mandatory } = entryPlace(key, state);
  const now = state.entries.find((one) => entryKey(one) === key);
  const applied = appliedVersion(state.live.records, key, now?.version);
  const served = [record.next, record.current].find((one) => one !== undefined && one.version === applied);
  const template = served && knownTemplate(served.version, channel, state);
  const [module, name] = [parseModuleName(state.module), parseChannelName(channel)];
  const version = served && parseVersion(served.version);
  if (!template || !module || !name || !version) return undefined;
  return { module, channel: name, version, mandatory, specHash: served.specHash, template };
}

/** The channel of a recorded entry. Records do not name mandatory channels. */
function entryPlace(key: string, { desired }: ModuleState): Pick<EntryStep, "channel" | "mandatory"> {
  const { channel } = placeOfKey(key);
  const mandatory = channel === MANDATORY;
  return { channel: mandatory ? (desired.mandatoryChannel ?? channel) : channel, mandatory };
}

/** One entry as the repository wants it, as we applied it, and as it is live. */
export interface EntryCase {
  readonly step: EntryStep;
  readonly wanted: ChannelEntry | undefined;
  readonly applied: string | undefined;
}

/** All entries that are wanted, live or applied, in the order of their keys. */
export function entryCases(state: ModuleState): readonly EntryCase[] {
  const { module, recorded } = state;
  const live = new Map(state.entries.map((entry) => [entryKey(entry), entry]));
  const wanted = new Map(state.wanted.map((entry) => [entryKey(entry), entry]));
  return [...new Set([...wanted.keys(), ...live.keys(), ...recorded.keys()])].sort().map((key): EntryCase => {
    const [entry, now] = [wanted.get(key), live.get(key)];
    const { channel, mandatory } = entry ?? now ?? entryPlace(key, state);
    const step = { module, channel, mandatory, from: now?.version, to: entry?.version };
    return { step, wanted: entry, applied: appliedVersion(state.live.records, key, now?.version) };
  });
}

/** Whether an entry serves the wanted version because we applied it. What another client wrote has passed no gate. */
export function isServed({ step, applied }: EntryCase, { version }: ChannelEntry): boolean {
  return step.from === version && applied === version;
}

/** The entries of a module whose wanted version differs from the live one, whether they may move or not. */
export function requestedMoves(state: ModuleState): readonly EntryMoveRequest[] {
  return entryCases(state).flatMap((one) => {
    const { step, wanted, applied } = one;
    if (wanted === undefined || isServed(one, wanted)) return [];
    const before = applied ?? step.from;
    const isLower = before !== undefined && before !== "" && isAbove(before, wanted.version);
    return [{ ...wanted, from: step.from, isLower, hadBefore: hasServedBefore(wanted.version, state) }];
  });
}

/** Whether the landscape served a version before. Without records, named versions count. */
export function hasServedBefore(
  version: string,
  { module, meta, namedElsewhere, recorded, live }: ModuleState,
): boolean {
  if (live.records.kind === "none")
    return (
      (meta !== undefined && namedEntries(meta).some((named) => named.version === version)) ||
      namedElsewhere.has(`${module}-${version}`)
    );
  return [...recorded.values()].some(({ current, previous }) =>
    [...(current ? [current] : []), ...previous].some((served) => served.version === version),
  );
}
