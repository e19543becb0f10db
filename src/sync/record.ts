import type { Generation } from "../catalogue/settings.ts";
import { countWave, failingShare } from "../fleet/wave.ts";
import type { Fault } from "../ports.ts";
import type { ObjectOutcome } from "./apply.ts";
import type { PlanInput } from "./plan/input.ts";
import { isMove, planItems, type EntryItem, type Plan } from "./plan/item.ts";
import {
  announced,
  entryHolder,
  entryTemplateName,
  entriesIn,
  entryKey,
  placeOfKey,
  settled,
  type EntryRecord,
  type ServedVersion,
} from "./plan/records.ts";
import { createdObjects, withReturn } from "./plan/served.ts";
import type { StoredRecords } from "./recordStore.ts";

/** The result of carrying out one entry. */
export type EntryOutcome = { readonly entry: EntryItem } & (
  | { readonly result: "done" }
  | { readonly result: "left" }
  | { readonly result: "failed"; readonly fault: Fault }
  | { readonly result: "skipped"; readonly because: string }
);

/** The records to write, and the stored ones. */
export interface RecordKeeper {
  readonly entries: ReadonlyMap<string, EntryRecord>;
  /** Whether there are no records, neither stored nor to be written. */
  readonly isEmpty: boolean;
  stored: StoredRecords | undefined;
}

/** The records to write before the sync: the served versions, and the next version of each entry that moves. */
export function announce(plan: Plan, input: PlanInput, nowMs: number): RecordKeeper {
  const known = entriesIn(input.live.records);
  const context: AnnounceContext = {
    input,
    nowMs,
    hashes: new Map(input.desired.entries.map((entry) => [entryKey(entry), entry.specHash])),
    templates: new Set(input.live.templates.map(({ metadata }) => metadata.name)),
    refused: new Set(planItems(plan).flatMap(({ kind, object }) => (kind === "refused" ? [object.name] : []))),
  };
  const restoring = { created: createdObjects(plan), generation: input.desired.target.generation, nowMs };
  // Nothing is decided about modules that cannot be read or that are deferred. Entries that are neither wanted nor live
  // any more are dropped.
  const undecided = new Set<string>([...input.desired.withheld, ...(plan.deferred ?? [])]);
  const entries = new Map([...known].filter(([key]) => undecided.has(placeOfKey(key).module)));
  for (const { entries: items, terms, accepted = [] } of plan.modules.filter(({ module }) => !undecided.has(module))) {
    for (const entry of items) {
      const key = entryKey(entry);
      const record = withReturn(announcedRecord(entry, known.get(key), context), entry, restoring);
      if (record !== undefined) entries.set(key, accepting({ ...record, terms: terms ?? record.terms }, accepted));
    }
  }
  return { entries, isEmpty: entries.size === 0 && input.live.records.kind === "none", stored: undefined };
}

/** The record with acceptances of terms. Later landscapes look for those of a version, with which they are valid, too. */
function accepting(record: EntryRecord, keys: readonly string[]): EntryRecord {
  if (keys.length === 0) return record;
  const withKeys = (served: ServedVersion | undefined): ServedVersion | undefined =>
    served && { ...served, accepted: [...new Set([...served.accepted, ...keys])] };
  return record.next === undefined
    ? { ...record, current: withKeys(record.current) }
    : { ...record, next: withKeys(record.next) };
}

/** The context in which the record of an entry is made. */
interface AnnounceContext {
  readonly input: PlanInput;
  readonly nowMs: number;
  /** The `specHash` of each wanted entry, by `entryKey`. */
  readonly hashes: ReadonlyMap<string, string>;
  /** The names of the live templates. */
  readonly templates: ReadonlySet<string>;
  /** The names of the objects that are refused. */
  readonly refused: ReadonlySet<string>;
}

function announcedRecord(
  entry: EntryItem,
  record: EntryRecord | undefined,
  context: AnnounceContext,
): EntryRecord | undefined {
  switch (entry.kind) {
    case "create":
    case "raise":
    case "lower":
      return movedRecord(entry, record, context);
    case "unchanged":
      return unchangedRecord(entry, record, context);
    case "remove":
      if (entry.cause === "drift") return undefined;
      return settled(record, entry.from) ?? adopted(entry.from, "", context.nowMs);
    case "refused":
    case "waiting":
      return standingRecord(entry, record, context);
  }
}

function movedRecord(
  entry: Extract<EntryItem, { kind: "create" | "raise" | "lower" }>,
  record: EntryRecord | undefined,
  context: AnnounceContext,
): EntryRecord | undefined {
  const { cause, from, specHash } = entry;
  if (cause === "drift") return record;
  return announced(record ?? adopted(from, "", context.nowMs), from, servedBy(entry, specHash, record, context));
}

/** Without any records, the live version is adopted; with records, a live entry without one belongs to someone else. */
function standingRecord(
  entry: EntryItem,
  record: EntryRecord | undefined,
  context: AnnounceContext,
): EntryRecord | undefined {
  const { input, templates, nowMs } = context;
  if (input.live.records.kind === "known") return settled(record, entry.from);
  // Without the template that a live entry names, the version was never served.
  return templates.has(entryTemplateName(entry, entry.from ?? "", input.desired.target.generation))
    ? adopted(entry.from, "", nowMs)
    : undefined;
}

function unchangedRecord(
  entry: EntryItem,
  record: EntryRecord | undefined,
  context: AnnounceContext,
): EntryRecord | undefined {
  const { input, nowMs } = context;
  const { from } = entry;
  const hash = appliedContent(entry, context);
  const same = settled(record, from);
  const seen = adopted(from, hash, nowMs);
  if (same?.current === undefined || seen === undefined) return seen;
  // Another client wrote the wanted version.
  if (same.current.version !== from) return settled({ ...same, next: seen.current }, from);
  if (hash === "") return same;
  if (same.current.specHash === "") return { ...same, current: { ...same.current, specHash: hash } };
  const isSame = same.current.specHash === hash || input.options.changedContent === "refuse";
  return isSame ? same : announced(same, from, servedBy(entry, hash, same, context));
}

/** The hash of what an entry serves: the wanted content, unless its template may not be made so; empty if unknown. */
function appliedContent(entry: EntryItem, { input, hashes, refused }: AnnounceContext): string {
  const name = entryTemplateName(entry, entry.from ?? "", input.desired.target.generation);
  return refused.has(name) ? "" : (hashes.get(entryKey(entry)) ?? "");
}

function servedBy(
  entry: EntryItem,
  specHash: string,
  record: EntryRecord | undefined,
  { input, nowMs }: AnnounceContext,
): ServedVersion {
  const accepted = "accepted" in entry ? entry.accepted : [];
  const passed = "passed" in entry ? input.options.now : undefined;
  // What fails because of a version that was halted does not count as failed before.
  const { halt, baseline: earlier } = record?.current?.wave ?? {};
  const baseline = halt === undefined ? entryBaseline(entry, record?.current, input) : earlier;
  const commit = input.claim.revision.replace(/\+dirty$/, "");
  return {
    ...{ version: entry.to ?? "", specHash, sinceMs: nowMs, accepted, now: passed, baseline },
    ...(commit !== "" && { commit }),
  };
}

/** The share of an entry's clusters that fail before it moves; 0 for its first version. `undefined`: unknown. */
function entryBaseline(
  { module, channel, mandatory, from: version }: EntryItem,
  current: ServedVersion | undefined,
  { users, deadlineMs, nowMs }: PlanInput,
): number | undefined {
  if (users.kind === "unknown") return undefined;
  if (version === undefined) return 0;
  const { sinceMs: appliedMs, restoredMs } = current?.version === version ? current : {};
  const wanted = { channel, mandatory, version, appliedMs, restoredMs, deadlineMs };
  const { failing, inOrder } = countWave(users.modules.get(module) ?? [], wanted, nowMs);
  return failingShare({ failing: failing.count, inOrder });
}

/** A record for a version that was live before there were records. */
function adopted(live: string | undefined, specHash: string, nowMs: number): EntryRecord | undefined {
  if (live === undefined) return undefined;
  const current: ServedVersion = { version: live, specHash, sinceMs: nowMs, accepted: [], now: undefined };
  return { current, next: undefined, previous: [], terms: undefined };
}

/** The records after the sync. An entry stays announced if it is unknown whether it was written. */
export function settle(keeper: RecordKeeper, outcomes: readonly EntryOutcome[], nowMs: number): RecordKeeper {
  const entries = new Map(keeper.entries);
  for (const { entry, result } of outcomes) {
    const key = entryKey(entry);
    const record = entries.get(key);
    if (result === "failed" || record === undefined) continue;
    if (entry.kind === "remove" && result === "done") {
      entries.delete(key);
      continue;
    }
    const live = result === "done" ? entry.to : entry.from;
    // A version counts as served from the moment its release meta was written.
    const isWritten = result === "done" && record.next !== undefined;
    const dated = isWritten ? { ...record, next: { ...record.next, sinceMs: nowMs } } : record;
    const next = settled(dated, live);
    if (next === undefined) entries.delete(key);
    else entries.set(key, next);
  }
  return { ...keeper, entries };
}

/**
 * The outcome of an entry, from the outcome of the object that holds it. That object was written without an entry that
 * may no longer move since another client changed the object.
 */
export function entryOutcome(
  entry: EntryItem,
  outcomes: readonly ObjectOutcome[],
  generation: Generation,
): EntryOutcome {
  if (!isMove(entry)) return { entry, result: "left" };
  const { kind, name } = entryHolder(entry, generation);
  const outcome = outcomes.find(({ item: { object } }) => {
    return object.kind === kind && object.name === name && object.field === undefined;
  });
  const again = outcome?.again?.find((one) => entryKey(one) === entryKey(entry));
  const isStopped = again !== undefined && !isMove(again) && again.kind !== "unchanged";
  return isStopped ? { entry: again, result: "left" } : outcomeBy(entry, outcome, `${kind} ${name}`);
}

function outcomeBy(entry: EntryItem, outcome: ObjectOutcome | undefined, name: string): EntryOutcome {
  switch (outcome?.result) {
    case "done":
      return { entry, result: "done" };
    case "failed":
      return { entry, result: "failed", fault: outcome.fault };
    case "skipped":
      return { entry, result: "skipped", because: outcome.because };
    case "contested":
      // Another client may change a field that is not about the entry: then the entry moved.
      return outcome.fields.length > 0 &&
        !outcome.fields.some(({ path: [root, field] }) => root === "spec" && ABOUT_ENTRY.some((name) => name === field))
        ? { entry, result: "done" }
        : { entry, result: "skipped", because: `${name} is contested` };
    case "left":
    case undefined:
      return { entry, result: "skipped", because: `${name} could not be written` };
  }
}

const ABOUT_ENTRY = ["channels", "channel", "version", "mandatory"];
