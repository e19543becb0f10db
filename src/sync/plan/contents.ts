import { MANDATORY } from "../../catalogue/names.ts";
import { oncePer, oncePerWith } from "../../document/once.ts";
import type { LiveContent } from "../../fleet/exposure.ts";
import type { RatedEntry } from "../../fleet/figures.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { MODULE_LABEL } from "../../catalogue/template.ts";
import { specAuthors } from "../../kubernetes/ownership.ts";
import { isMandatoryTemplate } from "./moduleInput.ts";
import { failedBefore, placeOfKey, type EntryRecord, type ServedVersion } from "./records.ts";

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
      const content = entry.specHash === "" ? undefined : contentOf(entry, byName);
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
function contentOf(
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
