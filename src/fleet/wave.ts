import { isAboveMain } from "../catalogue/version.ts";
import { refusedDowngrade } from "./cause.ts";
import { isForgotten, named, versionOn, type ModuleUser, type Named } from "./users.ts";

/** The clusters of an entry by their result with a version. Those that lifecycle-manager does not reconcile do not count. */
export interface WaveCounts {
  readonly failing: Named;
  readonly inOrder: number;
  /** Not upgraded yet, waiting for a maintenance window, or Processing. */
  readonly pending: number;
}

/** An entry, and the version whose clusters are counted. */
export interface WaveQuestion {
  readonly channel: string;
  readonly mandatory: boolean;
  readonly version: string;
  /** When the version was applied: earlier states do not count for it. Unix milliseconds. */
  readonly appliedMs: number;
  /** How long a cluster may be Processing. Milliseconds. */
  readonly deadlineMs: number;
  readonly nowMs: number;
}

/**
 * How long a state must last before it counts: lifecycle-manager reports Ready for a new version before it has checked it.
 * It usually checks again within seconds; if nothing triggers that, after 5 minutes, which only a soak outlasts.
 * Milliseconds.
 */
export const HELD_MS = 10_000;

type Fare = "failing" | "inOrder" | "pending" | "uncounted";

/** Counts the clusters of an entry by their result. */
export function countWave(users: readonly ModuleUser[], question: WaveQuestion): WaveCounts {
  const fares = Map.groupBy(users, (user) => fareOf(user, question));
  return {
    failing: named(fares.get("failing") ?? []),
    inOrder: fares.get("inOrder")?.length ?? 0,
    pending: fares.get("pending")?.length ?? 0,
  };
}

/** The share of failing clusters among those with a known result; 0 to 1. */
export function failingShare({ failing, inOrder }: { readonly failing: number; readonly inOrder: number }): number {
  return failing === 0 ? 0 : failing / (failing + inOrder);
}

function fareOf(user: ModuleUser, question: WaveQuestion): Fare {
  const { version, nowMs } = question;
  if (!isCounted(user, question)) return "uncounted";
  const heldMs = nowMs - Math.max(user.condition.sinceMs ?? -Infinity, question.appliedMs);
  if (isForgotten(user, question)) return heldMs >= HELD_MS ? "failing" : "pending";
  const runs = versionOn(user, question);
  if (isHigher(runs, version)) return "uncounted";
  if (runs !== version && (user.condition.isWaiting || wasStuck(user, question))) return "pending";
  return fareIn(user.condition.state, runs === version, heldMs, question);
}

/** Whether a cluster has been Processing another version since before this one was applied. */
function wasStuck({ condition: { state, sinceMs } }: ModuleUser, { appliedMs }: WaveQuestion): boolean {
  return state === "Processing" && sinceMs !== undefined && sinceMs < appliedMs;
}

/** Whether a cluster belongs to the entry, and lifecycle-manager reconciles it. */
function isCounted({ condition }: ModuleUser, { channel, mandatory }: WaveQuestion): boolean {
  const { channels, leftOut, cause } = condition;
  // The cluster asks for another channel, whose lower version is refused; its status still names this channel.
  const hasLeft = refusedDowngrade(cause) !== undefined;
  return leftOut === undefined && !hasLeft && (mandatory || channels.includes(channel));
}

/** The states in which a version fails on a cluster. */
export const FAILED_STATES: ReadonlySet<unknown> = new Set(["Warning", "Error"]);

function fareIn(state: string | undefined, isWanted: boolean, heldMs: number, { deadlineMs }: WaveQuestion): Fare {
  if (state === "Processing") return heldMs > deadlineMs ? "failing" : "pending";
  if (!isWanted || heldMs < HELD_MS) return "pending";
  return state === "Ready" ? "inOrder" : FAILED_STATES.has(state) ? "failing" : "pending";
}

/** Whether a cluster runs a version that it keeps, because lifecycle-manager does not lower it to `version`. */
export function isHigher(runs: string | undefined, version: string): boolean {
  return runs !== undefined && isAboveMain(runs, version);
}
