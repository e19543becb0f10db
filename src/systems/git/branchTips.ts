import type { Run } from "../../ports.ts";
import type { Repository } from "./repository.ts";

/**
 * The refs of the clone's branches, and of those of its remotes that have one of `names`, in which `*` matches anything.
 * Each is a line: its name, its commit, `*` with the remote of its upstream if it is checked out, and the ref that it is
 * or follows.
 */
export function listRefs(repository: Repository, names: readonly string[], run: Run): Promise<readonly string[]> {
  const patterns = ["refs/heads", ...names.map((name) => `refs/remotes/*/${name.replace("*", "**")}`)];
  const head = "%(if)%(HEAD)%(then)*%(upstream:remotename)%(end)";
  const format = `--format=%(refname) %(objectname) ${head} %(symref)%(upstream)`;
  return repository.lines(["for-each-ref", format, ...patterns], run, { accepted: [128] });
}

/** The commits of a branch among `refs`: of the clone's own one, and of those of the remotes that count. */
export function tipsIn(refs: readonly string[], branch: string): readonly string[] {
  const found = refs.flatMap((line) => {
    // Git also lists branches below a folder of that name.
    const [, remote, name, tip = ""] = /^refs\/(?:heads|remotes\/([^/]+))\/(\S+) (\S+)/.exec(line) ?? [];
    return name === branch ? [{ remote, tip }] : [];
  });
  const counting = remotesThatCount(
    found.flatMap(({ remote }) => remote ?? []),
    upstreamIn(refs),
  );
  const kept = found.filter(({ remote }) => remote === undefined || counting.includes(remote));
  return [...new Set(kept.map(({ tip }) => tip))];
}

/** The remote that the checked-out branch follows. */
export function upstreamIn(refs: readonly string[]): string | undefined {
  return refs.flatMap((line) => /^\S+ \S+ \*(\S+) /.exec(line)?.[1] ?? [])[0];
}

/** In a clone of a fork, `origin` is the fork, and the branch follows the repository that decides. */
export function remotesThatCount(remotes: readonly string[], upstream: string | undefined): readonly string[] {
  const counting = remotes.filter((remote) => remote === "origin" || remote === upstream);
  return counting.length > 0 ? counting : remotes;
}
