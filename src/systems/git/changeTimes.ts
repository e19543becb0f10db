import { realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Run } from "../../ports.ts";
import { isMissingProgram } from "../errno.ts";
import { CHANGES, readLog } from "./log.ts";
import type { Repository } from "./repository.ts";

/**
 * The last change of each file, Unix milliseconds: the time of its last commit, or for uncommitted files and outside of
 * Git, the time in the file system. Git comes first, since a clone sets all files to the time of the clone.
 *
 * `paths` are absolute or relative to the folder of `repository`. Files that do not exist are missing from the answer.
 */
export async function changeTimes(
  repository: Repository,
  paths: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, number>> {
  const files = paths.flatMap((path) => {
    const absolute = resolve(repository.directory, path);
    const modifiedMs = statSync(absolute, { throwIfNoEntry: false })?.mtimeMs;
    return modifiedMs === undefined ? [] : [{ path, real: realpathSync(absolute), modifiedMs }];
  });
  const folders = [...new Set(files.map(({ real }) => dirname(real)))];
  const committed = await commitTimes(repository, folders, run).catch((error: unknown) => {
    // Without Git, use the file system only.
    if (isMissingProgram(error)) return new Map<string, number>();
    throw error;
  });
  return new Map(files.map(({ path, real, modifiedMs }) => [path, committed.get(real) ?? modifiedMs]));
}

/** Accepts a folder without a repository or without a commit: Git prints nothing then. */
const OR_NOTHING = { accepted: [128] } as const;

/** The commit times of the unchanged files in `folders`, by absolute path. */
async function commitTimes(
  repository: Repository,
  folders: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (const [root, within] of await folderRoots(folders, repository, run)) {
    const git = repository.at(root);
    const asked = ["HEAD", "--", ...within];
    const edited = new Set(await git.fields(["diff", "-z", "--name-only", ...asked], run, OR_NOTHING));
    const commits = await readLog(git, [...CHANGES, ...asked], run, OR_NOTHING);
    for (const { committerMs, changes } of commits.toReversed())
      for (const { path } of changes) if (!edited.has(path)) times.set(join(root, path), committerMs);
  }
  return times;
}

/** The folders by the top of their Git repository, without those outside of Git. */
async function folderRoots(
  folders: readonly string[],
  repository: Repository,
  run: Run,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const roots = new Map<string, string[]>();
  for (const folder of folders) {
    const root = await repository.at(folder).text(["rev-parse", "--show-toplevel"], run, OR_NOTHING);
    if (root !== "") roots.set(root, [...(roots.get(root) ?? []), folder]);
  }
  return roots;
}
