import type { GitHubClient } from "./client.ts";
import type { Memory } from "./memory.ts";

/** One catalogue on GitHub, and what a run knows of it. */
export interface Site {
  readonly github: GitHubClient;
  /** The branch that proposals go to. */
  readonly base: string;
  /** The folder of the catalogue in the repository: empty, or with a `/` at its end. */
  readonly prefix: string;
  readonly memory: Memory;
  /** Tree by commit. */
  readonly trees: Map<string, string>;
  /** What pull requests said when they were last read, by number: closing one keeps it. */
  readonly bodies: Map<number, string>;
  /** The commits that merges of this run made of the base, each to the one before. */
  readonly ownMerges: Map<string, string>;
  /** The pull requests whose gate this run started. */
  readonly gates: Set<number>;
}

/** Whether `head` is `commit`, or became of it by merges of this run alone: what was decided on one holds on the other. */
export function isSameBase({ ownMerges }: Site, head: string, commit: string): boolean {
  for (let at: string | undefined = head; at !== undefined; at = ownMerges.get(at)) {
    if (at === commit) return true;
  }
  return false;
}

/** A commit as people name it. */
export function short(commit: string): string {
  return commit.slice(0, 9);
}
