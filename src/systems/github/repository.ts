import type { GitHubClient } from "./client.ts";
import type { MergeCache } from "./cache.ts";

/** An entry of a folder of a commit. */
export interface GitHubTreeEntry {
  readonly mode: string;
  /** Its object. */
  readonly id: string;
}

/** A catalogue on GitHub, and the state of a run. */
export interface GitHubRepository {
  readonly github: GitHubClient;
  /** The base branch of proposals. */
  readonly base: string;
  /** The folder of the catalogue in the repository: empty, or with a `/` at its end. */
  readonly prefix: string;
  readonly cache: MergeCache;
  /** Tree by commit. */
  readonly trees: Map<string, string>;
  /** The entries of the trees that were read. */
  readonly folders: Map<string, ReadonlyMap<string, GitHubTreeEntry>>;
  /** The pull requests that were read, by number. */
  readonly pulls: Map<number, { readonly body: string; readonly author: string }>;
  /** The base commits that merges of this run created, each with its predecessor. */
  readonly ownMerges: Map<string, string>;
  /** The pull requests whose gate this run started. */
  readonly gates: Set<number>;
  /** The pull requests that this run updated to the base. */
  readonly renewed: Set<number>;
}

/** Whether only merges of this run are between `commit` and `head`: then decisions on `commit` are valid on `head`. */
export function isSameBase({ ownMerges }: GitHubRepository, head: string, commit: string): boolean {
  for (let at: string | undefined = head; at !== undefined; at = ownMerges.get(at)) {
    if (at === commit) return true;
  }
  return false;
}
