import type { Catalogue } from "../../catalogue/catalogue.ts";
import { compileTemplate, type ChannelEntry, type Compilation, type CompileTarget } from "../../catalogue/compile.ts";
import type { ServedState } from "../../catalogue/history/history.ts";
import type { Histories } from "../../catalogue/history/moduleHistory.ts";
import { MANDATORY, parseChannelName, parseModuleName, type ChannelName } from "../../catalogue/names.ts";
import { validate, type SchemaKind } from "../../catalogue/schema.ts";
import { everServed } from "../../catalogue/steps.ts";
import type { ModuleTemplateSpec } from "../../catalogue/template.ts";
import { parseVersion } from "../../catalogue/version.ts";
import { readYaml } from "../../document/yaml/read.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { releaseModule, namedEntries, releaseTerms, type ModuleTerms } from "../../kubernetes/releaseMeta.ts";
import { isMandatoryTemplate } from "../plan/state.ts";
import { entryKey } from "../plan/records.ts";
import { FOLDERS, isIn } from "./folders.ts";

/** The module and the channel of an entry. */
export type EntryPlace = Pick<ChannelEntry, "module" | "channel" | "mandatory">;

/** A previously rendered entry. */
export interface BaseEntry extends EntryPlace, Pick<ChannelEntry, "version"> {
  /** Whether this version was rendered last. Otherwise it is the highest version that the channel ever served. */
  readonly isKnown: boolean;
  /** The template of this version; `undefined`: unknown. */
  readonly template: KubernetesObject | undefined;
  /** If it is not known which version was rendered last: everything that the channel ever served. */
  readonly possible: readonly PossibleState[];
}

/** A version that may have been rendered last. */
export type PossibleState = Omit<ServedState, "revision">;

/** The previous rendering. */
export interface Base {
  /** By `entryKey`. */
  readonly entries: ReadonlyMap<string, BaseEntry>;
  /** By module, as far as known. */
  readonly terms: ReadonlyMap<string, ModuleTerms>;
  /** Why it is unknown how a module was rendered last, apart from its versions. By module; a clause. */
  readonly doubts: ReadonlyMap<string, string>;
}

/** The base of a first rendering. */
export const NOTHING_RENDERED: Base = { entries: new Map(), terms: new Map(), doubts: new Map() };

/**
 * The highest version of each module that each channel of a landscape ever served, from `histories`.
 *
 * Takes:  `isRendered`, whether an entry that the newest state of these histories has was rendered. Any other version may
 *         have been rendered earlier, or never: it may have come and gone between two renderings.
 */
export function historicEntries(
  { modules, of }: Histories,
  catalogues: readonly Pick<Catalogue, "channels">[],
  { target, isRendered }: HistoricRendering,
): Base["entries"] {
  const channels = new Map(
    catalogues.flatMap(({ channels: all }) =>
      [...all.values()]
        .filter(({ landscapes }) => landscapes.some((name) => name === target.landscape))
        .map(({ name, kind }): readonly [ChannelName, boolean] => [name, kind === "mandatory"]),
    ),
  );
  return byKey(
    modules.flatMap((module) => {
      const { served } = of(module);
      return [...channels].flatMap(([channel, mandatory]) => {
        const states = served.get(channel) ?? [];
        const [version] = everServed(states);
        if (version === undefined) return [];
        const entry = { module, channel, mandatory, version };
        const isKnown = states.at(-1)?.version === version && isRendered(entry);
        const newest = states.findLast((state) => state.version === version)?.template();
        const template = newest && compileTemplate(newest, target, mandatory);
        return [{ ...entry, isKnown, template, possible: isKnown ? [] : states }];
      });
    }),
  );
}

/** What is known of a rendering of a commit. */
interface HistoricRendering {
  readonly target: CompileTarget;
  readonly isRendered: (entry: EntryPlace & Pick<BaseEntry, "version">) => boolean;
}

/**
 * Reads the entries of rendered files. Returns the path of the first file that this program did not write in this form.
 *
 * Takes:  `files`, path below the folder of the landscape to content, `undefined` for anything but a file.
 */
export function renderedBase(
  files: ReadonlyMap<string, Uint8Array | undefined>,
  { target: { generation }, mandatoryChannel = MANDATORY }: Pick<Compilation, "target" | "mandatoryChannel">,
): Base | string {
  const isPerChannel = generation === "channel-templates";
  const folder = isPerChannel ? FOLDERS.templates : FOLDERS.releaseMetas;
  const entries: BaseEntry[] = [];
  const terms = new Map<string, ModuleTerms>();
  for (const path of [...files.keys()].filter((name) => isIn(folder, name))) {
    const object = readObject(path, files, isPerChannel ? "moduleTemplate" : "moduleReleaseMeta");
    if (object === undefined) return path;
    const named = isPerChannel ? [templateEntry(object)] : metaEntries(object);
    const read = named.map((one) => readEntry(one, mandatoryChannel));
    if (!read.every((entry) => entry !== undefined)) return path;
    entries.push(...read.map((entry) => ({ ...entry, template: isPerChannel ? object : undefined })));
    if (!isPerChannel) terms.set(releaseModule(object), releaseTerms(object));
  }
  const base = { entries: byKey(entries), terms, doubts: new Map() };
  return isPerChannel ? base : withTemplates(base, files);
}

/** Reads the templates of versions. A file may be lost, since the repository has it; a broken one is refused. */
function withTemplates(base: Base, files: ReadonlyMap<string, Uint8Array | undefined>): Base | string {
  const pathOf = ({ module, version }: BaseEntry): string => `${FOLDERS.templates}/${module}-${version}.yaml`;
  const entries = [...base.entries.values()].map((entry) => {
    return { ...entry, template: readObject(pathOf(entry), files, "moduleTemplate") };
  });
  const broken = entries.find((entry) => entry.template === undefined && files.has(pathOf(entry)));
  return broken === undefined ? { ...base, entries: byKey(entries) } : pathOf(broken);
}

/** The entries of a rendering whose previous versions the rendered files do not tell. */
export interface LackingEntries {
  readonly entries: readonly EntryPlace[];
  /** Whether an entry of another source belongs to an object that the files lack and this rendering writes. */
  readonly includes: (entry: EntryPlace) => boolean;
}

/**
 * Finds the entries that are to be written into an object that the rendered files lack. A missing file does not prove
 * that the object was never rendered: the last run may have refused it, or the file was lost. Objects that are not
 * written need no base, since nothing deletes them.
 *
 * Takes:  `waiting`, the keys of entries that were never rendered.
 */
export function lackingEntries(
  { entries: rendered }: Base,
  waiting: readonly string[],
  { entries: wanted, target: { generation } }: Pick<Compilation, "entries" | "target">,
): LackingEntries {
  const objectOf = (entry: EntryPlace): string => (generation === "channel-templates" ? entryKey(entry) : entry.module);
  const [present, never] = [new Set([...rendered.values()].map(objectOf)), new Set(waiting)];
  const entries = wanted.filter((entry) => !present.has(objectOf(entry)) && !never.has(entryKey(entry)));
  const lacking = new Set(entries.map(objectOf));
  return { entries, includes: (entry) => lacking.has(objectOf(entry)) && !never.has(entryKey(entry)) };
}

/** Completes the base from rendered files by what `other` has of the entries that they lack. */
export function completeBase(base: Base, other: Base, { entries, includes }: LackingEntries): Base {
  const modules = new Set<string>(entries.map(({ module }) => module));
  return {
    entries: new Map([...base.entries, ...[...other.entries].filter(([, entry]) => includes(entry))]),
    terms: new Map([...base.terms, ...[...other.terms].filter(([module]) => modules.has(module))]),
    doubts: new Map([...other.doubts].filter(([module]) => modules.has(module))),
  };
}

function readObject(
  path: string,
  files: ReadonlyMap<string, Uint8Array | undefined>,
  kind: SchemaKind,
): KubernetesObject | undefined {
  const bytes = files.get(path);
  if (bytes === undefined) return undefined;
  const reading = readYaml(path, { kind: "bytes", bytes });
  if (reading.kind === "refused" || validate(kind, reading.file.value).length > 0) return undefined;
  return reading.file.value as KubernetesObject;
}

interface NamedEntry {
  readonly module: string;
  /** `undefined`: mandatory. */
  readonly channel: string | undefined;
  readonly version: string;
}

function templateEntry(template: KubernetesObject): NamedEntry {
  const { moduleName = "", version = "", channel } = template["spec"] as ModuleTemplateSpec;
  return { module: moduleName, channel: isMandatoryTemplate(template) ? undefined : channel, version };
}

function metaEntries(meta: KubernetesObject): readonly NamedEntry[] {
  return namedEntries(meta).map(({ channel, version }) => ({ module: releaseModule(meta), channel, version }));
}

function readEntry({ module, channel, version }: NamedEntry, mandatoryChannel: string): BaseEntry | undefined {
  const [name, served, number] = [
    parseModuleName(module),
    parseChannelName(channel ?? mandatoryChannel),
    parseVersion(version),
  ];
  if (name === undefined || served === undefined || number === undefined) return undefined;
  const place = { module: name, channel: served, mandatory: channel === undefined };
  return { ...place, version: number, isKnown: true, template: undefined, possible: [] };
}

function byKey(entries: readonly BaseEntry[]): Base["entries"] {
  return new Map(entries.map((entry) => [entryKey(entry), entry]));
}
