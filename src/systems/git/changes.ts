import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import { CODEOWNERS_PATH, TEAMS_PATH } from "../../catalogue/codeowners.ts";
import { SETTINGS_PATH } from "../../catalogue/paths.ts";
import { isAbsent } from "../errno.ts";
import { isWithinRoots } from "../files/files.ts";
import { isOnFirstParents } from "./ancestry.ts";
import type { Fork, Repository } from "./repository.ts";
import { linkTargets } from "./revision.ts";

/** What a change consists of: the commits up to HEAD, or the files of the working tree, committed or not. */
export type ChangeKind = "commits" | "worktree";

/** The changes since a base. */
export interface ChangeSince extends Fork {
  /** Whether the head has the fork point beside its line of first parents: as a branch that it merged. */
  readonly isAside: boolean;
  /** Changed, added, removed and untracked files, and links to them, relative to the catalogue. */
  readonly paths: readonly string[];
}

/**
 * The changes since the fork point from `base`.
 * Throws CONFIGURATION for a folder that does not exist, REVISION_UNKNOWN, HISTORY_TOO_SHALLOW when the two have no
 * common commit in this clone, GIT_FAILED.
 */
export async function changesSince(
  repository: Repository,
  base: string,
  kind: ChangeKind,
  run: Run,
): Promise<ChangeSince> {
  const left = await repository.forkFrom(base, run);
  if (left === undefined) throw await unrelated(repository, base, run);
  const { fork, head } = left;
  const paths = kind === "commits" ? committedPaths(repository, left, run) : workingPaths(repository, fork, run);
  const isAside = !(await isOnFirstParents(repository, fork, head, run));
  return { ...left, isAside, paths: [...new Set(await paths)].filter(isWithinRoots).sort() };
}

/** The files that differ between two commits, and the links that lead to other content. */
async function committedPaths(repository: Repository, { fork, head }: Fork, run: Run): Promise<readonly string[]> {
  const diff = ["diff-tree", "-r", "--name-only", "-z", "--no-renames", "--relative", fork, head];
  const [changed, after] = await Promise.all([repository.fields(diff, run), linkTargets(repository, head, run)]);
  const before = after.size === 0 ? after : await linkTargets(repository, fork, run);
  const target = (targets: typeof after, path: string): string => JSON.stringify(targets.get(path));
  return [...changed, ...[...after.keys()].filter((path) => target(before, path) !== target(after, path))];
}

async function workingPaths(repository: Repository, fork: string, run: Run): Promise<readonly string[]> {
  const [diff, listed] = await Promise.all([
    repository.fields(["diff", "--name-only", "-z", "--no-renames", "--relative", fork, "--"], run),
    repository.fields(["ls-files", "-t", "-z", "--stage", "--cached", "--others", "--exclude-standard"], run),
  ]);
  const untracked = listed.flatMap((line) => (line.startsWith(UNTRACKED) ? [line.slice(UNTRACKED.length)] : []));
  const changed = new Set([...diff, ...untracked]);
  return [...changed, ...linksTo(repository.directory, changed, listed)];
}

/** All files that the commits since a fork point change, from the top of the repository. Throws GIT_FAILED. */
export function filesOfHead(repository: Repository, { fork, head }: Fork, run: Run): Promise<readonly string[]> {
  const options = ["-r", "-z", "--name-only", "--no-renames", "--ignore-submodules=none"];
  return repository.fields(["diff-tree", ...options, fork, head], run);
}

const STATUS = ["status", "--porcelain", "--no-renames", "--untracked-files=all", "-z"];

/** The paths that a catalogue and its rules read: the rest of a working tree may be many files. */
const ROOTS = [SETTINGS_PATH, "channels", "modules", CODEOWNERS_PATH, TEAMS_PATH];

/**
 * The files of the catalogue that differ from HEAD, relative to it; none without a working tree. Throws GIT_FAILED.
 */
export async function uncommittedFiles(repository: Repository, run: Run): Promise<readonly string[]> {
  const [lines, prefix] = await Promise.all([
    repository.fields(["--no-optional-locks", ...STATUS, "--", ...ROOTS], run, { accepted: [128] }),
    repository.prefix(run),
  ]);
  // Two letters, a space, and the path from the top of the repository.
  return lines.map((line) => line.slice(3 + prefix.length));
}

/** The fault if HEAD and `base` have no fork point. */
async function unrelated(repository: Repository, base: string, run: Run): Promise<Fault> {
  const { directory } = repository;
  if ((await repository.head(run)) === undefined)
    return new Fault(
      "REVISION_UNKNOWN",
      `${directory} is not a Git repository with a commit, so it has no ${base}. Omit --base to judge everything.`,
    );
  await repository.resolve(base, run);
  return new Fault(
    "HISTORY_TOO_SHALLOW",
    `${base} and HEAD have no common commit in ${directory}: git fetch --unshallow (in GitHub Actions: fetch-depth: 0).`,
  );
}

/** `H 100644 <id> 0<TAB>path` and `? path`. */
const LINK = /^[A-Z] 120000 [^\t]*\t/;
const UNTRACKED = "? ";

/**
 * The links of the catalogue whose targets changed, also targets outside of the catalogue. If any link changed, returns
 * all links, since it may be between a link and its file.
 */
function linksTo(directory: string, changed: ReadonlySet<string>, listed: readonly string[]): readonly string[] {
  const links = listed.filter((line) => LINK.test(line)).map((line) => line.replace(LINK, ""));
  if (links.some((link) => changed.has(link))) return links;
  const root = realpathSync(directory);
  return links.filter(isWithinRoots).filter((link) => {
    const target = renameTarget(join(root, link));
    // If the target does not exist, the change may have removed it.
    return target === undefined || changed.has(relative(root, target).split(sep).join("/"));
  });
}

/** The target of a link; `undefined` if it does not exist. */
function renameTarget(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
