import { compareText } from "../document/order.ts";
import { clusterCondition, type ClusterCondition, type Missing, type WantedVersion } from "./condition.ts";
import type { ModuleUser } from "./users.ts";

/** The clusters that should have a version, and how many have it. Each cluster is counted once. */
export interface RolloutCounts {
  /** All clusters that should have it. */
  readonly clusters: number;
  readonly have: number;
  readonly failing: number;
  /** All that do not have it, also the failing ones; the largest group first. */
  readonly missing: readonly MissingGroup[];
}

/** Clusters that do not have a version for the same reason. */
export interface MissingGroup extends MissingReason {
  readonly count: number;
  /** The first few: the longest in their state first, unknown times last, then by name. */
  readonly oldest: readonly { readonly name: string; readonly sinceMs: number | undefined }[];
}

/** Why a cluster does not have a version. Clusters are grouped by this. */
export interface MissingReason extends Pick<ClusterCondition, "version" | "cause"> {
  readonly why: Missing;
  /** Whether the version fails on the cluster. */
  readonly isFailing: boolean;
  /** Whether its failed state may be that of an earlier version. */
  readonly mayFail: boolean;
}

/** The most severe reason first: from what needs a repair to what is intended. */
const BY_SEVERITY: readonly Missing[] = [
  ...(["error", "warning", "forgotten", "overdue", "downgrade", "unsaid", "behind", "processing"] as const),
  ...(["changing", "maintenance", "ahead", "unmanaged", "skipped", "deleting"] as const),
];

/** The most severe reason of all, that of a failure first; `undefined` if there is none. */
export function worstMissing(missing: readonly Pick<MissingGroup, "why" | "isFailing">[]): Missing | undefined {
  const failing = missing.filter(({ isFailing }) => isFailing);
  const worst = failing.length > 0 ? failing : missing;
  return BY_SEVERITY.find((one) => worst.some(({ why }) => why === one));
}

/** The number of clusters that a group names. */
const NAMED = 5;

/** Counts the clusters that should have a version, by whether and why they do not have it. */
export function countRollout(users: readonly ModuleUser[], wanted: WantedVersion, nowMs: number): RolloutCounts {
  const conditions = users.map((user) => ({ name: user.name, ...clusterCondition(user, wanted, nowMs) }));
  const asked = conditions.filter(({ kind }) => kind !== "elsewhere");
  const missing = asked.flatMap(({ name, sinceMs, ...condition }) => {
    const reason = missingReason(condition);
    return reason === undefined ? [] : [{ name, sinceMs, reason }];
  });
  const groups = Map.groupBy(missing, ({ reason }) => JSON.stringify(reason));
  return {
    clusters: asked.length,
    have: asked.length - missing.length,
    failing: asked.filter(({ kind }) => kind === "failing").length,
    missing: [...groups]
      .toSorted(([a, one], [b, other]) => other.length - one.length || compareText(a, b))
      .flatMap(([, members]) => missingGroups(members)),
  };
}

/** Why a cluster does not have a version that is for it; `undefined` if it has it. */
export function missingReason({
  kind,
  why,
  version,
  cause,
  mayFail,
}: Omit<ClusterCondition, "sinceMs">): MissingReason | undefined {
  return why && { why, version, cause, isFailing: kind === "failing", mayFail };
}

interface MissingCluster {
  readonly name: string;
  readonly sinceMs: number | undefined;
  readonly reason: MissingReason;
}

function missingGroups(members: readonly MissingCluster[]): readonly MissingGroup[] {
  return members.slice(0, 1).map(({ reason }) => ({
    ...reason,
    count: members.length,
    oldest: members
      .map(({ name, sinceMs }) => ({ name, sinceMs }))
      .toSorted((a, b) => (a.sinceMs ?? Infinity) - (b.sinceMs ?? Infinity) || compareText(a.name, b.name))
      .slice(0, NAMED),
  }));
}
