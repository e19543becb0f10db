import { Fault, type Run } from "../../ports.ts";
import { git, isRepository } from "./git.ts";
import { Repository } from "./repository.ts";

/** How one commit stands to another: the same or a descendant, an ancestor, or neither. */
export type GitAncestry = "forward" | "behind" | "unrelated";

/**
 * How `commit` stands to `recorded`, which need not be in the clone. Throws HISTORY_TOO_SHALLOW for a clone that is cut
 * off before it can be told.
 */
export async function ancestryOf(directory: string, commit: string, recorded: string, run: Run): Promise<GitAncestry> {
  if (commit === recorded) return "forward";
  if (await isAncestor(directory, recorded, commit, run)) return "forward";
  if (await isAncestor(directory, commit, recorded, run)) return "behind";
  if (await new Repository(directory).isShallow(run)) {
    const depth = (await git(directory, ["rev-list", "--count", "HEAD"], run)).stdout.toString().trim();
    const message = `${directory} is a shallow clone of ${depth} commits, which cannot tell how ${commit.slice(0, 10)} stands to ${recorded.slice(0, 10)}, which was synced last.`;
    throw new Fault(
      "HISTORY_TOO_SHALLOW",
      `${message} It must be deeper than ${depth}: git fetch --deepen=${String(Number(depth) * 10)}, or git fetch --unshallow (in GitHub Actions: fetch-depth: 0).`,
    );
  }
  return "unrelated";
}

/** A commit that the clone does not have is nobody's ancestor here. */
async function isAncestor(directory: string, older: string, newer: string, run: Run): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", older, newer];
  return (await git(directory, args, run, { accepted: [1, 128] })).code === 0;
}

/**
 * The oldest first-parent commit of the repository of `directory`, which tells it from others; `undefined` for a folder
 * that is in none. Throws HISTORY_TOO_SHALLOW for a clone that does not have it.
 */
export async function rootCommit(directory: string, run: Run): Promise<string | undefined> {
  if (!(await isRepository(directory, run))) return undefined;
  if (await new Repository(directory).isShallow(run)) {
    throw new Fault(
      "HISTORY_TOO_SHALLOW",
      `${directory} is a shallow clone, so that nothing tells its repository from others. Name it (forge: { kind: github, repository: org/name }), or complete it: git fetch --unshallow.`,
    );
  }
  const { stdout } = await git(directory, ["rev-list", "--max-parents=0", "--first-parent", "HEAD"], run);
  return stdout.toString().trim().split("\n").at(-1);
}
