import { type ChannelEntry, fileHashes, MANDATORY_LABEL } from "../../catalogue/compile.ts";
import { MANDATORY, parseChannelName, parseModuleName } from "../../catalogue/names.ts";
import type { Generation } from "../../catalogue/settings.ts";
import { parseVersion } from "../../catalogue/version.ts";
import { textAt } from "../../document/fields.ts";
import type { ModuleUser } from "../../fleet/users.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { type ModuleTerms, namedEntries } from "../../kubernetes/releaseMeta.ts";
import { isOurs, type PlanInput } from "./input.ts";
import type { Refused } from "./item.ts";
import { appliedVersion, entryKey, type EntryRecord, placeOfKey } from "./records.ts";
import type { ModuleSlice } from "./slice.ts";

/** The input of the plan of one module. */
export interface ModuleInput extends ModuleSlice {
  readonly input: PlanInput;
  /** With Manifests that name no module: they count against removals. Also empty if users are unknown. */
  readonly users: readonly ModuleUser[];
  /** Why requested removals are refused. */
  readonly noRemoval: Refused | undefined;
}

/** Makes the input of one module from its slice. */
export function moduleInput(slice: ModuleSlice, input: PlanInput, noRemoval?: Refused): ModuleInput {
  const { users } = input;
  const known = users.kind === "known" ? [...(users.modules.get(slice.module) ?? []), ...users.unnamed] : [];
  return { ...slice, input, noRemoval, users: known };
}

/** A version that is live under a channel. */
interface LiveEntry {
  readonly channel: string;
  readonly mandatory: boolean;
  readonly version: string;
}

/** The live entries of the module. Foreign objects count only if the repository wants the module, too. */
export function liveEntries(module: ModuleInput): readonly LiveEntry[] {
  const { meta, templates, input, wanted } = module;
  const counts = (object: KubernetesObject): boolean => wanted.length > 0 || isOurs(object, input);
  const mandatoryChannel =
    wanted.find(({ mandatory }) => mandatory)?.channel ?? input.desired.mandatoryChannel ?? MANDATORY;
  if (input.desired.target.generation === "channel-templates")
    return [...templates.values()].flatMap((template) => channelEntry(template, module) ?? []);
  if (meta === undefined || !counts(meta)) return [];
  return namedEntries(meta).map(({ channel, version }) =>
    channel === undefined
      ? { channel: mandatoryChannel, version, mandatory: true }
      : { channel, version, mandatory: false },
  );
}

/**
 * The entry of a channel template; `undefined` for the template of a version. A wanted entry decides whether it is
 * mandatory.
 */
function channelEntry(template: KubernetesObject, { module, wanted, input }: ModuleInput): LiveEntry | undefined {
  const { channel = "", version = "" } = (template["spec"] ?? {}) as Partial<LiveEntry>;
  const entry = wanted.find((one) => one.channel === channel);
  const counts = entry !== undefined || isOurs(template, input);
  return !counts || template.metadata.name !== `${module}-${channel}`
    ? undefined
    : { channel, version, mandatory: entry?.mandatory ?? isMandatoryTemplate(template) };
}

/** Whether lifecycle-manager up to 1.7 installs a template on every cluster. */
export function isMandatoryTemplate(template: KubernetesObject): boolean {
  const { mandatory = false } = (template["spec"] ?? {}) as { readonly mandatory?: boolean };
  return mandatory || template.metadata.labels?.[MANDATORY_LABEL] === "true";
}

/** The live template of an entry with `version`. */
export function templateOf(
  version: string,
  channel: string,
  { module, templates, input }: ModuleInput,
): KubernetesObject | undefined {
  const isPerChannel = input.desired.target.generation === "channel-templates";
  return templates.get(isPerChannel ? `${module}-${channel}` : `${module}-${version}`);
}

/** The key of `PlanInput.known` for a template of a version, by generation. */
export function knownKey(module: string, version: string, channel: string, generation: Generation): string {
  return generation === "channel-templates" ? `${module}-${channel}@${version}` : `${module}-${version}`;
}

/**
 * Whether the release meta of a module that no channel serves does not come back: it has no users, or another client
 * took its place. Up to lifecycle-manager 1.7, there is none.
 */
export function isGivenUp({ wanted, meta, users, input }: ModuleInput): boolean {
  const { target } = input.desired;
  if (wanted.length > 0 || target.generation === "channel-templates") return false;
  return meta === undefined ? users.length === 0 : !isOurs(meta, input);
}

/**
 * The terms under which clusters have a module of which neither a release meta nor any records are left: no restrictions,
 * and the component in the live templates. `undefined`: something is left, or no cluster has it.
 */
export function termsOnClusters({ meta, terms, templates, users, input }: ModuleInput): ModuleTerms | undefined {
  if (meta !== undefined || input.live.records.kind !== "none" || !users.some(isInstalled)) return undefined;
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

/** The template of a version from the repository or its history. */
export function knownTemplate(
  version: string,
  channel: string,
  { module, input, wanted }: ModuleInput,
): KubernetesObject | undefined {
  const { generation } = input.desired.target;
  const now = wanted.find(
    (entry) => entry.version === version && (entry.channel === channel || generation === "version-templates"),
  );
  return now?.template ?? input.known.get(knownKey(module, version, channel, generation));
}

/** Whether the records name other content for the version of a template: the object itself may be gone or changed. */
export function isOtherThanRecorded(desired: KubernetesObject, { module, wanted, recorded }: ModuleInput): boolean {
  const { name } = desired.metadata;
  const own = wanted.find(({ template }) => template === desired);
  const version = own?.version ?? textAt(desired, ["spec", "version"]);
  const served = [...recorded.values()]
    .flatMap(({ current, next }) => [current, next].filter((one) => one !== undefined))
    .filter((one) => one.specHash !== "" && (one.version === version || name === `${module}-${one.version}`));
  if (served.length === 0) return false;
  const hashes = own === undefined ? fileHashes(desired) : [own.specHash];
  return served.some(({ specHash }) => !hashes.includes(specHash));
}

/**
 * A module whose files cannot be used, as it was applied last: its entries and terms are those of the records, so that
 * nothing moves and what others change is repaired. `undefined` without records, or if the content of a recorded
 * version is not known any more.
 */
export function asRecorded(module: ModuleInput): ModuleInput | undefined {
  if (module.input.live.records.kind === "none" || module.recorded.size === 0) return undefined;
  const wanted = [...module.recorded].map(([key, record]) => entryOf(key, record, module));
  const [terms] = [...module.recorded.values()].flatMap((record) => record.terms ?? []);
  return wanted.every((entry) => entry !== undefined) ? { ...module, wanted, terms } : undefined;
}

function entryOf(key: string, record: EntryRecord, module: ModuleInput): ChannelEntry | undefined {
  const place = placeOfKey(key);
  const mandatory = place.channel === MANDATORY;
  const channel = mandatory ? (module.input.desired.mandatoryChannel ?? MANDATORY) : place.channel;
  const now = liveEntries(module).find((one) => entryKey({ ...one, module: place.module }) === key);
  const applied = appliedVersion(module.input.live.records, key, now?.version);
  const served = [record.next, record.current].find((one) => one !== undefined && one.version === applied);
  const template = served && knownTemplate(served.version, channel, module);
  const named = served && parsed(place.module, channel, served.version);
  return template && named && { ...named, mandatory, specHash: served.specHash, template };
}

function parsed(
  moduleText: string,
  channelText: string,
  versionText: string,
): Pick<ChannelEntry, "module" | "channel" | "version"> | undefined {
  const [module, channel] = [parseModuleName(moduleText), parseChannelName(channelText)];
  const version = parseVersion(versionText);
  return module && channel && version && { module, channel, version };
}
