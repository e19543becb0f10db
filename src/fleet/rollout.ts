import { CLOCKS_APART_MS } from "../document/times.ts";
import { compareText } from "../document/order.ts";
import { refusedDowngrade } from "./cause.ts";
import { versionOn, type LeftOut, type ModuleUser } from "./users.ts";
import { HELD_MS, isHigher } from "./wave.ts";

/** The clusters that should have a version, and how many have it. Each cluster is counted once. */
export interface RolloutCounts {
  /** All clusters that should have it. */
  readonly clusters: number;
  /** Ready with it for at least 10 s. */
  readonly have: number;
  /** In Error or Warning with it. */
  readonly failing: number;
  /** All that do not have it, also the failing ones; the largest group first. */
  readonly missing: readonly MissingGroup[];
}

/** Clusters that do not have a version for the same reason. */
export interface MissingGroup {
  readonly why: Missing;
  /** The version that they have instead, or fail with; `undefined` if none is named or it does not matter. */
  readonly version: string | undefined;
  /** The message of lifecycle-manager, as `causeOf` returns it. */
  readonly cause: string | undefined;
  readonly count: number;
  /** The first few: the longest in their state first, unknown times last, then by name. */
  readonly oldest: readonly { readonly name: string; readonly sinceMs: number | undefined }[];
}

/**
 * Why a cluster does not have a version. `changing`: its state is too new to count; `behind` and `ahead`: it is Ready
 * with another version; `unsaid`: its state is missing or not one of lifecycle-manager's.
 */
export type Missing =
  | LeftOut
  | "maintenance"
  | "downgrade"
  | "processing"
  | "changing"
  | "error"
  | "warning"
  | "behind"
  | "ahead"
  | "unsaid";

/** The reasons that mean that a version fails on the cluster. */
export const FAILURES: ReadonlySet<Missing | undefined> = new Set(["error", "warning"]);

/** The most severe reason first: from what needs a repair to what is intended. */
const BY_SEVERITY: readonly Missing[] = [
  ...(["error", "warning", "downgrade", "unsaid", "behind", "processing", "changing"] as const),
  ...(["maintenance", "ahead", "unmanaged", "skipped", "deleting"] as const),
];

/** The most severe reason of all; `undefined` if there is none. */
export function worstOf(missing: readonly Pick<MissingGroup, "why">[]): Missing | undefined {
  return BY_SEVERITY.find((one) => missing.some(({ why }) => why === one));
}

/** The version of a module whose clusters are counted. */
export interface RolloutQuestion {
  /** The channel that serves it; `undefined` if none does: then only clusters that have the version count. */
  readonly channel: string | undefined;
  readonly mandatory: boolean;
  readonly version: string;
  /** When the version was applied: earlier states do not count for it. `undefined` if unknown. Unix milliseconds. */
  readonly appliedMs: number | undefined;
  readonly nowMs: number;
}

/** The number of clusters that a group names. */
const NAMED = 5;

/** Counts the clusters that should have a version, by whether and why they do not have it. */
export function countRollout(users: readonly ModuleUser[], question: RolloutQuestion): RolloutCounts {
  const asked = users.filter((user) => isAsked(user, question));
  const missing = asked.flatMap((user) => {
    const reason = missingReason(user, question);
    return reason === undefined ? [] : [{ user, ...reason }];
  });
  const groups = Map.groupBy(missing, ({ why, version, cause }) => JSON.stringify([why, version, cause]));
  return {
    clusters: asked.length,
    have: asked.length - missing.length,
    failing: missing.filter(({ why, version }) => FAILURES.has(why) && version === question.version).length,
    missing: [...groups]
      .toSorted(([a, one], [b, other]) => other.length - one.length || compareText(a, b))
      .flatMap(([, members]) => groupOf(members)),
  };
}

/** Why a cluster does not have a version. Clusters are grouped by this. */
export type MissingReason = Pick<MissingGroup, "why" | "version" | "cause">;

/** Why a cluster that should have a version does not have it; `undefined` if it has it. */
export function missingReason(user: ModuleUser, question: RolloutQuestion): MissingReason | undefined {
  const why = whyMissing(user, question);
  if (why === undefined) return undefined;
  const version = BY_VERSION.has(why) ? versionOn(user, question) : undefined;
  return { why, version, cause: BY_CAUSE.has(why) ? user.condition.cause : undefined };
}

/** The reasons that are grouped by the version that a cluster has. */
const BY_VERSION: ReadonlySet<Missing> = new Set(["maintenance", "downgrade", "error", "warning", "behind", "ahead"]);
/** The reasons that lifecycle-manager explains. */
const BY_CAUSE: ReadonlySet<Missing> = new Set(["error", "warning"]);

function groupOf(members: readonly (MissingReason & { readonly user: ModuleUser })[]): readonly MissingGroup[] {
  return members.slice(0, 1).map(({ why, version, cause }) => ({
    ...{ why, version, cause, count: members.length },
    oldest: members
      .map(({ user }) => ({ name: user.name, sinceMs: user.condition.sinceMs }))
      .toSorted((a, b) => (a.sinceMs ?? Infinity) - (b.sinceMs ?? Infinity) || compareText(a.name, b.name))
      .slice(0, NAMED),
  }));
}

/** Whether a cluster should have the version. After a refused downgrade, only the message names the channel it asks for. */
export function isAsked(user: ModuleUser, question: RolloutQuestion): boolean {
  const { channel, mandatory, version } = question;
  const { channels, cause } = user.condition;
  if (channel === undefined) return versionOn(user, question) === version;
  if (mandatory) return true;
  const wanted = refusedDowngrade(cause)?.channel;
  return wanted === undefined ? channels.includes(channel) : wanted === channel;
}

/** Returns `undefined` if the cluster has the version. */
function whyMissing(user: ModuleUser, question: RolloutQuestion): Missing | undefined {
  const { leftOut, state } = user.condition;
  if (leftOut !== undefined) return leftOut;
  const other = whyOther(user, question);
  if (other !== undefined) return other;
  if (state === "Processing") return "processing";
  if (!isHeld(user, question)) return "changing";
  return state === "Ready" ? undefined : (FAILED.get(state) ?? "unsaid");
}

const FAILED: ReadonlyMap<string | undefined, Missing> = new Map([
  ["Error", "error"],
  ["Warning", "warning"],
]);

/** Why a cluster keeps another version without failing. */
function whyOther(user: ModuleUser, question: RolloutQuestion): Missing | undefined {
  const { state, isWaiting, cause } = user.condition;
  const has = versionOn(user, question);
  if (has === question.version) return undefined;
  if (refusedDowngrade(cause) !== undefined) return "downgrade";
  if (isWaiting) return "maintenance";
  if (state !== "Ready") return undefined;
  return isHigher(has, question.version) ? "ahead" : "behind";
}

/**
 * Whether a state is old enough to count. The state of a version starts no earlier than its apply, unless a clock that is
 * ahead dated that.
 */
function isHeld(user: ModuleUser, question: RolloutQuestion): boolean {
  const isBelieved = (question.appliedMs ?? 0) <= question.nowMs + CLOCKS_APART_MS;
  const appliedMs = isBelieved && versionOn(user, question) === question.version ? question.appliedMs : undefined;
  return question.nowMs - Math.max(user.condition.sinceMs ?? -Infinity, appliedMs ?? -Infinity) >= HELD_MS;
}
