import type { RecordedChange, RecordedCommit, RecordedHistory, Revision } from "./history.ts";

/** A history with trusted times. */
export interface DatedHistory {
  /** Oldest first; the `index` of each is its position here and in `RecordedHistory.commits`. */
  readonly revisions: readonly Revision[];
  readonly changes: readonly RecordedChange[];
}

/** Gives each commit the time of `believedTimes`; by default that of the committer's clock. */
export function dateHistory(
  { commits, changes }: RecordedHistory,
  merged: ReadonlyMap<string, { readonly atMs: number }> = new Map(),
  nowMs: number = Number.POSITIVE_INFINITY,
): DatedHistory {
  const times = believedTimes(commits, merged, nowMs);
  const revisions = commits.map(({ commit }, index): Revision => ({ index, commit, atMs: Number(times[index]) }));
  return { revisions, changes };
}

/**
 * The history up to `atMs` (Unix milliseconds): the newest revision that is not later, and all before it. The last of its
 * `revisions` is the commit with the catalogue of that time; there is none when all commits are later.
 */
export function truncateAt({ revisions, changes }: DatedHistory, atMs: number): DatedHistory {
  const end = revisions.findLastIndex((revision) => revision.atMs <= atMs) + 1;
  return { revisions: revisions.slice(0, end), changes: changes.filter(({ index }) => index < end) };
}

/**
 * The trusted time at which each commit entered the base: the merge time of the forge, else the committer's time, but
 * not before the parent. A time later than now is not trusted: such a commit takes the time of the next trusted commit,
 * else now, and does not limit the times of later commits.
 *
 * Takes:  `commits` of the first-parent history, oldest first; `merged`, the merge times of the forge; `nowMs`, the
 *         current time of the caller, never an instant that the caller asks about. All times in Unix milliseconds.
 * Gives:  one time for each commit. Without `merged`, the times never decrease.
 */
export function believedTimes(
  commits: readonly Pick<RecordedCommit, "commit" | "committerMs">[],
  merged: ReadonlyMap<string, { readonly atMs: number }>,
  nowMs: number,
): readonly number[] {
  let boundMs = -Infinity;
  const claimed = commits.map(({ commit, committerMs }) => {
    const claimedMs = merged.get(commit)?.atMs ?? Math.max(committerMs, boundMs);
    if (claimedMs <= nowMs) boundMs = claimedMs;
    return claimedMs;
  });
  let nextMs = nowMs;
  return claimed
    .toReversed()
    .map((claimedMs) => {
      if (claimedMs <= nowMs) nextMs = claimedMs;
      return nextMs;
    })
    .toReversed();
}
