import type { MergedPull, Run } from "../../ports.ts";
import { isAnswer, type GithubCall } from "./faults.ts";
import type { Remembered } from "./memory.ts";
import type { GitHubRepository } from "./repository.ts";

/** Maximum delay until GitHub's lists show a merge. */
const LAG_MS = 3_600_000;

/** Maximum of single look-ups, for commits that the lists do not show: those of a rebase merge except its last. */
const SINGLY = 5;

/** The pull requests that merged these commits. Cached answers cost no request. */
export async function mergeTimes(
  repository: GitHubRepository,
  commits: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, MergedPull>> {
  const remembered = await repository.memory.recall();
  const unknown = new Set(commits.filter((commit) => !isSettled(remembered, commit)));
  if (unknown.size > 0) {
    const nowMs = repository.github.clock.nowMs();
    await readClosedPulls(repository, unknown, remembered, run);
    await readSingly(repository, unknown, remembered, run);
    for (const commit of unknown) if (!remembered.unmerged.has(commit)) remembered.unmerged.set(commit, nowMs);
    // Still missing after the lists had time to show it: the commit has no pull request.
    for (const commit of unknown) settle(remembered, commit, nowMs);
    await repository.memory.keep(run);
  }
  return new Map(
    commits.flatMap((commit): [string, MergedPull][] => {
      const pull = remembered.merges.get(commit);
      return pull === undefined ? [] : [[commit, pull]];
    }),
  );
}

/** Marks a commit that is not looked up again. */
const NEVER = 0;

function isSettled({ merges, unmerged }: Remembered, commit: string): boolean {
  return merges.has(commit) || unmerged.get(commit) === NEVER;
}

function settle({ unmerged }: Remembered, commit: string, nowMs: number): void {
  if (nowMs - (unmerged.get(commit) ?? nowMs) > LAG_MS) unmerged.set(commit, NEVER);
}

/**
 * Reads the closed pull requests, last updated first, until all `unknown` commits are found (and removed from it) or an
 * earlier run has read the rest. Caches every merge on the way.
 */
async function readClosedPulls(
  { github, base }: GitHubRepository,
  unknown: Set<string>,
  remembered: Remembered,
  run: Run,
): Promise<void> {
  const doing = `Reading the merged pull requests of ${github.repository}`;
  const act: GithubCall = { doing, kind: "read", permission: "pull-requests: read" };
  const list = { base, state: "closed", sort: "updated", direction: "desc" } as const;
  let newestMs: number | undefined;
  let oldestMs = Number.POSITIVE_INFINITY;
  for await (const page of github.pages(act, (rest, place) => rest.pulls.list({ ...place, ...list }), run)) {
    for (const { merge_commit_sha: commit, merged_at, number, updated_at } of page) {
      oldestMs = Date.parse(updated_at);
      newestMs ??= oldestMs;
      if (commit === null || merged_at === null) continue;
      remembered.merges.set(commit, { atMs: Date.parse(merged_at), number });
      unknown.delete(commit);
    }
    if (oldestMs < remembered.readUntilMs - LAG_MS) break;
    if (unknown.size === 0) return;
  }
  remembered.readUntilMs = Math.max(remembered.readUntilMs, newestMs ?? 0);
}

async function readSingly(
  { github, base }: GitHubRepository,
  unknown: Set<string>,
  remembered: Remembered,
  run: Run,
): Promise<void> {
  for (const commit of [...unknown].slice(0, SINGLY)) {
    const doing = `Reading the pull requests of the commit ${commit}`;
    const act: GithubCall = { doing, kind: "read", permission: "pull-requests: read" };
    try {
      const pulls = await github.ask(
        act,
        (rest, place) => rest.repos.listPullRequestsAssociatedWithCommit({ ...place, commit_sha: commit }),
        run,
      );
      const pull = pulls.find((one) => one.merged_at !== null && one.base.ref === base);
      if (pull === undefined || pull.merged_at === null) continue;
      remembered.merges.set(commit, { atMs: Date.parse(pull.merged_at), number: pull.number });
      unknown.delete(commit);
    } catch (error) {
      // The commit is not pushed yet.
      if (!isAnswer(error, 404, 422)) throw error;
    }
  }
}
