import { describeUsers } from "../../fleet/users.ts";
import { failingShare, type WaveCounts } from "../../fleet/wave.ts";

/** How a version fares where it is served, as whoever watches that landscape records it. */
export interface WaveRecord {
  /** Clusters, when they were counted last. */
  readonly failing: number;
  readonly inOrder: number;
  readonly pending: number;
  readonly countedMs: number;
  /** The share of clusters that failed before the version was applied; 0 to 1. */
  readonly baseline: number;
  /** For how long the soak stood still, without what it stands now. Milliseconds. */
  readonly stoodMs: number;
  /** `undefined` while the wave goes on. */
  readonly halt: WaveHalt | undefined;
}

/** Why a version goes no further, until the repository names another one or a person resumes it. */
export interface WaveHalt {
  readonly sinceMs: number;
  /** The second half of a sentence. */
  readonly reason: string;
  /** Whether a controller keeps it, so that a person can resume it; `false`: a look at the clusters found it. */
  readonly isRecorded?: boolean;
}

/** What a wave is judged by. */
export interface WaveRule {
  /** By how much the share of failing clusters may grow; 0 to 1. */
  readonly notWorseBy: number;
  /** The last halt that a person saw and said to pass; `undefined`: nobody did. Unix milliseconds. */
  readonly resumedMs: number | undefined;
}

/** The wave of a version after its clusters were counted. Without a wave before, what fails now failed before. */
export function advanceWave(
  before: WaveRecord | undefined,
  baseline: number | undefined,
  counts: WaveCounts,
  { notWorseBy, resumedMs }: WaveRule,
  nowMs: number,
): WaveRecord {
  const numbers = { failing: counts.failing.count, inOrder: counts.inOrder, pending: counts.pending, countedMs: nowMs };
  const share = failingShare(numbers);
  const last = before ?? { baseline: baseline ?? share, stoodMs: 0, halt: undefined };
  if (last.halt !== undefined && (resumedMs ?? -Infinity) < last.halt.sinceMs) return { ...last, ...numbers };
  const stoodMs = last.halt === undefined ? last.stoodMs : last.stoodMs + nowMs - last.halt.sinceMs;
  // Who resumes a wave has seen what fails now.
  const base = last.halt === undefined ? last.baseline : Math.max(last.baseline, share);
  const isWorse = share - base > notWorseBy;
  const halt = isWorse ? { sinceMs: nowMs, reason: haltText(counts, base, notWorseBy) } : undefined;
  return { ...numbers, baseline: base, stoodMs, halt };
}

function haltText({ failing, inOrder }: WaveCounts, base: number, notWorseBy: number): string {
  const before = `${percent(base)} failed before, and ${percent(notWorseBy)} more may`;
  return `${describeUsers(failing)} of ${failing.count + inOrder} fail; ${before}`;
}

/** A share as people read it. */
export function percent(share: number): string {
  return `${String(Number((share * 100).toFixed(2)))}%`;
}

/** Whether a version has been served in order for a time; or when it will have been, or why nobody can tell. */
export type Soaked =
  | { readonly kind: "soaked"; readonly users: "none" | "in order" | "unknown" }
  | { readonly kind: "soaking"; readonly untilMs: number }
  | { readonly kind: "halted"; readonly halt: WaveHalt }
  /** Over, but no more than half of the clusters are in order. */
  | { readonly kind: "stalled"; readonly wave: WaveRecord }
  /** Over, but the clusters were counted last before its end. */
  | { readonly kind: "uncounted"; readonly sinceMs: number };

/** A version that is served. */
interface SoakingVersion {
  readonly sinceMs: number;
  readonly wave?: WaveRecord | undefined;
}

/** Judges how long a version has soaked. Where nobody can count clusters, it is known only since when it is served. */
export function judgeSoak({ sinceMs, wave }: SoakingVersion, soakMs: number, nowMs: number): Soaked {
  if (wave?.halt !== undefined) return { kind: "halted", halt: wave.halt };
  const untilMs = sinceMs + (wave?.stoodMs ?? 0) + soakMs;
  if (untilMs > nowMs) return { kind: "soaking", untilMs };
  if (wave === undefined) return { kind: "soaked", users: "unknown" };
  if (wave.countedMs < untilMs) return { kind: "uncounted", sinceMs: wave.countedMs };
  if (!isMostlyInOrder(wave)) return { kind: "stalled", wave };
  return { kind: "soaked", users: clustersOf(wave) === 0 ? "none" : "in order" };
}

/** Whether more than half of the clusters are in order; without clusters, nothing is out of order. */
export function isMostlyInOrder(wave: WaveRecord): boolean {
  return clustersOf(wave) === 0 || wave.inOrder * 2 > clustersOf(wave);
}

/** All clusters that count. */
export function clustersOf({ failing, inOrder, pending }: WaveRecord): number {
  return failing + inOrder + pending;
}

/**
 * For how long a version that is served no more had soaked, in order: nothing where it was halted, or where most of its
 * clusters were not in order; without a controller, where more of them failed at its end than before it. `failedAtEnd`:
 * their share, 0 to 1; `undefined`: nobody could tell. Milliseconds.
 */
export function soakedMs(
  { sinceMs, wave, baseline = 0 }: SoakingVersion & { readonly baseline?: number | undefined },
  untilMs: number,
  failedAtEnd: number | undefined,
): number {
  if (wave === undefined) return failedAtEnd === undefined || failedAtEnd > baseline ? 0 : untilMs - sinceMs;
  return wave.halt === undefined && isMostlyInOrder(wave) ? untilMs - sinceMs - wave.stoodMs : 0;
}
