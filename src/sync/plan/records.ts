import { MANDATORY } from "../../catalogue/names.ts";
import type { Generation } from "../../catalogue/settings.ts";
import { compareVersions, parseVersion } from "../../catalogue/version.ts";
import { oncePer } from "../../document/once.ts";
import { RESOURCES } from "../../kubernetes/object.ts";
import type { ModuleTerms } from "../../kubernetes/releaseMeta.ts";

/** The records of what we last applied to a control plane, or none. */
export type Records =
  /** Before the first sync, or after an import: the live versions count. */
  { readonly kind: "none" } | { readonly kind: "known"; readonly entries: ReadonlyMap<string, EntryRecord> };

/** The records of an earlier landscape, or why they are unknown. */
export type EarlierRecords =
  | Records
  /** We may not read it, or cannot reach it. */
  | { readonly kind: "unknown"; readonly because: string };

const NO_ENTRIES: ReadonlyMap<string, EntryRecord> = new Map();

/** The record of each entry; empty without records, or if they are unknown. */
export function entriesIn(records: EarlierRecords): ReadonlyMap<string, EntryRecord> {
  return records.kind === "known" ? records.entries : NO_ENTRIES;
}

/** The timeline of one entry on one control plane. */
export interface EntryRecord {
  /** `undefined` until the first version is applied. */
  readonly current: ServedVersion | undefined;
  /** The version that was about to be written; a killed sync may or may not have written it. */
  readonly next: ServedVersion | undefined;
  /** Newest first, a bounded number. */
  readonly previous: readonly PastVersion[];
  /** The terms of the module in every channel, in case its release meta is lost. */
  readonly terms: ModuleTerms | undefined;
}

/** A version that an entry serves. */
export interface ServedVersion {
  readonly version: string;
  /** The `specHash` of its template; empty if the version was adopted from the control plane. */
  readonly specHash: string;
  /** The commit that it was applied from; unset in older records, and outside of Git. */
  readonly commit?: string | undefined;
  /** The start of the period. Unix milliseconds. */
  readonly sinceMs: number;
  /** The refusals that were accepted when it was applied: they also count for later landscapes. */
  readonly accepted: readonly string[];
  /** The reason given with --now, if it ignored holds and waves. */
  readonly now: string | undefined;
  /** The share of clusters that failed before it was applied; 0 to 1, 0 for a first version. `undefined`: unknown. */
  readonly baseline?: number | undefined;
  /**
   * When its objects came back after somebody removed them; `undefined`: never. Clusters may have failed for that. Unix
   * milliseconds.
   */
  readonly restoredMs?: number | undefined;
  /** The state of its clusters; `undefined`: no controller counts them. */
  readonly wave?: WaveRecord | undefined;
}

/** A past version of an entry. Unix milliseconds. */
export interface PastVersion {
  readonly version: string;
  readonly specHash: string;
  readonly commit?: string | undefined;
  readonly fromMs: number;
  readonly untilMs: number;
  /** How long it soaked in order. Milliseconds. */
  readonly soakedMs: number;
}

/** The number of past versions that are kept. */
const KEPT = 10;

/** The key of an entry in records: `<channel>/<module>`. A ModuleReleaseMeta does not name a mandatory channel. */
export function entryKey(entry: {
  readonly module: string;
  readonly channel: string;
  readonly mandatory: boolean;
}): string {
  return `${entry.mandatory ? MANDATORY : entry.channel}/${entry.module}`;
}

/** The channel and the module of an `entryKey`. */
export function placeOfKey(key: string): { readonly channel: string; readonly module: string } {
  const slash = key.indexOf("/");
  return { channel: key.slice(0, slash), module: key.slice(slash + 1) };
}

/** Whether `version` is above `limit`. An invalid version counts as above, because it is not known to be low. */
export function isAbove(version: string, limit: string): boolean {
  const [left, right] = [parseVersion(version), parseVersion(limit)];
  return left === undefined || right === undefined || compareVersions(left, right) > 0;
}

/** The name of the template of an entry: of its version; up to lifecycle-manager 1.7, of its channel. */
export function entryTemplateName(
  { module, channel }: { readonly module: string; readonly channel: string },
  version: string,
  generation: Generation,
): string {
  return `${module}-${generation === "channel-templates" ? channel : version}`;
}

/** The object that holds an entry: the release meta of its module; up to lifecycle-manager 1.7, a template. */
export function entryHolder(
  entry: Parameters<typeof entryTemplateName>[0],
  generation: Generation,
): { readonly kind: string; readonly name: string } {
  return generation === "channel-templates"
    ? { kind: RESOURCES.moduleTemplate.kind, name: entryTemplateName(entry, "", generation) }
    : { kind: RESOURCES.moduleReleaseMeta.kind, name: entry.module };
}

/** The names of the recorded objects, with their modules: release metas, and templates of either generation. */
export const recordedNames: (records: Records) => ReadonlyMap<string, string> = oncePer((records) =>
  namesIn(records, () => true),
);

/** The same without versions that we found on the control plane, and did not write. */
export const appliedNames: typeof recordedNames = oncePer((records) =>
  namesIn(records, ({ specHash }) => specHash !== ""),
);

function namesIn(
  records: Records,
  counts: (served: Pick<ServedVersion, "specHash">) => boolean,
): ReadonlyMap<string, string> {
  return new Map(
    [...entriesIn(records)].flatMap(([key, { current, next, previous }]): [string, string][] => {
      const { channel, module } = placeOfKey(key);
      const served = [current, next, ...previous].filter((one) => one !== undefined).filter(counts);
      const names = served.flatMap(({ version }) => [module, `${module}-${channel}`, `${module}-${version}`]);
      return names.map((name) => [name, module]);
    }),
  );
}

/**
 * The version of an entry that we last applied. The announced version counts once it is live; without records, the live
 * version counts.
 */
export function appliedVersion(records: Records, key: string, live: string | undefined): string | undefined {
  if (records.kind === "none") return live;
  const record = records.entries.get(key);
  return live !== undefined && record?.next?.version === live ? live : record?.current?.version;
}

/** Whether we applied a version in one of the entries in `own`. Without records, live versions count as applied. */
export function isApplied(version: string, records: Records, own: ReadonlyMap<string, EntryRecord>): boolean {
  if (records.kind === "none") return true;
  return [...own.values()].some(({ current, next }) => [current?.version, next?.version].includes(version));
}

/** The record of an entry that is about to serve `next`. */
export function announced(record: EntryRecord | undefined, live: string | undefined, next: ServedVersion): EntryRecord {
  const { current, previous = [], terms } = settled(record, live) ?? {};
  return { current, previous, next, terms };
}

/**
 * The record of an entry for its live version: `next` has become current, or is dropped. `undefined`: the entry has
 * never been live. The period of a version ends when the next one was announced, even if that is noticed much later,
 * after a kill.
 */
export function settled(record: EntryRecord | undefined, live: string | undefined): EntryRecord | undefined {
  if (record?.next === undefined) return record;
  const { current, next, previous, terms } = record;
  if (next.version !== live) return current && { current, next: undefined, previous, terms };
  if (current?.version === next.version && current.specHash === next.specHash)
    return { current, next: undefined, previous, terms };
  const past = current && {
    version: current.version,
    specHash: current.specHash,
    commit: current.commit,
    fromMs: current.sinceMs,
    untilMs: next.sinceMs,
    soakedMs: soakedMs(current, next.sinceMs, next.baseline),
  };
  return { current: next, next: undefined, previous: [...(past ? [past] : []), ...previous].slice(0, KEPT), terms };
}

/** The share of clusters that failed with the version before the current one; `undefined`: unknown, or there was none. */
export function failedBefore({ current, previous }: EntryRecord): number | undefined {
  return previous.length === 0 ? undefined : current?.baseline;
}

/** The state of a version on the clusters of a landscape, as its controller records it. */
export interface WaveRecord {
  /** The number of clusters at the last count. */
  readonly failing: number;
  readonly inOrder: number;
  readonly pending: number;
  readonly countedMs: number;
  /** The share of clusters that failed before the version was applied; 0 to 1. */
  readonly baseline: number;
  /** How long the version was in order by the last count. Milliseconds. */
  readonly soakedMs: number;
  /** Whether it was in order at the last count: otherwise the soak stands. */
  readonly isInOrder: boolean;
  /** Whether a person resumed it after a halt, and so accepted what failed by then. */
  readonly isResumed: boolean;
  /** `undefined`: the wave continues. */
  readonly halt: WaveHalt | undefined;
}

/** A halt: the version goes no further until the repository names another one or a person resumes it. */
export interface WaveHalt {
  readonly sinceMs: number;
  /** The second half of a sentence. */
  readonly reason: string;
  /**
   * Whether a controller recorded it, so that a person can resume it; `false`: found by a single look at the clusters.
   */
  readonly isRecorded?: boolean;
}

/**
 * How long a past version soaked in order, by the last count of its clusters. Zero if it was halted or not in order by
 * then; without a controller, zero if more clusters failed at its end than before it. Milliseconds.
 *
 * Takes:  `failedAtEnd`, the share of failing clusters at its end, 0 to 1; `undefined`: unknown.
 */
export function soakedMs(
  { sinceMs, wave, baseline = 0 }: Pick<ServedVersion, "sinceMs" | "wave" | "baseline">,
  untilMs: number,
  failedAtEnd: number | undefined,
): number {
  if (wave === undefined) return failedAtEnd === undefined || failedAtEnd > baseline ? 0 : untilMs - sinceMs;
  // The end of each soak that a landscape waits for was counted, so nothing that matters is lost by this.
  return wave.halt === undefined && wave.isInOrder ? wave.soakedMs : 0;
}
