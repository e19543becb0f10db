import type { ModuleTerms } from "../../catalogue/compile.ts";
import { soakedMs, type WaveRecord } from "./wave.ts";

/** What we last made the control plane serve, or that nothing says so. */
export type Records =
  /** The first sync, or one after an import: what is live counts. */
  { readonly kind: "none" } | { readonly kind: "known"; readonly entries: ReadonlyMap<string, EntryRecord> };

const NO_ENTRIES: ReadonlyMap<string, EntryRecord> = new Map();

/** What is recorded of each entry; nothing where nobody recorded anything, or that is not known. */
export function entriesIn(records: Records | { readonly kind: "unknown" }): ReadonlyMap<string, EntryRecord> {
  return records.kind === "known" ? records.entries : NO_ENTRIES;
}

/** The life of one entry on one control plane. */
export interface EntryRecord {
  /** `undefined` until the first version is there. */
  readonly current: ServedVersion | undefined;
  /** What was about to be written; a sync that was killed may have written it or not. */
  readonly next: ServedVersion | undefined;
  /** Newest first, a bounded number. */
  readonly previous: readonly PastVersion[];
  /** What held for the module in every channel, should its release meta be gone. */
  readonly terms: ModuleTerms | undefined;
}

/** A version that an entry serves. */
export interface ServedVersion {
  readonly version: string;
  /** `specHash` of its template; empty where only the control plane knew it. */
  readonly specHash: string;
  /** Since when. Unix milliseconds. */
  readonly sinceMs: number;
  /** The refusals that were accepted when it entered: they count for later landscapes, too. */
  readonly accepted: readonly string[];
  /** The reason given with --now, by which it passed holds and waves. */
  readonly now: string | undefined;
  /** The share of clusters that failed before it was applied; 0 to 1. `undefined`: nobody could tell. */
  readonly baseline?: number | undefined;
  /** How its clusters fare; `undefined`: nobody watches them. */
  readonly wave?: WaveRecord | undefined;
}

/** A version that an entry served once. Unix milliseconds. */
export interface PastVersion {
  readonly version: string;
  readonly specHash: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** For how long it had soaked in order. Milliseconds. */
  readonly soakedMs: number;
}

/** How many earlier versions of an entry are kept. */
const KEPT = 10;

/** The channel under which a mandatory entry is recorded: a ModuleReleaseMeta does not name it. */
export const MANDATORY = "mandatory";

/** The key of an entry in records: `<channel>/<module>`. */
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

/**
 * What we last applied of an entry, given what is live. A version that was about to be written counts once it is live;
 * without records, what is live counts.
 */
export function appliedVersion(records: Records, key: string, live: string | undefined): string | undefined {
  if (records.kind === "none") return live;
  const record = records.entries.get(key);
  return live !== undefined && record?.next?.version === live ? live : record?.current?.version;
}

/** Whether we applied a version in one of the entries in `own`. Without records, what is live counts as applied. */
export function isApplied(version: string, records: Records, own: ReadonlyMap<string, EntryRecord>): boolean {
  if (records.kind === "none") return true;
  return [...own.values()].some(({ current, next }) => [current?.version, next?.version].includes(version));
}

/** The record of an entry that is about to serve `next`. */
export function announced(record: EntryRecord | undefined, live: string | undefined, next: ServedVersion): EntryRecord {
  const { current, previous = [], terms } = settled(record, live, next.sinceMs) ?? {};
  return { current, previous, next, terms };
}

/**
 * The record of an entry once it is known what is live: `next` has become current, or has not. `undefined`: it is
 * neither live nor was it ever.
 */
export function settled(
  record: EntryRecord | undefined,
  live: string | undefined,
  nowMs: number,
): EntryRecord | undefined {
  if (record?.next === undefined) return record;
  const { current, next, previous, terms } = record;
  if (next.version !== live) return current && { current, next: undefined, previous, terms };
  if (current?.version === next.version && current.specHash === next.specHash)
    return { current, next: undefined, previous, terms };
  const past = current && {
    version: current.version,
    specHash: current.specHash,
    fromMs: current.sinceMs,
    untilMs: nowMs,
    soakedMs: soakedMs(current, nowMs, next.baseline),
  };
  return { current: next, next: undefined, previous: [...(past ? [past] : []), ...previous].slice(0, KEPT), terms };
}
