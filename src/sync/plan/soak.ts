import { CLOCKS_APART_MS } from "../../document/times.ts";
import { MOST_GAP_MS } from "../../fleet/exposure.ts";
import { describeUsers } from "../../fleet/users.ts";
import { failingShare, type WaveCounts } from "../../fleet/wave.ts";
import { type ServedVersion, type WaveHalt, type WaveRecord } from "./records.ts";

/** The rule by which a wave is judged. */
interface WaveRule {
  /** By how much the share of failing clusters may grow; 0 to 1. */
  readonly notWorseBy: number;
  /** The time of the last halt that a person resumed; `undefined`: none. Unix milliseconds. */
  readonly resumedMs: number | undefined;
}

/** The version whose clusters are counted. */
type CountedVersion = Omit<SoakingVersion, "wave">;

/**
 * The wave of a version after a count of its clusters. It halts when it is worse than before; where that is unknown, the
 * clusters that fail in the first count count as failed before.
 */
export function advanceWave(
  before: WaveRecord | undefined,
  version: CountedVersion,
  counts: WaveCounts,
  { notWorseBy, resumedMs }: WaveRule,
  nowMs: number,
): WaveRecord {
  const numbers = { failing: counts.failing.count, inOrder: counts.inOrder, pending: counts.pending, countedMs: nowMs };
  const share = failingShare(numbers);
  const last = before ?? firstWaveRecord(version, share);
  if (last.halt !== undefined && (resumedMs ?? -Infinity) < last.halt.sinceMs)
    return { ...last, ...numbers, isInOrder: false };
  const { isResumed, baseline } = accepted(last);
  const isWorse = share - baseline > notWorseBy;
  const halt = isWorse ? { sinceMs: nowMs, reason: haltText(counts, baseline, notWorseBy) } : undefined;
  // Where it is unknown what failed before, nothing may.
  const compared = version.baseline === undefined && !isResumed ? 0 : baseline;
  const isInOrder = isMostlyInOrder(numbers) && worstShare(counts) - compared <= notWorseBy;
  const seenMs = isInOrder ? Math.max(0, nowMs - seenSinceMs(before, version.sinceMs, counts.mostlySinceMs, nowMs)) : 0;
  return { ...numbers, baseline, soakedMs: last.soakedMs + seenMs, isInOrder, isResumed, halt };
}

/** What failed before. A person who resumes a wave has accepted what failed by then. */
function accepted(last: WaveRecord): Pick<WaveRecord, "isResumed" | "baseline"> {
  if (last.halt === undefined) return last;
  return { isResumed: true, baseline: Math.max(last.baseline, failingShare(last)) };
}

/** The share that fails, if all that may fail do. */
function worstShare({ failing, mayFail, inOrder }: WaveCounts): number {
  return failingShare({ failing: failing.count + mayFail, inOrder });
}

/** Before the first count. */
function firstWaveRecord({ sinceMs, baseline }: CountedVersion, share: number): WaveRecord {
  const none = { failing: 0, inOrder: 0, pending: 0, soakedMs: 0, isInOrder: true, isResumed: false, halt: undefined };
  return { ...none, countedMs: sinceMs, baseline: baseline ?? share };
}

/**
 * Since when a version that is in order has been so after the last count, as far as that was seen: by the times of the
 * clusters' own states, which outlive a controller; where these are unknown, by two counts close to each other.
 */
function seenSinceMs(
  before: WaveRecord | undefined,
  servedMs: number,
  mostlySinceMs: number | undefined,
  nowMs: number,
): number {
  if (before === undefined) return mostlySinceMs === undefined ? nowMs : Math.max(mostlySinceMs, servedMs);
  const { countedMs, isInOrder, halt } = before;
  if (mostlySinceMs === undefined) return isInOrder && nowMs - countedMs <= MOST_GAP_MS ? countedMs : nowMs;
  if (halt !== undefined) return nowMs;
  // It stood for another reason, which ended at an unknown time.
  return isInOrder || mostlySinceMs > countedMs ? Math.max(mostlySinceMs, countedMs) : nowMs;
}

function haltText({ failing, inOrder }: WaveCounts, base: number, notWorseBy: number): string {
  const before = `${percent(base)} failed before, and ${percent(notWorseBy)} more may`;
  return `${describeUsers(failing)} of ${failing.count + inOrder} fail; ${before}`;
}

/** Prints a share as a percentage, which is 0 or 100 only if none or all are meant. */
export function percent(share: number): string {
  const hundredths = Math.round(share * 10_000);
  if (hundredths === 0 && share > 0) return "<0.01%";
  if (hundredths === 10_000 && share < 1) return ">99.99%";
  return `${String(hundredths / 100)}%`;
}

/** Whether a version has soaked, when it will have, or what prevents it. */
export type Soaked =
  | { readonly kind: "soaked"; readonly users: "none" | "in order" | "unknown" }
  | { readonly kind: "soaking"; readonly untilMs: number }
  | { readonly kind: "halted"; readonly halt: WaveHalt }
  /** The soak stands: at most half of the clusters are in order, or too many may fail. */
  | { readonly kind: "stalled"; readonly wave: WaveRecord }
  /** The time is over, but the last count of the clusters does not count. */
  | { readonly kind: "uncounted"; readonly sinceMs: number; readonly why: "early" | "old" | "ahead" }
  /** The soak stands: some clusters fail, and it is unknown how many failed before the version was applied. */
  | { readonly kind: "uncompared"; readonly wave: WaveRecord };

/** The period and the wave of a served version. */
type SoakingVersion = Pick<ServedVersion, "sinceMs" | "wave" | "baseline">;

/** Judges the soak of a version. Without a count of clusters, only the time since it is served is known. */
export function judgeSoak(version: SoakingVersion, soakMs: number, nowMs: number): Soaked {
  const { sinceMs, wave } = version;
  if (wave !== undefined) return judgeWave(wave, version.baseline, soakMs, nowMs);
  const untilMs = sinceMs + soakMs;
  return untilMs > nowMs ? { kind: "soaking", untilMs } : { kind: "soaked", users: "unknown" };
}

function judgeWave(wave: WaveRecord, baseline: number | undefined, soakMs: number, nowMs: number): Soaked {
  if (wave.halt !== undefined) return { kind: "halted", halt: wave.halt };
  const leftMs = soakMs - wave.soakedMs;
  const untilMs = wave.countedMs + leftMs;
  if (wave.isInOrder && leftMs > 0 && untilMs > nowMs) return { kind: "soaking", untilMs };
  const why = whyUncounted(wave, soakMs, nowMs);
  return why === undefined ? judgeCount(wave, baseline) : { kind: "uncounted", sinceMs: wave.countedMs, why };
}

/** A controller confirms a count that is as old as this, as soon as it looks again, which it does each hour. Milliseconds. */
export const CONFIRM_MS: number = 30 * 60_000;

/** A controller ended, or may not write, if its last count is older. Milliseconds. */
const OLD_MS = 2 * 60 * 60_000;

/** Whether the clusters may have changed since the last count without a record of it. */
export function isOld({ countedMs }: WaveRecord, nowMs: number): boolean {
  return nowMs - countedMs > OLD_MS;
}

function whyUncounted(wave: WaveRecord, soakMs: number, nowMs: number): "early" | "old" | "ahead" | undefined {
  // A count from the future may be older than the end of the soak.
  if (wave.countedMs > nowMs + CLOCKS_APART_MS) return "ahead";
  if (isOld(wave, nowMs)) return "old";
  return wave.isInOrder && wave.soakedMs < soakMs ? "early" : undefined;
}

/** Judges the clusters by the last count. */
function judgeCount(wave: WaveRecord, baseline: number | undefined): Soaked {
  if (wave.isInOrder) return { kind: "soaked", users: waveClusters(wave) === 0 ? "none" : "in order" };
  const isUnknown = baseline === undefined && wave.failing > 0 && !wave.isResumed && isMostlyInOrder(wave);
  return { kind: isUnknown ? "uncompared" : "stalled", wave };
}

/** Whether more than half of the clusters are in order; true without clusters. */
export function isMostlyInOrder(numbers: Pick<WaveRecord, "failing" | "inOrder" | "pending">): boolean {
  return waveClusters(numbers) === 0 || numbers.inOrder * 2 > waveClusters(numbers);
}

/** The total number of clusters. */
export function waveClusters({
  failing,
  inOrder,
  pending,
}: Pick<WaveRecord, "failing" | "inOrder" | "pending">): number {
  return failing + inOrder + pending;
}
