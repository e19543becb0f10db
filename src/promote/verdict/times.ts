/** A commit, and when it was made as it says itself. Unix milliseconds. */
export interface CommitTime {
  readonly commit: string;
  readonly committerMs: number;
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
  commits: readonly CommitTime[],
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
