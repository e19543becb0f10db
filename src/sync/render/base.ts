import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { ChannelEntry, Compilation } from "../../catalogue/compile.ts";
import type { Histories } from "../../catalogue/history/moduleHistory.ts";
import { MANDATORY, parseChannelName, parseModuleName, type ChannelName } from "../../catalogue/names.ts";
import { validate, type SchemaKind } from "../../catalogue/schema.ts";
import { everServed } from "../../catalogue/steps.ts";
import type { ModuleTemplateSpec } from "../../catalogue/template.ts";
import { parseVersion } from "../../catalogue/version.ts";
import { readYaml } from "../../document/yaml/read.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { moduleOf, namedEntries, termsOf, type ModuleTerms } from "../../kubernetes/releaseMeta.ts";
import { isMandatoryTemplate } from "../plan/moduleInput.ts";
import { entryKey } from "../plan/records.ts";
import { FOLDERS, isIn } from "./folders.ts";

/** The module and the channel of an entry. */
export type EntryPlace = Pick<ChannelEntry, "module" | "channel" | "mandatory">;

/** A previously rendered entry. */
export interface BaseEntry extends EntryPlace, Pick<ChannelEntry, "version"> {
  /** Whether this version was rendered last. Otherwise it is the highest version that the channel ever served. */
  readonly isKnown: boolean;
}

/** The previous rendering. */
export interface Base {
  /** By `entryKey`. */
  readonly entries: ReadonlyMap<string, BaseEntry>;
  /** By module, as far as known. */
  readonly terms: ReadonlyMap<string, ModuleTerms>;
}

/** The base of a first rendering. */
export const NOTHING_RENDERED: Base = { entries: new Map(), terms: new Map() };

/**
 * The highest version of each module that each channel of a landscape ever served, from `histories`.
 *
 * Takes:  `isRendered`, whether an entry that the newest state of these histories has was rendered. Any other version may
 *         have been rendered earlier, or never: it may have come and gone between two renderings.
 */
export function historicEntries(
  { modules, of }: Histories,
  catalogues: readonly Pick<Catalogue, "channels">[],
  { landscape, isRendered }: HistoricRendering,
): Base["entries"] {
  const channels = new Map(
    catalogues.flatMap(({ channels: all }) =>
      [...all.values()]
        .filter(({ landscapes }) => landscapes.some((name) => name === landscape))
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
        return [{ ...entry, isKnown: states.at(-1)?.version === version && isRendered(entry) }];
      });
    }),
  );
}

/** What is known of a rendering of a commit. */
interface HistoricRendering {
  readonly landscape: string;
  readonly isRendered: (entry: Omit<BaseEntry, "isKnown">) => boolean;
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
  for (const [path, bytes] of [...files].filter(([name]) => isIn(folder, name))) {
    const object = bytes && readObject(path, bytes, isPerChannel ? "moduleTemplate" : "moduleReleaseMeta");
    if (object === undefined) return path;
    const named: readonly NamedEntry[] = isPerChannel
      ? [templateEntry(object)]
      : namedEntries(object).map(({ channel, version }) => ({ module: moduleOf(object), channel, version }));
    const read = named.map((one) => readEntry(one, mandatoryChannel));
    if (!read.every((entry) => entry !== undefined)) return path;
    entries.push(...read);
    if (!isPerChannel) terms.set(moduleOf(object), termsOf(object));
  }
  return { entries: byKey(entries), terms };
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
  };
}

function readObject(path: string, bytes: Uint8Array, kind: SchemaKind): KubernetesObject | undefined {
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

function readEntry({ module, channel, version }: NamedEntry, mandatoryChannel: string): BaseEntry | undefined {
  const [name, served, number] = [
    parseModuleName(module),
    parseChannelName(channel ?? mandatoryChannel),
    parseVersion(version),
  ];
  if (name === undefined || served === undefined || number === undefined) return undefined;
  return { module: name, channel: served, version: number, mandatory: channel === undefined, isKnown: true };
}

function byKey(entries: readonly BaseEntry[]): Base["entries"] {
  return new Map(entries.map((entry) => [entryKey(entry), entry]));
}
