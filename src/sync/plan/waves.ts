import type { Catalogue, Channel } from "../../catalogue/catalogue.ts";
import { type LandscapeName, MANDATORY } from "../../catalogue/names.ts";
import type { Settings } from "../../catalogue/settings.ts";
import { deadlineIn, waveInto } from "../../catalogue/wave.ts";
import { type KnownUsers, type ModuleUser, type Users, usersEverywhere } from "../../fleet/users.ts";
import { countWave } from "../../fleet/wave.ts";
import { type Controls, resumedMs } from "./controls.ts";
import type { EntryStep } from "./item.ts";
import { type EntryRecord, placeOfKey, type ServedVersion, type WaveRecord } from "./records.ts";
import { advanceWave, CONFIRM_MS, isOld } from "./soak.ts";

/** The demands of later landscapes on the entries of a landscape. */
interface WaveDemand {
  /** The soak times of all of them, including those of hot-fixes. Milliseconds. */
  readonly soaksMs: readonly number[];
  /** The lowest tolerance among them; 0 to 1. */
  readonly notWorseBy: number;
}

/** The landscape of waves, and the catalogue. */
interface WaveScope {
  readonly catalogue: Catalogue;
  /** The landscape whose clusters are counted. */
  readonly landscape: string;
}

/** The input for advancing waves. */
export interface WaveContext extends WaveScope {
  readonly users: Users;
  readonly resumes: Controls["resumes"];
  /** The entries whose objects are not live as recorded: what their clusters report says nothing of the version. */
  readonly absent: ReadonlySet<string>;
  readonly nowMs: number;
}

/** The least time between two records of changed counts, or of a soak that runs. Milliseconds. */
const OFTEN_MS = 30_000;

/** The demand of later landscapes on a channel that is served in `serving`; `undefined`: there are none. */
export function demandOn(
  landscape: string,
  serving: readonly LandscapeName[],
  settings: Settings,
): WaveDemand | undefined {
  const waiting = settings.landscapes.flatMap(({ name, after }) => {
    const step = serving.includes(name) ? waveInto(name, serving, settings.landscapes) : undefined;
    return step?.landscape === landscape && after !== undefined ? [{ step, after }] : [];
  });
  if (waiting.length === 0) return undefined;
  return {
    soaksMs: [...new Set(waiting.flatMap(({ step }) => [step.soakMs, step.hotfixSoakMs]))],
    notWorseBy: Math.min(...waiting.map(({ after }) => after.notWorseBy)),
  };
}

/**
 * The records after a count of the clusters of each entry. Counts that changed only a moment ago are not worth a write,
 * unless a later landscape waits for them, or the soak begins or stops to run: a kill loses seconds of it at most.
 */
export function advanceWaves(
  records: ReadonlyMap<string, EntryRecord>,
  context: WaveContext,
): ReadonlyMap<string, EntryRecord> {
  const demandOf = waveDemands(context);
  return new Map([...records].map(([key, record]) => [key, advanceRecord(key, record, demandOf(key), context)]));
}

/**
 * The records of an earlier landscape, with a count of the clusters for entries that no controller counted lately: the
 * age of an entry alone would let a version through that fails everywhere. An entry that is about to move is counted as
 * well: its sync may have been killed.
 */
export function withLook(
  records: ReadonlyMap<string, EntryRecord>,
  context: Omit<WaveContext, "resumes" | "absent">,
): ReadonlyMap<string, EntryRecord> {
  const demandOf = waveDemands(context);
  return new Map(
    [...records].map(([key, record]) => [
      key,
      record.current !== undefined && isUncounted(record.current, context.nowMs)
        ? asLook({ ...lookAt(key, record, demandOf(key), context), next: record.next })
        : record,
    ]),
  );
}

function lookAt(
  key: string,
  record: EntryRecord,
  demand: WaveDemand | undefined,
  context: Omit<WaveContext, "resumes" | "absent">,
): EntryRecord {
  const alone = { ...context, resumes: new Map(), absent: new Set<string>() };
  return advanceRecord(key, { ...record, next: undefined }, demand, alone);
}

/** Marks a halt as found by a look, not recorded. */
function asLook(record: EntryRecord): EntryRecord {
  const { current } = record;
  if (current?.wave?.halt === undefined) return record;
  const { wave } = current;
  return { ...record, current: { ...current, wave: { ...wave, halt: { ...current.wave.halt, isRecorded: false } } } };
}

/** Whether a later landscape waits for a version whose clusters no controller counted lately. */
export function isAnyUncounted(
  records: ReadonlyMap<string, EntryRecord>,
  context: WaveScope & Pick<WaveContext, "nowMs">,
): boolean {
  const demandOf = waveDemands(context);
  return [...records].some(
    ([key, { current }]) => current !== undefined && isUncounted(current, context.nowMs) && demandOf(key) !== undefined,
  );
}

/** A halt stays, whatever becomes of the clusters. */
function isUncounted({ wave }: ServedVersion, nowMs: number): boolean {
  return wave === undefined || (wave.halt === undefined && isOld(wave, nowMs));
}

/** Whether an entry still soaks or has pending clusters, so that its clusters must be counted again soon. */
export function isAnyUnderway(records: ReadonlyMap<string, EntryRecord>, context: WaveContext): boolean {
  const demandOf = waveDemands(context);
  return [...records].some(([key, { current }]) => {
    const demand = demandOf(key);
    if (current === undefined || demand === undefined) return false;
    const { wave } = current;
    const ends = wave === undefined || wave.isInOrder ? waveEnds(current, demand) : [];
    return ends.some((end) => end > context.nowMs) || (wave !== undefined && wave.pending > 0);
  });
}

/** The channel of an entry. Records do not name mandatory channels; a mandatory module is in one of them. */
export function entryChannel(
  { channel, module, mandatory }: Pick<EntryStep, "channel" | "module" | "mandatory">,
  { channels }: Catalogue,
): Channel | undefined {
  return [...channels.values()].find(({ name, kind, templates }) =>
    mandatory ? kind === "mandatory" && [...templates.keys()].some((one) => one === module) : name === channel,
  );
}

/** The demand on an entry, by its key. Cached per release channel: there are thousands of entries, and few channels. */
function waveDemands({ catalogue, landscape }: WaveScope): (key: string) => WaveDemand | undefined {
  const known = new Map<string, WaveDemand | undefined>();
  return (key) => {
    const { channel, module } = placeOfKey(key);
    const mandatory = channel === MANDATORY;
    const about = mandatory ? key : channel;
    if (known.has(about)) return known.get(about);
    const found = entryChannel({ channel, module, mandatory }, catalogue);
    const demand = found && demandOn(landscape, found.landscapes, catalogue.settings);
    known.set(about, demand);
    return demand;
  };
}

function advanceRecord(
  key: string,
  record: EntryRecord,
  demand: WaveDemand | undefined,
  context: WaveContext,
): EntryRecord {
  const { users, resumes, nowMs, absent } = context;
  const { current } = record;
  if (current === undefined || demand === undefined || users.kind === "unknown" || absent.has(key)) return record;
  // An entry that is about to move is not counted, unless its move fails for long.
  if (record.next !== undefined && !isDue(current.wave, nowMs)) return record;
  const { channel, module } = placeOfKey(key);
  const { version, sinceMs: appliedMs, restoredMs } = current;
  const deadlineMs = deadlineIn(context.landscape, context.catalogue.settings);
  const wanted = { channel, mandatory: channel === MANDATORY, version, appliedMs, restoredMs, deadlineMs };
  const counts = countWave(countedUsers({ ...wanted, module }, users, context.catalogue), wanted, nowMs);
  const rule = { notWorseBy: demand.notWorseBy, resumedMs: resumedMs(module, resumes) };
  const wave = advanceWave(current.wave, current, counts, rule, nowMs);
  return isWorthWriting(current, wave, demand) ? { ...record, current: { ...current, wave } } : record;
}

/** The users of a module whose clusters count. A mandatory module that is offered to all clusters counts on every Kyma. */
export function countedUsers(
  { mandatory, module }: { readonly mandatory: boolean; readonly module: string },
  users: KnownUsers,
  { modules }: Catalogue,
): readonly ModuleUser[] {
  const own = mandatory ? [...modules.values()].find(({ name }) => name === module) : undefined;
  const isForAll = own !== undefined && !["kymaSelector", "beta", "internal"].some((field) => field in own.says);
  return isForAll ? usersEverywhere(users, module) : (users.modules.get(module) ?? []);
}

/** The same users, with those of the mandatory modules of `entries` as `countedUsers` returns them. */
export function withMandatory(
  users: KnownUsers,
  entries: readonly { readonly mandatory: boolean; readonly module: string }[],
  catalogue: Catalogue,
): KnownUsers {
  const mandatory = entries.filter((entry) => entry.mandatory);
  const counted = mandatory.map((entry) => [entry.module, countedUsers(entry, users, catalogue)] as const);
  return { ...users, modules: new Map([...users.modules, ...counted]) };
}

function isWorthWriting(current: ServedVersion, wave: WaveRecord, { soaksMs }: WaveDemand): boolean {
  const before = current.wave;
  if (before === undefined || before.halt?.sinceMs !== wave.halt?.sinceMs) return true;
  // A clock that was ahead dated the last count, so later landscapes do not believe it.
  if (wave.countedMs < before.countedMs || isDue(before, wave.countedMs)) return true;
  // The landscape that waits accepts only a count after the end of the soak.
  const isEnd = soaksMs.some((soakMs) => before.soakedMs < soakMs && soakMs <= wave.soakedMs);
  if (isEnd || before.isInOrder !== wave.isInOrder) return true;
  return isNews(before, wave, soaksMs) && wave.countedMs - before.countedMs >= OFTEN_MS;
}

/** Whether the soak went on, or the numbers of clusters changed. */
function isNews(before: WaveRecord, wave: WaveRecord, soaksMs: WaveDemand["soaksMs"]): boolean {
  const isSoaking = wave.isInOrder && soaksMs.some((soakMs) => wave.soakedMs < soakMs);
  return isSoaking || (["failing", "inOrder", "pending"] as const).some((key) => before[key] !== wave[key]);
}

function isDue(last: WaveRecord | undefined, nowMs: number): boolean {
  return last !== undefined && nowMs - last.countedMs >= CONFIRM_MS;
}

/** The times at which the soaks of a version end while it stays in order, as far as known. */
function waveEnds({ sinceMs, wave }: ServedVersion, { soaksMs }: WaveDemand): readonly number[] {
  return soaksMs.map((soakMs) => (wave === undefined ? sinceMs + soakMs : wave.countedMs + soakMs - wave.soakedMs));
}
