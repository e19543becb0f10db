import { shortCommit } from "../../document/printable.ts";
import { Fault, type Run } from "../../ports.ts";
import type { Repository } from "./repository.ts";

/**
 * The relation of one commit to another: the other one is on its line of first parents; it contains the other one, but
 * beside that line, as after `git pull` of a rejected push; it is an ancestor of the other one; or none of these.
 */
type GitAncestry = "forward" | "aside" | "behind" | "unrelated";

/**
 * The relation of `commit` to `recorded`, which need not be in the clone. Throws HISTORY_TOO_SHALLOW if the clone is
 * too shallow to tell.
 */
export async function compareAncestry(
  repository: Repository,
  commit: string,
  recorded: string,
  run: Run,
): Promise<GitAncestry> {
  if (commit === recorded) return "forward";
  if (await isAncestor(repository, recorded, commit, run))
    return (await isOnFirstParents(repository, recorded, commit, run)) ? "forward" : "aside";
  if (await isAncestor(repository, commit, recorded, run)) return "behind";
  if (await repository.isShallow(run)) {
    const depth = await repository.text(["rev-list", "--count", "HEAD"], run);
    const [now, then] = [shortCommit(commit), shortCommit(recorded)];
    throw repository.tooShallow(Number(depth), `which cannot relate ${now} to the last synced commit ${then}`);
  }
  return "unrelated";
}

/** Whether an ancestor of `commit` is on its line of first parents. */
export async function isOnFirstParents(
  repository: Repository,
  ancestor: string,
  commit: string,
  run: Run,
): Promise<boolean> {
  if (commit === ancestor) return true;
  const since = await repository.lines(["rev-list", "--first-parent", "--parents", commit, `^${ancestor}`], run);
  return since.at(-1)?.split(" ")[1] === ancestor;
}

/** Whether `older` is an ancestor of `newer`; false for commits that the clone does not have. */
export async function isAncestor(repository: Repository, older: string, newer: string, run: Run): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", older, newer];
  return (await repository.git(args, run, { accepted: [1, 128] })).code === 0;
}

/**
 * The oldest first-parent commit of a repository, which identifies it; `undefined` for a folder outside of Git.
 * Throws HISTORY_TOO_SHALLOW for a clone that does not have it.
 */
export async function rootCommit(repository: Repository, run: Run): Promise<string | undefined> {
  if ((await repository.head(run)) === undefined) return undefined;
  if (await repository.isShallow(run)) {
    throw new Fault(
      "HISTORY_TOO_SHALLOW",
      `${repository.directory} is a shallow clone, which does not identify its repository. Name it (forge: { kind: github, repository: org/name }), or complete it: git fetch --unshallow.`,
    );
  }
  return (await repository.lines(["rev-list", "--max-parents=0", "--first-parent", "HEAD"], run)).at(-1);
}
