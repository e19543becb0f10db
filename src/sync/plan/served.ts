import { MANDATORY } from "../../catalogue/names.ts";
import type { Generation } from "../../catalogue/settings.ts";
import { MODULE_LABEL } from "../../catalogue/template.ts";
import { oncePer, oncePerWith } from "../../document/once.ts";
import type { LiveContent } from "../../fleet/exposure.ts";
import type { RatedEntry } from "../../fleet/figures.ts";
import { type KubernetesObject, RESOURCES } from "../../kubernetes/object.ts";
import { specAuthors } from "../../kubernetes/ownership.ts";
import { readReleaseMeta } from "../../kubernetes/releaseMeta.ts";
import type { LiveState } from "./input.ts";
import { type EntryItem, planItems, type ObjectName, type Plan } from "./item.ts";
import {
  entryHolder,
  type EntryRecord,
  entryTemplateName,
  failedBefore,
  placeOfKey,
  type ServedVersion,
} from "./records.ts";
import { isMandatoryTemplate } from "./state.ts";

/** The entries of a release meta or of a channel template: `<channel>/<module>` to version. */
export function servedEntries(object: KubernetesObject): ReadonlyMap<string, string> {
  if (object.kind === RESOURCES.moduleReleaseMeta.kind) {
    const { channels = [], mandatory } = readReleaseMeta(object);
    const entries = channels.map(({ channel, version }): [string, string] => [
      `${channel}/${object.metadata.name}`,
      version,
    ]);
    return new Map(mandatory === undefined ? entries : [[`${MANDATORY}/${object.metadata.name}`, mandatory.version]]);
  }
  const { channel, version } = (object["spec"] ?? {}) as { readonly channel?: string; readonly version?: string };
  const module = object.metadata.labels?.[MODULE_LABEL];
  return new Map(
    channel === undefined || version === undefined || module === undefined ? [] : [[`${channel}/${module}`, version]],
  );
}

/** The recorded entries whose release meta or template is not live with the recorded version: somebody removed it. */
export function absentEntries(
  records: ReadonlyMap<string, EntryRecord>,
  { templates, releaseMetas }: Pick<LiveState, "templates" | "releaseMetas">,
  generation: Generation,
): ReadonlySet<string> {
  const names = new Set(templates.map(({ metadata }) => metadata.name));
  const served = new Map(releaseMetas.flatMap((meta) => [...servedEntries(meta)]));
  const isLive = (key: string, version: string): boolean => {
    const { channel, module } = placeOfKey(key);
    // Of a mandatory module, records do not name the channel of its template.
    if (generation === "channel-templates") return channel === MANDATORY || names.has(`${module}-${channel}`);
    return served.get(key) === version && names.has(`${module}-${version}`);
  };
  const absent = [...records].filter(([key, { current }]) => current !== undefined && !isLive(key, current.version));
  return new Set(absent.map(([key]) => key));
}

/** The time of a sync, and the objects that it makes, by `createdObjects`. */
interface RestoringSync {
  readonly created: ReadonlySet<string>;
  readonly generation: Generation;
  readonly nowMs: number;
}

/** The kinds and names of the objects that a plan makes. */
export function createdObjects(plan: Plan): ReadonlySet<string> {
  return new Set(planItems(plan).flatMap(({ kind, object }) => (kind === "create" ? [objectKey(object)] : [])));
}

function objectKey({ kind, name }: ObjectName): string {
  return `${kind} ${name}`;
}

/**
 * The record of an entry with the time at which its version comes back after another client removed or replaced it: its
 * absence fails clusters, and is no failure of the version.
 */
export function withReturn(
  record: EntryRecord | undefined,
  entry: EntryItem,
  { created, generation, nowMs }: RestoringSync,
): EntryRecord | undefined {
  if (record?.current === undefined || record.next !== undefined) return record;
  const name = entryTemplateName(entry, record.current.version, generation);
  const needed = [{ kind: RESOURCES.moduleTemplate.kind, name }, entryHolder(entry, generation)];
  const isBack = isReturn(entry) || needed.some((object) => created.has(objectKey(object)));
  return isBack ? { ...record, current: { ...record.current, restoredMs: nowMs } } : record;
}

function isReturn(entry: EntryItem): boolean {
  return ("cause" in entry && entry.cause === "drift") || "setBack" in entry;
}

/** A served entry, with the hash of its content, and the commit that it was applied from. */
type RecordedEntry = RatedEntry & Pick<ServedVersion, "specHash" | "commit">;

/**
 * The entries that the records say are served, with the deadline of the landscape. Cached per state of the records, since
 * every observation needs them.
 */
export const servedEntriesOf: (
  records: ReadonlyMap<string, EntryRecord>,
  deadlineMs: number,
) => readonly RecordedEntry[] = oncePerWith(
  (records: ReadonlyMap<string, EntryRecord>, deadlineMs: number) =>
    [...records].flatMap(([key, record]) => {
      const { current } = record;
      if (current === undefined) return [];
      const { channel, module } = placeOfKey(key);
      const { version, specHash, commit, sinceMs: appliedMs, restoredMs } = current;
      const wanted = { channel, mandatory: channel === MANDATORY, version, appliedMs, restoredMs, deadlineMs };
      return [{ key, module, ...wanted, specHash, commit, baseline: failedBefore(record) }];
    }),
  String,
);

/**
 * The served contents, each with its live template. Cached per state of records and templates. Leaves out entries whose
 * content is not recorded, or whose template is gone or was changed by another client: clusters run that change, and it
 * is no evidence for what is recorded.
 */
export function servedContents(
  records: ReadonlyMap<string, EntryRecord>,
  templates: readonly KubernetesObject[],
  deadlineMs: number,
): readonly LiveContent[] {
  return contentsOf(servedEntriesOf(records, deadlineMs))(templates);
}

const contentsOf = oncePer((entries: readonly RecordedEntry[]) =>
  oncePer((templates: readonly KubernetesObject[]): readonly LiveContent[] => {
    const byName = new Map(templates.map((template) => [template.metadata.name, template]));
    const contents = entries.flatMap((entry) => {
      const content = entry.specHash === "" ? undefined : servedContent(entry, byName);
      return content === undefined ? [] : [content];
    });
    const same = Map.groupBy(contents, ({ uid, version, specHash, mandatory }) =>
      JSON.stringify([uid, version, specHash, mandatory]),
    );
    return [...same.values()].flatMap((all) =>
      all.slice(0, 1).map((one) => ({ ...one, channels: all.flatMap(({ channels }) => channels) })),
    );
  }),
);

/** A version has its own template; up to lifecycle-manager 1.7, one per channel. */
function servedContent(
  { module, channel, version, specHash, commit, mandatory, appliedMs, restoredMs, deadlineMs }: RecordedEntry,
  templates: ReadonlyMap<string, KubernetesObject>,
): LiveContent | undefined {
  const template =
    templates.get(`${module}-${version}`) ??
    (mandatory ? mandatoryTemplate(module, templates) : templates.get(`${module}-${channel}`));
  if (template === undefined || specAuthors(template).length > 0) return undefined;
  const { uid, generation } = template.metadata;
  if (uid === undefined || generation === undefined) return undefined;
  const channels = [{ channel, appliedMs, restoredMs, commit }];
  return { module, version, specHash, uid, generation, mandatory, deadlineMs, channels };
}

/** The records do not name the channel of a mandatory entry. */
function mandatoryTemplate(
  module: string,
  templates: ReadonlyMap<string, KubernetesObject>,
): KubernetesObject | undefined {
  return [...templates.values()].find(
    (template) => template.metadata.labels?.[MODULE_LABEL] === module && isMandatoryTemplate(template),
  );
}
