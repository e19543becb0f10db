import { oncePer } from "../../document/once.ts";
import type { LiveContent } from "../../fleet/exposure.ts";
import type { RatedEntry } from "../../fleet/figures.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { MANDATORY, placeOfKey, type EntryRecord } from "./records.ts";

/** An entry, and what else its record says of what it serves. */
type RecordedEntry = RatedEntry & { readonly specHash: string };

/** What the records say that each entry serves: once for each state of the records, which every look at clusters asks of. */
export const servedEntriesOf: (records: ReadonlyMap<string, EntryRecord>) => readonly RecordedEntry[] = oncePer(
  (records) =>
    [...records].flatMap(([key, { current }]) => {
      if (current === undefined) return [];
      const { channel, module } = placeOfKey(key);
      const { version, specHash, sinceMs: appliedMs, baseline } = current;
      return [{ key, module, channel, mandatory: channel === MANDATORY, version, specHash, appliedMs, baseline }];
    }),
);

/**
 * The contents that are served, each with the live template that holds it: once for each state of records and templates.
 * Nothing can be said of one whose content is known to the control plane alone, or whose template is gone.
 */
export function servedContents(
  records: ReadonlyMap<string, EntryRecord>,
  templates: readonly KubernetesObject[],
): readonly LiveContent[] {
  return contentsOf(records)(templates);
}

const contentsOf = oncePer((records: ReadonlyMap<string, EntryRecord>) =>
  oncePer((templates: readonly KubernetesObject[]): readonly LiveContent[] => {
    const byName = new Map(templates.map((template) => [template.metadata.name, template]));
    const contents = servedEntriesOf(records).flatMap((entry) => {
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

/** A version has a template of its own, or up to lifecycle-manager 1.7 one for each channel. */
function contentOf(
  { module, channel, version, specHash, mandatory, appliedMs }: RecordedEntry,
  templates: ReadonlyMap<string, KubernetesObject>,
): LiveContent | undefined {
  const template = templates.get(`${module}-${version}`) ?? templates.get(`${module}-${channel}`);
  const { uid, generation } = template?.metadata ?? {};
  if (uid === undefined || generation === undefined) return undefined;
  return { module, version, specHash, uid, generation, mandatory, channels: [{ channel, appliedMs }] };
}
