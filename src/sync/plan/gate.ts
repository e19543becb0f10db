import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { ChannelEntry } from "../../catalogue/compile.ts";
import { countedHolds } from "../../catalogue/holdStrength.ts";
import { isHeld } from "../../catalogue/policy.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { compareVersions, type ModuleVersion, parseVersion } from "../../catalogue/version.ts";
import { waveInto } from "../../catalogue/wave.ts";
import { secondText } from "../../document/times.ts";
import { resumeCommand } from "./controls.ts";
import type { EntryGate, EntryMoveRequest } from "./input.ts";
import { type Waiting } from "./item.ts";
import {
  type EarlierRecords,
  entriesIn,
  entryKey,
  type EntryRecord,
  type ServedVersion,
  type WaveHalt,
} from "./records.ts";
import { validAcceptances } from "./refusals.ts";
import { waveClusters, judgeSoak } from "./soak.ts";

/** A version from which a channel went down by hand. It counts as held in every channel. */
export interface HeldByDecrease {
  readonly module: string;
  readonly version: string;
  /** A whole sentence. */
  readonly reason: string;
}

/** An entry that is to move, with the facts that a gate needs. */
type GatedMove = Parameters<typeof entryKey>[0] & Pick<EntryMoveRequest, "isLower" | "hadBefore">;

/** The input of a gate. */
export interface GateInput {
  readonly catalogue: Catalogue;
  readonly landscape: Landscape;
  /** The entries that are to move. */
  readonly moves: readonly GatedMove[];
  /** By the name of the landscape; only those that waves need. */
  readonly earlier: ReadonlyMap<string, EarlierRecords>;
  readonly decreases: readonly HeldByDecrease[];
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** The gate for the wanted entries of a landscape. */
export function entryGate(entries: readonly ChannelEntry[], input: GateInput): EntryGate {
  const moves = new Map(input.moves.map((move) => [entryKey(move), move]));
  const eachBlocked = (judge: (entry: ChannelEntry) => Waiting | undefined): ReadonlyMap<string, Waiting> =>
    new Map(
      entries.flatMap((entry) => {
        const blocked = judge(entry);
        return blocked === undefined ? [] : [[entryKey(entry), blocked]];
      }),
    );
  const holds = eachBlocked((entry) => holdOn(entry, input));
  const waves = eachBlocked((entry) => waveWait(entry, moves.get(entryKey(entry)), input));
  return { holds, waves, accepted: validAcceptances(input.catalogue, input.earlier.values(), input.nowMs) };
}

/** The hold on the version of an entry, with its author and reason; `undefined`: none. */
export function holdOn(
  { module, channel, version }: Pick<ChannelEntry, "module" | "channel" | "version">,
  { catalogue, decreases, nowMs }: Pick<GateInput, "catalogue" | "decreases" | "nowMs">,
): Waiting | undefined {
  const hold = countedHolds(catalogue, module).find((one) => isHeld([one], version, channel, nowMs));
  if (hold !== undefined) {
    const end = hold.until === undefined ? {} : { untilMs: Date.parse(hold.until) };
    return { reason: `${hold.by} holds ${version}: ${hold.reason}`, ...end };
  }
  const decrease = decreases.find((one) => one.module === module && one.version === version);
  return decrease && { reason: decrease.reason };
}

/** The nearest earlier landscape that serves the channel, and the soak of an entry there. */
interface EarlierLandscape {
  readonly name: string;
  readonly soakMs: number;
}

/** The landscape for which an entry waits; `undefined`: none. */
export function earlierFor(
  { channel, module, version }: Pick<ChannelEntry, "channel" | "module" | "version">,
  landscape: Landscape,
  { channels, modules, settings }: Catalogue,
): EarlierLandscape | undefined {
  const { hotfixes = [] } = modules.get(module) ?? {};
  const isHotfix = hotfixes.some((hotfix) => hotfix.version === version && hotfix.channel === channel);
  const step = waveInto(landscape.name, channels.get(channel)?.landscapes ?? [], settings.landscapes);
  return step && { name: step.landscape, soakMs: isHotfix ? step.hotfixSoakMs : step.soakMs };
}

function waveWait(entry: ChannelEntry, move: GatedMove | undefined, input: GateInput): Waiting | undefined {
  const before = earlierFor(entry, input.landscape, input.catalogue);
  if (before === undefined) return undefined;
  const records = input.earlier.get(before.name) ?? { kind: "none" };
  const isBack = move?.isLower === true && (move.hadBefore || hasServed(entry, records));
  return isBack ? undefined : waitFor(entry, before, records, input.nowMs);
}

function waitFor(
  entry: ChannelEntry,
  before: EarlierLandscape,
  records: EarlierRecords,
  nowMs: number,
): Waiting | undefined {
  const { name } = before;
  switch (records.kind) {
    case "unknown":
      return { reason: `the records of ${name} cannot be read: ${records.because}`, isUnknown: true };
    case "none":
      return { reason: `${name} comes first, but has no records yet: sync ${name} first` };
    case "known":
      return soakWait(entry, before, records.entries.get(entryKey(entry))?.current, nowMs);
  }
}

/**
 * Whether an earlier landscape serves or once served a version: a return to it is a withdrawal, which does not wait.
 */
function hasServed(entry: ChannelEntry, records: EarlierRecords): boolean {
  const record = entriesIn(records).get(entryKey(entry));
  const served = record === undefined ? [] : [record.current, ...record.previous];
  return served.some((one) => one?.version === entry.version && one.specHash === entry.specHash);
}

function soakWait(
  entry: ChannelEntry,
  { name, soakMs }: EarlierLandscape,
  current: ServedVersion | undefined,
  nowMs: number,
): Waiting | undefined {
  if (current?.version !== entry.version || current.specHash !== entry.specHash)
    return { reason: `${name} comes first, but does not serve ${entry.version} yet` };
  const soaked = judgeSoak(current, soakMs, nowMs);
  switch (soaked.kind) {
    case "soaked":
      return undefined;
    case "soaking":
      return { reason: `${name} has served it since ${secondText(current.sinceMs)}`, untilMs: soaked.untilMs };
    case "halted":
      return { reason: haltText(entry, name, soaked.halt) };
    case "stalled": {
      const { inOrder } = soaked.wave;
      return {
        reason: `its soak stands in ${name}: only ${inOrder} of ${waveClusters(soaked.wave)} clusters are in order`,
      };
    }
    case "uncompared": {
      const { failing } = soaked.wave;
      return {
        reason: `${failing} of ${waveClusters(soaked.wave)} clusters of ${name} fail, and it is unknown how many failed before it was applied. Ignore this: --now --reason`,
        isUnknown: true,
      };
    }
    case "uncounted":
      return {
        reason: `the clusters of ${name} were last counted at ${secondText(soaked.sinceMs)}, ${UNCOUNTED[soaked.why]}`,
        isUnknown: true,
      };
  }
}

const UNCOUNTED = {
  early: "before the end of the soak",
  old: "too long ago. Start or resume its controller, let this one count (install --reader --kymas), or ignore this: --now --reason",
  ahead: "which is in the future: correct the clocks",
};

function haltText({ module }: ChannelEntry, name: string, { sinceMs, reason, isRecorded = true }: WaveHalt): string {
  if (!isRecorded) return `it fails in ${name}: ${reason}. Serve another version, or ignore this: --now --reason`;
  return `it was halted in ${name} at ${secondText(sinceMs)}: ${reason}. Serve another version, or: ${resumeCommand(name, module)}`;
}

/** A version to which an entry moves while the wanted version is not due yet. */
export interface Interim {
  readonly wanted: ChannelEntry;
  readonly version: ModuleVersion;
  /** The `specHash` of that version in the earlier landscape. */
  readonly specHash: string;
}

/**
 * For each entry whose version is not due yet: the newest version above the live one that has soaked in the earlier
 * landscape and is not held. Without interim versions, a module with a patch every day would never advance.
 */
export function entryMoveInterims(
  moves: readonly EntryMoveRequest[],
  { waves }: Pick<EntryGate, "waves">,
  input: GateInput,
): readonly Interim[] {
  return moves.flatMap((move) => {
    const live = parseVersion(move.from ?? "");
    // A new entry starts with the wanted version.
    if (!waves.has(entryKey(move)) || live === undefined) return [];
    const [newest] = candidatesFor(move, input)
      .filter(({ version }) => compareVersions(version, live) > 0 && compareVersions(version, move.version) < 0)
      .toSorted((a, b) => compareVersions(b.version, a.version));
    return newest === undefined ? [] : [{ wanted: move, ...newest }];
  });
}

type InterimCandidate = Omit<Interim, "wanted">;

function candidatesFor(move: EntryMoveRequest, input: GateInput): readonly InterimCandidate[] {
  const { catalogue, landscape, earlier, decreases, nowMs } = input;
  const holds = countedHolds(catalogue, move.module);
  const before = earlierFor(move, landscape, catalogue);
  const records = before && earlier.get(before.name);
  const record = records && entriesIn(records).get(entryKey(move));
  return servedIn(record).flatMap(({ version: text, specHash, hasSoaked }) => {
    const version = parseVersion(text);
    // A hot-fix soaks for less time.
    const step = version && earlierFor({ ...move, version }, landscape, catalogue);
    if (version === undefined || step === undefined || !hasSoaked(step.soakMs, nowMs)) return [];
    const isKept =
      isHeld(holds, version, move.channel, nowMs) ||
      decreases.some((one) => one.module === move.module && one.version === version);
    return isKept ? [] : [{ version, specHash }];
  });
}

interface Served {
  readonly version: string;
  readonly specHash: string;
  readonly hasSoaked: (soakMs: number, nowMs: number) => boolean;
}

/** The current and the past versions of an entry in the earlier landscape. */
function servedIn(record: EntryRecord | undefined): readonly Served[] {
  if (record === undefined) return [];
  const { current, previous } = record;
  const past = previous.map(({ version, specHash, soakedMs }) => {
    return { version, specHash, hasSoaked: (soakMs: number) => soakedMs >= soakMs };
  });
  if (current === undefined) return past;
  const hasSoaked: Served["hasSoaked"] = (soakMs, nowMs) => judgeSoak(current, soakMs, nowMs).kind === "soaked";
  return [{ version: current.version, specHash: current.specHash, hasSoaked }, ...past];
}
