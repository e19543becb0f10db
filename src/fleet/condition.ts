import { isAboveMain } from "../catalogue/version.ts";
import { CLOCKS_APART_MS } from "../document/times.ts";
import { refusedDowngrade } from "./cause.ts";
import { isForgotten, versionOn, type LeftOut, type ModuleUser } from "./users.ts";

/** A version that the clusters of an entry should have. */
export interface WantedVersion {
  /** The channel that serves it; `undefined` if none does: then only clusters that have the version count. */
  readonly channel: string | undefined;
  readonly mandatory: boolean;
  readonly version: string;
  /** When it was applied: earlier states do not count for it. `undefined` if unknown. Unix milliseconds. */
  readonly appliedMs: number | undefined;
  /** When it was last applied again because its objects were removed; `undefined`: never. Unix milliseconds. */
  readonly restoredMs?: number | undefined;
  /** How long an upgrade may take on a cluster, see `deadlineIn`. Milliseconds. */
  readonly deadlineMs: number;
}

/**
 * What a cluster is with a version. `has`: Ready with it for at least 10 s; `upgrading`: without it so far, or its state
 * does not count for it yet; `waiting`: for a maintenance window; `failing`; `left out`: lifecycle-manager does not bring
 * it there; `elsewhere`: it is not for this cluster.
 */
export interface ClusterCondition {
  readonly kind: "has" | "upgrading" | "waiting" | "failing" | "left out" | "elsewhere";
  /** `undefined` if the cluster has the version, or it is not for it. */
  readonly why: Missing | undefined;
  /** The version that it has instead, or fails with; `undefined` if none is named or it does not matter. */
  readonly version: string | undefined;
  /** The message of lifecycle-manager, as `causeOf` returns it. */
  readonly cause: string | undefined;
  /** When the state of the cluster began; `undefined` if unknown. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** Whether it is in a failed state that may be that of an earlier version. */
  readonly mayFail: boolean;
}

/**
 * Why a cluster does not have a version. `changing`: its state is too new to count; `behind` and `ahead`: it has another
 * version; `forgotten`: its Kyma no longer names the version that its Manifest installs; `overdue`: it is Processing for
 * longer than the deadline; `unsaid`: its state is missing or not one of lifecycle-manager's.
 */
export type Missing =
  | LeftOut
  | "maintenance"
  | "downgrade"
  | "processing"
  | "overdue"
  | "changing"
  | "error"
  | "warning"
  | "forgotten"
  | "behind"
  | "ahead"
  | "unsaid";

/**
 * How long a state must last before it counts: lifecycle-manager reports Ready for a new version before it has checked it.
 * It usually checks again within seconds; if nothing triggers that, after 5 minutes, which only a soak outlasts.
 * Milliseconds.
 */
export const HELD_MS = 10_000;

/** The conditions of a cluster whose state does not change. */
export interface ConditionCourse {
  /** Until `turnsMs`. */
  readonly first: ClusterCondition;
  /** Unix milliseconds; -Infinity and Infinity: there is only one. */
  readonly turnsMs: number;
  readonly then: ClusterCondition;
}

/** What a cluster is with a version: the only answer, which everything counts. */
export function clusterCondition(user: ModuleUser, wanted: WantedVersion, nowMs: number): ClusterCondition {
  // A clock that is ahead dated the apply.
  const isBelieved = (wanted.appliedMs ?? 0) <= nowMs + CLOCKS_APART_MS;
  const { first, turnsMs, then } = conditionCourse(user, isBelieved ? wanted : { ...wanted, appliedMs: undefined });
  return nowMs >= turnsMs ? then : first;
}

/** The same at any time, if the state of the cluster does not change. */
export function conditionCourse(user: ModuleUser, wanted: WantedVersion): ConditionCourse {
  const { leftOut, cause } = user.condition;
  if (!isFor(user, wanted)) return always(standing(user, "elsewhere", undefined));
  if (leftOut !== undefined) return always(standing(user, "left out", leftOut));
  const runs = versionOn(user, wanted);
  if (refusedDowngrade(cause) !== undefined) return always(standing(user, "left out", "downgrade", runs));
  if (isForgotten(user, wanted)) return failingCourse(user, wanted, standing(user, "failing", "forgotten", runs));
  return runs === wanted.version ? wantedCourse(user, wanted) : otherCourse(user, wanted, runs);
}

/**
 * Whether a version is for a cluster. A Manifest without a Kyma is no cluster. After a refused downgrade, only the message
 * names the channel that the cluster asks for.
 */
function isFor(user: ModuleUser, wanted: WantedVersion): boolean {
  const { channel, mandatory, version } = wanted;
  const { channels, cause } = user.condition;
  if (user.kyma === undefined) return false;
  if (channel === undefined) return versionOn(user, wanted) === version;
  if (mandatory) return true;
  const asked = refusedDowngrade(cause)?.channel;
  return asked === undefined ? channels.includes(channel) : asked === channel;
}

/** Of a cluster that has the version. */
function wantedCourse(user: ModuleUser, wanted: WantedVersion): ConditionCourse {
  const { state } = user.condition;
  const failed = FAILED.get(state);
  if (failed !== undefined) return failingCourse(user, wanted, standing(user, "failing", failed, wanted.version));
  if (state === "Processing") return processingCourse(user, stateStart(user, wanted), wanted);
  const settled = state === "Ready" ? standing(user, "has", undefined) : standing(user, "upgrading", "unsaid");
  return changing(user, (stateStart(user, wanted) ?? -Infinity) + HELD_MS, settled);
}

/** Of a cluster that has another version, or none. */
function otherCourse(user: ModuleUser, wanted: WantedVersion, runs: string | undefined): ConditionCourse {
  const { state, sinceMs, isWaiting } = user.condition;
  // lifecycle-manager does not lower it.
  if (runs !== undefined && isAboveMain(runs, wanted.version)) return always(standing(user, "left out", "ahead", runs));
  if (isWaiting) return always(standing(user, "waiting", "maintenance", runs));
  if (state === "Ready") return always(standing(user, "upgrading", "behind", runs));
  // If it was stuck before, that is not for this version.
  if (state === "Processing")
    return processingCourse(user, isOlder(user, wanted) ? undefined : stateStart(user, wanted), wanted);
  const failed = FAILED.get(state);
  const settled = standing(user, "upgrading", failed ?? "unsaid", failed && runs);
  return changing(user, (sinceMs ?? -Infinity) + HELD_MS, settled);
}

/** Whether the state of a cluster is known to have begun before the version was applied. */
function isOlder({ condition: { sinceMs } }: ModuleUser, { appliedMs }: WantedVersion): boolean {
  return sinceMs !== undefined && appliedMs !== undefined && sinceMs < appliedMs;
}

function processingCourse(
  user: ModuleUser,
  startMs: number | undefined,
  { deadlineMs }: WantedVersion,
): ConditionCourse {
  const first = standing(user, "upgrading", "processing");
  if (startMs === undefined) return always(first);
  return { first, turnsMs: startMs + deadlineMs + 1, then: standing(user, "failing", "overdue") };
}

/**
 * Of a cluster in a failed state. After an upgrade, lifecycle-manager names the new version with the state of the old one
 * until it looks again; and for a while after a template or a release meta came back, it misses it. Neither is a failure of
 * the version, unless it lasts beyond the deadline. A failure whose start is unknown may be of either.
 */
function failingCourse(user: ModuleUser, wanted: WantedVersion, failing: ClusterCondition): ConditionCourse {
  const { appliedMs = -Infinity, restoredMs = -Infinity, deadlineMs } = wanted;
  const heldMs = (stateStart(user, wanted) ?? -Infinity) + HELD_MS;
  const isOld = (user.condition.sinceMs ?? -Infinity) < appliedMs;
  const turnsMs = Math.max(isOld ? appliedMs + deadlineMs : heldMs, restoredMs + deadlineMs);
  if (turnsMs <= heldMs) return changing(user, heldMs, failing);
  return { first: { ...failing, kind: "upgrading", mayFail: true }, turnsMs, then: failing };
}

function changing(user: ModuleUser, turnsMs: number, then: ClusterCondition): ConditionCourse {
  return { first: standing(user, "upgrading", "changing"), turnsMs, then };
}

function always(then: ClusterCondition): ConditionCourse {
  return { first: then, turnsMs: -Infinity, then };
}

/** When the state of a cluster began for the version, no earlier than its apply; `undefined` if unknown. */
function stateStart({ condition: { sinceMs } }: ModuleUser, { appliedMs }: WantedVersion): number | undefined {
  return sinceMs === undefined || appliedMs === undefined ? (sinceMs ?? appliedMs) : Math.max(sinceMs, appliedMs);
}

const FAILED: ReadonlyMap<string | undefined, "error" | "warning"> = new Map([
  ["Error", "error"],
  ["Warning", "warning"],
]);

/** The reasons that lifecycle-manager explains. */
const EXPLAINED: ReadonlySet<Missing | undefined> = new Set(["error", "warning", "forgotten"]);

function standing(
  { condition: { cause, sinceMs } }: ModuleUser,
  kind: ClusterCondition["kind"],
  why: Missing | undefined,
  version?: string,
): ClusterCondition {
  return { kind, why, version, cause: EXPLAINED.has(why) ? cause : undefined, sinceMs, mayFail: false };
}
