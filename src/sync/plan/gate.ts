import { canonicalJson } from "../../document/canonical.ts";
import { secondText } from "../../document/times.ts";
import type { Catalogue, Module } from "../../catalogue/catalogue.ts";
import type { ChannelEntry } from "../../catalogue/compile.ts";
import { countedHolds } from "../../catalogue/holdStrength.ts";
import { acceptedSteps, isHeld, type Acceptance } from "../../catalogue/policy.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { waveInto } from "../../catalogue/wave.ts";
import { resumeCommand } from "./resume.ts";
import type { Waiting, Refusal } from "./item.ts";
import { entriesIn, entryKey, type Records, type ServedVersion } from "./records.ts";
import { clustersOf, judgeSoak, type WaveHalt } from "./wave.ts";

/** Holds, waves and acceptances for the entries of a landscape. */
export interface EntryGate {
  /** Why entries may not move to their wanted version because it is held, by `entryKey`. */
  readonly holds: ReadonlyMap<string, Waiting>;
  /** Likewise, because an earlier landscape has not served the version for long enough. A withdrawal does not wait. */
  readonly waves: ReadonlyMap<string, Waiting>;
  /** The accepted refusals, by `acceptedKey`. */
  readonly accepted: ReadonlySet<string>;
}

/** A gate that blocks nothing and accepts nothing. */
export const OPEN_GATE: EntryGate = { holds: new Map(), waves: new Map(), accepted: new Set() };

/** The records of an earlier landscape, or why they are unknown. */
export type EarlierRecords =
  | Records
  /** We may not read it, or cannot reach it. */
  | { readonly kind: "unknown"; readonly because: string };

/** A version from which a channel went down by hand. It counts as held in every channel. */
export interface HeldByDecrease {
  readonly module: string;
  readonly version: string;
  /** A whole sentence. */
  readonly reason: string;
}

/** An entry that is to move, with the facts that a gate needs. */
interface GatedMove {
  readonly module: string;
  readonly channel: string;
  readonly mandatory: boolean;
  /** Whether the version goes down. */
  readonly isLower: boolean;
  /** Whether the landscape served the version before. */
  readonly hadBefore: boolean;
}

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
export function gateOf(entries: readonly ChannelEntry[], input: GateInput): EntryGate {
  const moves = new Map(input.moves.map((move) => [entryKey(move), move]));
  const eachBlocked = (judge: (entry: ChannelEntry) => Waiting | undefined): ReadonlyMap<string, Waiting> =>
    new Map(
      entries.flatMap((entry) => {
        const blocked = judge(entry);
        return blocked === undefined ? [] : [[entryKey(entry), blocked]];
      }),
    );
  const holds = eachBlocked((entry) => holdOn(entry, input));
  const waves = eachBlocked((entry) => waveOf(entry, moves.get(entryKey(entry)), input));
  return { holds, waves, accepted: acceptedIn(input) };
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

function waveOf(entry: ChannelEntry, move: GatedMove | undefined, input: GateInput): Waiting | undefined {
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
      return soakOf(entry, before, records.entries.get(entryKey(entry))?.current, nowMs);
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

function soakOf(
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
        reason: `its soak stands in ${name}: only ${inOrder} of ${clustersOf(soaked.wave)} clusters are in order`,
      };
    }
    case "uncompared": {
      const { failing } = soaked.wave;
      return {
        reason: `${failing} of ${clustersOf(soaked.wave)} clusters of ${name} fail, and it is unknown how many failed before it was applied. Ignore this: --now --reason`,
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

/** A refused step of an entry, or a refused change of a field. */
export type RefusedStep = { readonly refusal: Refusal; readonly module: string } & (
  | { readonly channel: string; readonly from: string | undefined; readonly to: string | undefined }
  | { readonly field: string; readonly from: unknown; readonly to: unknown }
);

/** The key of an acceptance. */
export function acceptedKey(step: RefusedStep): string {
  const { refusal, module, from, to } = step;
  return canonicalJson([refusal, module, "field" in step ? step.field : step.channel, from ?? null, to ?? null]);
}

/** The acceptances that are valid now, and those that an earlier landscape recorded for the same step. */
function acceptedIn(input: GateInput): ReadonlySet<string> {
  const recorded = new Set(
    [...input.earlier.values()].flatMap((records) =>
      [...entriesIn(records).values()].flatMap(({ current }) => current?.accepted ?? []),
    ),
  );
  const keys = [...input.catalogue.modules.values()].flatMap((module) =>
    (module.says.accepts ?? []).flatMap((acceptance) => {
      if (NEVER_ACCEPTED.has(acceptance.refusal)) return [];
      return keysOf(module, acceptance).filter(
        (key) => Date.parse(acceptance.until) > input.nowMs || recorded.has(key),
      );
    }),
  );
  return new Set(keys);
}

/** Unknown facts, a missing artifact and a foreign set cannot be accepted. */
const NEVER_ACCEPTED: ReadonlySet<string> = new Set<Refusal>(["references-unknown", "artifact-missing", "other-set"]);

function keysOf({ name: module }: Module, acceptance: Acceptance): readonly string[] {
  const refusal = acceptance.refusal as Refusal;
  const { channel, field, from, to } = acceptance;
  if (field !== undefined) return [acceptedKey({ refusal, module, field, from, to })];
  return acceptedSteps({ from, to }).map(([before, after]) =>
    acceptedKey({ refusal, module, channel, from: before ?? undefined, to: after ?? undefined }),
  );
}
