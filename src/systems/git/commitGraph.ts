import type { Run } from "../../ports.ts";
import type { Repository } from "./repository.ts";

/** All commits that one commit contains, itself included, with their parents. */
export class CommitGraph {
  readonly #parents: ReadonlyMap<string, readonly string[]>;
  readonly #contents = new Map<string, ReadonlySet<string>>();

  private constructor(parents: ReadonlyMap<string, readonly string[]>) {
    this.#parents = parents;
  }

  /** Reads the commits of `tip` from Git. Throws GIT_FAILED. */
  static async read(repository: Repository, tip: string, run: Run): Promise<CommitGraph> {
    const lines = await repository.lines(["rev-list", "--topo-order", "--parents", tip], run);
    return new CommitGraph(
      new Map(
        lines.map((line) => {
          const [commit = "", ...parents] = line.split(" ");
          return [commit, parents];
        }),
      ),
    );
  }

  /** Those of `commits` that are among them, each before those that it contains. */
  newestFirst(commits: readonly string[]): readonly string[] {
    const wanted = new Set(commits);
    return [...this.#parents.keys()].filter((commit) => wanted.has(commit));
  }

  /** Whether a commit is `older`, or has it among its ancestors. */
  contains(commit: string, older: string): boolean {
    const known = this.#contents.get(commit) ?? this.#reach(commit, () => true);
    this.#contents.set(commit, known);
    return known.has(older);
  }

  /** The oldest commits of `line`, newest first, that contain each of `others`; those that none contains are left out. */
  broughtBy(line: readonly string[], others: readonly string[]): ReadonlySet<string> {
    const wanted = new Set(others);
    const seen = new Set<string>();
    const found = new Set<string>();
    for (const commit of line.toReversed()) {
      for (const one of this.#reach(commit, (next) => !seen.has(next))) {
        seen.add(one);
        if (wanted.has(one)) found.add(commit);
      }
    }
    return found;
  }

  /** The commits that are reached from `commit` through those that `isOpen` accepts. */
  #reach(commit: string, isOpen: (commit: string) => boolean): ReadonlySet<string> {
    const reached = new Set<string>();
    const ahead = [commit];
    for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
      if (reached.has(next) || !isOpen(next)) continue;
      reached.add(next);
      ahead.push(...(this.#parents.get(next) ?? []));
    }
    return reached;
  }
}
