import type { RecordedChange, RecordedCommit, RecordedHistory, Revision } from "./history.ts";

/** A history whose times can be believed. */
export interface DatedHistory {
  /** Oldest first; the `index` of each is its place here and in `RecordedHistory.commits`. */
  readonly revisions: readonly Revision[];
  readonly changes: readonly RecordedChange[];
}

/** Gives each commit the time of `believedTimes`: by default as the committers' clocks have it. */
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
 * What was merged at `atMs` (Unix milliseconds): the newest revision that is not later, and all before it. The last of
 * its `revisions` is the commit that the catalogue of that moment stands in; there is none when nothing is that old.
 */
export function truncateAt({ revisions, changes }: DatedHistory, atMs: number): DatedHistory {
  const end = revisions.findLastIndex((revision) => revision.atMs <= atMs) + 1;
  return { revisions: revisions.slice(0, end), changes: changes.filter(({ index }) => index < end) };
}

/**
 * When each commit entered the base, as far as that can be believed: what the forge says, else what the committer's
 * clock said, but never before the parent. What is later than now is not believed: such a commit takes the time of the
 * next one that is, else now, and keeps nobody behind it from being earlier.
 *
 * Takes:  `commits` of the first-parent history, oldest first; `merged`, when the forge merged a commit; `nowMs`, the
 *         clock of whoever asks, and never an instant that is merely asked about. All of them Unix milliseconds.
 * Gives:  one time a commit. Without `merged` none is before the one in front of it.
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
