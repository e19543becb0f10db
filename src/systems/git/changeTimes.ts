import { realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Run } from "../../ports.ts";
import { isMissingProgram, type Repository } from "./repository.ts";

/**
 * When files were last changed, Unix milliseconds: by the commit that Git knows, or, outside of a repository and for what is
 * not committed, by the file system. A clone gives all files the time of the clone, so Git is asked first.
 *
 * Takes:  paths, absolute or relative to the folder of `repository`. Those that do not exist are not in the answer.
 */
export async function changeTimes(
  repository: Repository,
  paths: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, number>> {
  const files = paths.flatMap((path) => locate(repository.directory, path));
  const committed = new Map<string, number>();
  const folders = [...new Set(files.map(({ real }) => dirname(real)))];
  for (const [root, within] of await repositoriesOf(folders, repository, run)) {
    for (const [path, time] of await commitTimes(repository.at(root), within, run)) committed.set(path, time);
  }
  return new Map(files.map(({ path, real, modifiedMs }) => [path, committed.get(real) ?? modifiedMs]));
}

interface LocatedFile {
  readonly path: string;
  readonly real: string;
  readonly modifiedMs: number;
}

function locate(directory: string, path: string): readonly LocatedFile[] {
  const absolute = resolve(directory, path);
  const modifiedMs = statSync(absolute, { throwIfNoEntry: false })?.mtimeMs;
  return modifiedMs === undefined ? [] : [{ path, real: realpathSync(absolute), modifiedMs }];
}

/** The folders by the Git repository that they are in; those in none are left out. */
async function repositoriesOf(
  folders: readonly string[],
  repository: Repository,
  run: Run,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const roots = new Map<string, string[]>();
  for (const folder of folders) {
    const root = (await ask(repository.at(folder), ["rev-parse", "--show-toplevel"], run)).trim();
    if (root !== "") roots.set(root, [...(roots.get(root) ?? []), folder]);
  }
  return roots;
}

/** The commit times of the files in `folders` that are as they were committed, by absolute path. */
async function commitTimes(
  repository: Repository,
  folders: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, number>> {
  const root = repository.directory;
  const log = await ask(
    repository,
    ["log", "--format=>%ct", "--name-only", "--no-renames", "HEAD", "--", ...folders],
    run,
  );
  const changed = new Set((await ask(repository, ["diff", "--name-only", "HEAD", "--", ...folders], run)).split("\n"));
  const times = new Map<string, number>();
  let time = 0;
  for (const line of log.split("\n")) {
    if (line.startsWith(">")) time = Number(line.slice(1)) * 1000;
    else if (line !== "" && !changed.has(line) && !times.has(join(root, line))) times.set(join(root, line), time);
  }
  return times;
}

/** What Git prints; nothing where there is no repository, no commit, or no Git. */
async function ask(repository: Repository, args: readonly string[], run: Run): Promise<string> {
  try {
    const { code, stdout } = await repository.git(args, run, { accepted: [128] });
    return code === 0 ? stdout.toString() : "";
  } catch (error) {
    if (isMissingProgram(error)) return "";
    throw error;
  }
}
