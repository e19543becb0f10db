import { CLOCKS_APART_MS } from "../../document/times.ts";
import { describeUsers } from "../../fleet/users.ts";
import { failingShare, type WaveCounts } from "../../fleet/wave.ts";

/** The state of a version on the clusters of a landscape, as its controller records it. */
export interface WaveRecord {
  /** The number of clusters at the last count. */
  readonly failing: number;
  readonly inOrder: number;
  readonly pending: number;
  readonly countedMs: number;
  /** The share of clusters that failed before the version was applied; 0 to 1. */
  readonly baseline: number;
  /** How long past halts stopped the soak, without the current halt. Milliseconds. */
  readonly stoodMs: number;
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

/** The rule by which a wave is judged. */
interface WaveRule {
  /** By how much the share of failing clusters may grow; 0 to 1. */
  readonly notWorseBy: number;
  /** The time of the last halt that a person resumed; `undefined`: none. Unix milliseconds. */
  readonly resumedMs: number | undefined;
}

/** The wave of a version after a count of its clusters. In the first count, failing clusters count as failed before. */
export function advanceWave(
  before: WaveRecord | undefined,
  baseline: number | undefined,
  counts: WaveCounts,
  { notWorseBy, resumedMs }: WaveRule,
  nowMs: number,
): WaveRecord {
  const numbers = { failing: counts.failing.count, inOrder: counts.inOrder, pending: counts.pending, countedMs: nowMs };
  const share = failingShare(numbers);
  const last = before ?? { ...numbers, baseline: baseline ?? share, stoodMs: 0, halt: undefined };
  if (last.halt !== undefined && (resumedMs ?? -Infinity) < last.halt.sinceMs) return { ...last, ...numbers };
  // The clock may have been ahead at the halt, which must not shorten the soak.
  const haltedMs = last.halt === undefined ? 0 : Math.max(0, nowMs - last.halt.sinceMs);
  const stoodMs = last.stoodMs + haltedMs;
  // A person who resumes a wave has accepted what failed by then.
  const base = last.halt === undefined ? last.baseline : Math.max(last.baseline, failingShare(last));
  const isWorse = share - base > notWorseBy;
  const halt = isWorse ? { sinceMs: nowMs, reason: haltText(counts, base, notWorseBy) } : undefined;
  return { ...numbers, baseline: base, stoodMs, halt };
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
  /** The time is over, but at most half of the clusters are in order. */
  | { readonly kind: "stalled"; readonly wave: WaveRecord }
  /** The time is over, but the last count of the clusters does not count. */
  | { readonly kind: "uncounted"; readonly sinceMs: number; readonly why: "early" | "old" | "ahead" }
  /** Some clusters fail, and it is unknown how many failed before the version was applied. */
  | { readonly kind: "uncompared"; readonly wave: WaveRecord };

/** The period and the wave of a served version. */
interface SoakingVersion {
  readonly sinceMs: number;
  readonly wave?: WaveRecord | undefined;
  /** The share of clusters that failed before it was applied; `undefined`: unknown. */
  readonly baseline?: number | undefined;
}

/** Judges the soak of a version. Without a count of clusters, only the time since it is served is known. */
export function judgeSoak({ sinceMs, wave, baseline }: SoakingVersion, soakMs: number, nowMs: number): Soaked {
  if (wave?.halt !== undefined) return { kind: "halted", halt: wave.halt };
  const untilMs = sinceMs + (wave?.stoodMs ?? 0) + soakMs;
  if (untilMs > nowMs) return { kind: "soaking", untilMs };
  if (wave === undefined) return { kind: "soaked", users: "unknown" };
  const why = whyUncounted(wave, untilMs, nowMs);
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

function whyUncounted(wave: WaveRecord, untilMs: number, nowMs: number): "early" | "old" | "ahead" | undefined {
  // A count from the future may be older than the end of the soak.
  if (wave.countedMs > nowMs + CLOCKS_APART_MS) return "ahead";
  if (wave.countedMs < untilMs) return "early";
  return isOld(wave, nowMs) ? "old" : undefined;
}

/** Judges the clusters at the end of a soak. */
function judgeCount(wave: WaveRecord, baseline: number | undefined): Soaked {
  if (!isMostlyInOrder(wave)) return { kind: "stalled", wave };
  // A wave that stood was resumed by a person, who has accepted what fails.
  if (baseline === undefined && wave.failing > 0 && wave.stoodMs === 0) return { kind: "uncompared", wave };
  return { kind: "soaked", users: clustersOf(wave) === 0 ? "none" : "in order" };
}

/** Whether more than half of the clusters are in order; true without clusters. */
export function isMostlyInOrder(wave: WaveRecord): boolean {
  return clustersOf(wave) === 0 || wave.inOrder * 2 > clustersOf(wave);
}

/** The total number of clusters. */
export function clustersOf({ failing, inOrder, pending }: WaveRecord): number {
  return failing + inOrder + pending;
}

/**
 * How long a past version soaked in order, up to the last count of its clusters. Zero if it was halted or half of its
 * clusters or more were not in order; without a controller, zero if more clusters failed at its end than before it.
 * Milliseconds.
 *
 * Takes:  `failedAtEnd`, the share of failing clusters at its end, 0 to 1; `undefined`: unknown.
 */
export function soakedMs(
  { sinceMs, wave, baseline = 0 }: SoakingVersion,
  untilMs: number,
  failedAtEnd: number | undefined,
): number {
  if (wave === undefined) return failedAtEnd === undefined || failedAtEnd > baseline ? 0 : untilMs - sinceMs;
  // The end of each soak that a landscape waits for was counted, so nothing that matters is lost by this.
  const seenMs = Math.min(untilMs, wave.countedMs) - sinceMs - wave.stoodMs;
  return wave.halt === undefined && isMostlyInOrder(wave) ? Math.max(0, seenMs) : 0;
}
