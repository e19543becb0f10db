import type { GitHubClient } from "./client.ts";
import type { MergeCache } from "./memory.ts";

/** One catalogue on GitHub, and what a run knows of it. */
export interface GitHubRepository {
  readonly github: GitHubClient;
  /** The branch that proposals go to. */
  readonly base: string;
  /** The folder of the catalogue in the repository: empty, or with a `/` at its end. */
  readonly prefix: string;
  readonly memory: MergeCache;
  /** Tree by commit. */
  readonly trees: Map<string, string>;
  /** What was last read of pull requests, by number. */
  readonly pulls: Map<number, { readonly body: string; readonly author: string }>;
  /** The commits that merges of this run made of the base, each to the one before. */
  readonly ownMerges: Map<string, string>;
  /** The pull requests whose gate this run started. */
  readonly gates: Set<number>;
  /** The pull requests that this run set on top of the base. */
  readonly renewed: Set<number>;
}

/** Whether `head` is `commit`, or became of it by merges of this run alone: what was decided on one holds on the other. */
export function isSameBase({ ownMerges }: GitHubRepository, head: string, commit: string): boolean {
  for (let at: string | undefined = head; at !== undefined; at = ownMerges.get(at)) {
    if (at === commit) return true;
  }
  return false;
}

/** A commit as people name it. */
export function short(commit: string): string {
  return commit.slice(0, 9);
}
