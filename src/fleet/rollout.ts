import { compareText } from "../document/order.ts";
import { refusedDowngrade } from "./cause.ts";
import type { LeftOut, ModuleUser } from "./users.ts";
import { HELD_MS, isHigher } from "./wave.ts";

/** The clusters that should have a version, and how many do. Each is counted once. */
export interface RolloutCounts {
  /** All of them. */
  readonly clusters: number;
  /** Ready with it, for 10 s at least. */
  readonly have: number;
  /** In Error or Warning with it. */
  readonly failing: number;
  /** The rest, the most first. */
  readonly missing: readonly MissingGroup[];
}

/** Clusters that do not have a version for one reason. */
export interface MissingGroup {
  readonly why: Missing;
  /** The version that they have instead, or fail with; `undefined`: none is named, or it does not matter. */
  readonly version: string | undefined;
  /** What lifecycle-manager says of it, as `causeOf` gives it. */
  readonly cause: string | undefined;
  readonly count: number;
  /** The first few: since the longest time, as far as that is known, then by name. */
  readonly oldest: readonly { readonly name: string; readonly sinceMs: number | undefined }[];
}

/**
 * Why a cluster does not have a version. `changing`: its state is too new to be believed; `behind` and `ahead`: it is
 * Ready with another version; `unsaid`: nothing is said of its state.
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

/** What keeps a cluster from a version because one fails there. */
export const FAILURES: ReadonlySet<Missing | undefined> = new Set(["error", "warning"]);

/** From what somebody has to mend to what is as people want it. */
const BY_SEVERITY: readonly Missing[] = [
  ...(["error", "warning", "downgrade", "unsaid", "behind", "processing", "changing"] as const),
  ...(["maintenance", "ahead", "unmanaged", "skipped", "deleting"] as const),
];

/** What of all that keeps clusters from a version weighs most; `undefined`: nothing does. */
export function worstOf(missing: readonly Pick<MissingGroup, "why">[]): Missing | undefined {
  return BY_SEVERITY.find((one) => missing.some(({ why }) => why === one));
}

/** The version of a module that is asked about. */
export interface RolloutQuestion {
  /** The channel that serves it; `undefined`: none does, and the clusters count that have it. */
  readonly channel: string | undefined;
  readonly mandatory: boolean;
  readonly version: string;
  /** What was seen before does not speak of this version; `undefined`: that is not known. Unix milliseconds. */
  readonly appliedMs: number | undefined;
  readonly nowMs: number;
}

/** How many clusters a group names. */
const NAMED = 5;

/** Counts the clusters that should have a version by what became of it. */
export function countRollout(users: readonly ModuleUser[], question: RolloutQuestion): RolloutCounts {
  const asked = users.filter((user) => isAsked(user, question));
  const missing = asked.flatMap((user) => {
    const reason = missingReason(user, question);
    return reason === undefined ? [] : [{ user, ...reason }];
  });
  const groups = Map.groupBy(missing, ({ why, version, cause }) => JSON.stringify([why, version, cause]));
  const isFailing = ({ why, version }: MissingReason): boolean => FAILURES.has(why) && version === question.version;
  return {
    clusters: asked.length,
    have: asked.length - missing.length,
    failing: missing.filter(isFailing).length,
    missing: [...groups]
      .toSorted(([a, one], [b, other]) => other.length - one.length || compareText(a, b))
      .flatMap(([, members]) => groupOf(members)),
  };
}

/** Why a cluster does not have a version: what clusters are grouped by. */
export type MissingReason = Pick<MissingGroup, "why" | "version" | "cause">;

/** Why a cluster that should have a version does not; `undefined`: it has it. */
export function missingReason(user: ModuleUser, question: RolloutQuestion): MissingReason | undefined {
  const why = whyMissing(user, question);
  return why && reasonOf(why, user, question);
}

function groupOf(members: readonly (MissingReason & { readonly user: ModuleUser })[]): readonly MissingGroup[] {
  return members.slice(0, 1).map(({ why, version, cause }) => ({
    ...{ why, version, cause, count: members.length },
    oldest: members
      .map(({ user }) => ({ name: user.name, sinceMs: user.condition.sinceMs }))
      .toSorted((a, b) => (a.sinceMs ?? Infinity) - (b.sinceMs ?? Infinity) || compareText(a.name, b.name))
      .slice(0, NAMED),
  }));
}

/** Whether a cluster should have the version. During a refused downgrade, only the message names the channel it asks for. */
export function isAsked(user: ModuleUser, question: RolloutQuestion): boolean {
  const { channel, mandatory, version } = question;
  const { channels, cause } = user.condition;
  if (channel === undefined) return runs(user, question) === version;
  if (mandatory) return user.installed !== undefined;
  const wanted = refusedDowngrade(cause)?.channel;
  return wanted === undefined ? channels.includes(channel) : wanted === channel;
}

/** Of a mandatory module, only the Manifest says which version there is. */
function runs({ installed, version }: ModuleUser, { mandatory }: RolloutQuestion): string | undefined {
  return mandatory ? installed : version;
}

/** `undefined`: the cluster has the version. */
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
  const has = runs(user, question);
  if (has === question.version) return undefined;
  if (refusedDowngrade(cause) !== undefined) return "downgrade";
  if (isWaiting) return "maintenance";
  if (state !== "Ready") return undefined;
  return isHigher(has, question.version) ? "ahead" : "behind";
}

/** Whether a state is old enough to be believed; that of a version is no older than the version. */
function isHeld(user: ModuleUser, question: RolloutQuestion): boolean {
  const appliedMs = runs(user, question) === question.version ? question.appliedMs : undefined;
  return question.nowMs - Math.max(user.condition.sinceMs ?? -Infinity, appliedMs ?? -Infinity) >= HELD_MS;
}

/** The reasons that differ by the version that a cluster has. */
const BY_VERSION: ReadonlySet<Missing> = new Set(["maintenance", "downgrade", "error", "warning", "behind", "ahead"]);
/** The reasons that lifecycle-manager explains. */
const BY_CAUSE: ReadonlySet<Missing> = new Set(["error", "warning"]);

function reasonOf(why: Missing, user: ModuleUser, question: RolloutQuestion): MissingReason {
  const version = BY_VERSION.has(why) ? runs(user, question) : undefined;
  return { why, version, cause: BY_CAUSE.has(why) ? user.condition.cause : undefined };
}
