import { existsSync, readdirSync, readFileSync, rmSync, type Dirent } from "node:fs";
import { join, relative, sep } from "node:path";
import type { FolderContent } from "../../catalogue/init/decide.ts";
import type { GitState } from "../../catalogue/init/steps.ts";
import { Fault, type Run } from "../../ports.ts";
import { errorCode, problemText } from "../errno.ts";
import type { Repository } from "../git/repository.ts";

/**
 * Lists a folder, which need not exist, and reads everything below the names that `isOurs` accepts.
 * Throws CONFIGURATION if it is not a folder, FILE_UNREADABLE.
 */
export function listFolder(directory: string, isOurs: (name: string) => boolean): FolderContent {
  if (!existsSync(directory)) return { files: new Map(), others: [] };
  const entries = attempt(directory, () => readdirSync(directory, { withFileTypes: true }));
  const [ours, others] = [entries.filter(({ name }) => isOurs(name)), entries.filter(({ name }) => !isOurs(name))];
  return {
    files: new Map(ours.flatMap((entry) => readEntry(directory, entry))),
    others: others.map(({ name }) => name).filter((name) => name !== ".git"),
  };
}

function readEntry(directory: string, entry: Dirent): readonly [string, Uint8Array | undefined][] {
  const path = join(entry.parentPath, entry.name);
  if (entry.isDirectory())
    return attempt(path, () => readdirSync(path, { withFileTypes: true })).flatMap((one) => readEntry(directory, one));
  const name = relative(directory, path).split(sep).join("/");
  return [[name, entry.isFile() ? attempt(path, () => readFileSync(path)) : undefined]];
}

/** Removes files of a folder; ignores those that are already gone. Throws FILE_UNREADABLE. */
export function removeFiles(directory: string, paths: readonly string[]): void {
  for (const path of paths)
    attempt(path, () => {
      rmSync(join(directory, path), { force: true });
    });
}

/** Whether a folder is the top of a Git repository, and whether that has a remote `origin`. Throws GIT_FAILED. */
export async function gitState(repository: Repository, run: Run): Promise<GitState> {
  if (!existsSync(join(repository.directory, ".git"))) return "none";
  const { code } = await repository.git(["config", "--get", "remote.origin.url"], run, { accepted: [1] });
  return code === 0 ? "clone" : "repository";
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (errorCode(cause) === "ENOTDIR")
      throw new Fault("CONFIGURATION", `${path} is not a folder. Name another one.`, { cause });
    throw new Fault("FILE_UNREADABLE", `${path}: ${problemText(cause)}.`, { cause });
  }
}
