import { clusterCondition, HELD_MS, type WantedVersion } from "./condition.ts";
import { named, type ModuleUser, type Named } from "./users.ts";

/** The clusters of an entry by their condition with a version. Those that are left out do not count. */
export interface WaveCounts {
  readonly failing: Named;
  readonly inOrder: number;
  /** Not upgraded yet, or waiting for a maintenance window. */
  readonly pending: number;
  /** The pending ones in a failed state that may be that of an earlier version. */
  readonly mayFail: number;
  /**
   * Since when more than half of the clusters have had it without interruption, by the times of their states; `undefined`
   * if they do not, or that is unknown. Unix milliseconds; -Infinity without clusters.
   */
  readonly mostlySinceMs: number | undefined;
}

/** Counts the clusters of an entry by their condition. */
export function countWave(users: readonly ModuleUser[], wanted: WantedVersion, nowMs: number): WaveCounts {
  const conditions = users.map((user) => ({ name: user.name, ...clusterCondition(user, wanted, nowMs) }));
  const have = conditions.filter(({ kind }) => kind === "has");
  const failing = conditions.filter(({ kind }) => kind === "failing");
  const pending = conditions.filter(({ kind }) => kind === "upgrading" || kind === "waiting");
  const all = have.length + failing.length + pending.length;
  const heldMs = have.flatMap(({ sinceMs }) =>
    sinceMs === undefined ? [] : [Math.max(sinceMs, wanted.appliedMs ?? -Infinity) + HELD_MS],
  );
  return {
    failing: named(failing),
    inOrder: have.length,
    pending: pending.length,
    mayFail: pending.filter(({ mayFail }) => mayFail).length,
    mostlySinceMs: all === 0 ? -Infinity : heldMs.toSorted((a, b) => a - b)[Math.floor(all / 2)],
  };
}

/** The share of failing clusters among those with a known result; 0 to 1. */
export function failingShare({ failing, inOrder }: { readonly failing: number; readonly inOrder: number }): number {
  return failing === 0 ? 0 : failing / (failing + inOrder);
}
