import { MANDATORY_LABEL, type ChannelEntry, type ModuleTerms, type CompileTarget } from "../../catalogue/compile.ts";
import { MODULE_LABEL } from "../../catalogue/template.ts";
import type { ModuleUser } from "../../fleet/users.ts";
import type { Generation } from "../../catalogue/settings.ts";
import { APPLY_SET_LABEL, applySetId } from "../../kubernetes/applySet.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { moduleOf, namedEntries, namedTemplates } from "../../kubernetes/releaseMeta.ts";
import type { PlanInput } from "./input.ts";
import type { Refused } from "./item.ts";
import { MANDATORY, placeOfKey, type EntryRecord } from "./records.ts";

/** All that is decided about one module, and what it is decided on. */
export interface ModuleInput {
  readonly module: string;
  readonly input: PlanInput;
  /** What the repository wants the channels of the landscape to serve. */
  readonly wanted: readonly ChannelEntry[];
  /** `undefined` for a module that the repository does not serve here. */
  readonly terms: ModuleTerms | undefined;
  /** The live templates, by name. */
  readonly templates: ReadonlyMap<string, KubernetesObject>;
  /** The live release meta of the module's name. */
  readonly meta: KubernetesObject | undefined;
  /** What we recorded of the module's entries; empty also where nothing is recorded. */
  readonly recorded: ReadonlyMap<string, EntryRecord>;
  /** Empty also where users are not known. */
  readonly users: readonly ModuleUser[];
  /** Templates that the release metas of others name, and which does. */
  readonly namedElsewhere: ReadonlyMap<string, string>;
  /** Why nothing is removed although it was asked for. */
  readonly noRemoval: Refused | undefined;
}

/** Splits what a plan depends on by module, in the order of their names. */
export function splitByModule(input: PlanInput, noRemoval?: Refused): readonly ModuleInput[] {
  const { desired, live, users } = input;
  const wanted = Map.groupBy(desired.entries, ({ module }): string => module);
  const owners = templateOwners(input);
  const templates = Map.groupBy(live.templates, (template) => {
    return owners.get(template.metadata.name) ?? moduleOfTemplate(template);
  });
  const metas = new Map(live.releaseMetas.map((meta) => [meta.metadata.name, meta]));
  const recorded = Map.groupBy(
    live.records.kind === "known" ? live.records.entries : [],
    ([key]) => placeOfKey(key).module,
  );
  const names = new Set([...wanted.keys(), ...templates.keys(), ...metas.keys(), ...recorded.keys()]);
  const namedBy = namesByMeta(live.releaseMetas);
  return [...names].sort().map((module) => ({
    module,
    input,
    wanted: wanted.get(module) ?? [],
    terms: desired.terms.get(module),
    templates: new Map((templates.get(module) ?? []).map((template) => [template.metadata.name, template])),
    meta: metas.get(module),
    recorded: new Map(recorded.get(module)),
    users: users.kind === "known" ? (users.modules.get(module) ?? []) : [],
    namedElsewhere: new Map(
      [...(namedBy.get(module) ?? [])].filter(([, meta]) => !isOwnMeta(meta, module, metas, desired)),
    ),
    noRemoval,
  }));
}

/** Whose a template is by its name: a label may have been edited, while a release meta goes on naming the template. */
function templateOwners({ desired, live }: PlanInput): ReadonlyMap<string, string> {
  const recorded = live.records.kind === "known" ? [...live.records.entries] : [];
  return new Map([
    ...recorded.flatMap(([key, { current, next }]): [string, string][] => {
      const { channel, module } = placeOfKey(key);
      const suffixes = [channel, current?.version, next?.version].filter((suffix) => suffix !== undefined);
      return suffixes.map((suffix) => [`${module}-${suffix}`, module]);
    }),
    ...live.releaseMetas.flatMap((meta) =>
      namedTemplates(meta).map((name): [string, string] => [name, moduleOf(meta)]),
    ),
    ...desired.entries.map(({ module, template }): [string, string] => [template.metadata.name, module]),
  ]);
}

function isOwnMeta(
  name: string,
  module: string,
  metas: ReadonlyMap<string, KubernetesObject>,
  { target }: PlanInput["desired"],
): boolean {
  const meta = metas.get(name);
  return name === module && meta !== undefined && isOurs(meta, target);
}

function moduleOfTemplate({ metadata: { name, labels }, spec }: KubernetesObject): string {
  const { moduleName } = (spec ?? {}) as { readonly moduleName?: string };
  return labels?.[MODULE_LABEL] ?? moduleName ?? name;
}

/** Module to template to the release meta that names it. */
function namesByMeta(metas: readonly KubernetesObject[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const names = new Map<string, Map<string, string>>();
  for (const meta of metas) {
    const module = moduleOf(meta);
    const known = names.get(module) ?? new Map<string, string>();
    names.set(module, known);
    for (const template of namedTemplates(meta)) {
      // Of several the one of another name counts: it is not ours to change.
      const before = known.get(template);
      if (before === undefined || before === module) known.set(template, meta.metadata.name);
    }
  }
  return names;
}

/** A version that is live under a channel. */
export interface LiveEntry {
  readonly channel: string;
  readonly mandatory: boolean;
  readonly version: string;
}

/** What the control plane serves of the module now. What is not ours counts where the repository wants the module, too. */
export function liveEntries(module: ModuleInput): readonly LiveEntry[] {
  const { meta, templates, input, wanted } = module;
  const counts = (object: KubernetesObject): boolean => wanted.length > 0 || isOurs(object, input.desired.target);
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

/** The set's label makes an object ours, and nothing else: an annotation may have been copied. */
export function isOurs({ metadata }: KubernetesObject, { namespace }: CompileTarget): boolean {
  return metadata.labels?.[APPLY_SET_LABEL] === applySetId(namespace);
}

/** What a channel template serves; nothing where it is the template of a version. Its channel says whether it is mandatory. */
function channelEntry(template: KubernetesObject, { module, wanted, input }: ModuleInput): LiveEntry | undefined {
  const { channel = "", version = "" } = (template["spec"] ?? {}) as Partial<LiveEntry>;
  const entry = wanted.find((one) => one.channel === channel);
  const counts = entry !== undefined || isOurs(template, input.desired.target);
  return !counts || template.metadata.name !== `${module}-${channel}`
    ? undefined
    : { channel, version, mandatory: entry?.mandatory ?? isMandatoryTemplate(template) };
}

/** Whether lifecycle-manager up to 1.7 installs a template on every cluster. */
export function isMandatoryTemplate(template: KubernetesObject): boolean {
  const { mandatory = false } = (template["spec"] ?? {}) as { readonly mandatory?: boolean };
  return mandatory || template.metadata.labels?.[MANDATORY_LABEL] === "true";
}

/** The live template that an entry with `version` needs. */
export function templateOf(
  version: string,
  channel: string,
  { module, templates, input }: ModuleInput,
): KubernetesObject | undefined {
  const isPerChannel = input.desired.target.generation === "channel-templates";
  return templates.get(isPerChannel ? `${module}-${channel}` : `${module}-${version}`);
}

/** The key of `PlanInput.known`: of a version's template, as the control plane of this generation would hold it. */
export function knownKey(module: string, version: string, channel: string, generation: Generation): string {
  return generation === "channel-templates" ? `${module}-${channel}@${version}` : `${module}-${version}`;
}

/** The template of a version as the repository knows it, now or in its history. */
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
