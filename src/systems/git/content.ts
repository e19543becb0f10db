import type { BranchContent, Run } from "../../ports.ts";
import { readContent, type TreeChange } from "../content.ts";
import { isMarked } from "../marker.ts";
import type { Repository } from "./repository.ts";

/** A branch, with the message, the tree and the author of its newest commit. */
export interface BranchTip {
  readonly tip: string;
  readonly message: string;
  readonly tree: string;
  readonly author: string;
}

/** The content of a branch, compared with the commit where it left the commit `base`. Throws GIT_FAILED. */
export async function gitBranchContent(
  repository: Repository,
  { tip, author, ...commit }: BranchTip,
  base: string,
  run: Run,
): Promise<BranchContent> {
  const about = { author, isMarked: isMarked(commit) };
  const [fork, ...more] = await repository.lines(["merge-base", "--all", base, tip], run, { accepted: [1] });
  // With several forks, a merge could undo what only some of them have, although the tree looks right.
  if (fork === undefined || more.length > 0) {
    const count = fork === undefined ? "no common commit" : `${more.length + 1} forks`;
    return { files: new Map(), others: [`its history (${count} with the base branch)`], isCurrent: false, ...about };
  }
  const changes = await readTreeChanges(repository, fork, tip, run);
  const read = (ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> => repository.objects.blobs(ids, run);
  const content = await readContent(changes, await repository.prefix(run), read);
  return { ...content, isCurrent: await isUnmoved(repository, fork, base, changes, run), ...about };
}

const DIFF = ["diff-tree", "-r", "-z", "--no-renames", "--ignore-submodules=none"];

async function readTreeChanges(
  repository: Repository,
  from: string,
  to: string,
  run: Run,
): Promise<readonly TreeChange[]> {
  const fields = await repository.fields([...DIFF, "--raw", from, to], run);
  return fields.flatMap((raw, index): TreeChange[] => {
    if (index % 2 === 1) return [];
    const [, mode = "", , id = ""] = raw.split(" ");
    return [{ path: fields[index + 1] ?? "", entry: mode === "000000" ? undefined : { mode, id } }];
  });
}

/** Whether no path of `changes` differs between two commits. */
async function isUnmoved(
  repository: Repository,
  from: string,
  to: string,
  changes: readonly TreeChange[],
  run: Run,
): Promise<boolean> {
  if (from === to || changes.length === 0) return true;
  const moved = new Set(await repository.fields([...DIFF, "--name-only", from, to], run));
  return changes.every(({ path }) => !moved.has(path));
}
