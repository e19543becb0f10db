import { realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import { isWithinRoots } from "../files/files.ts";
import { git, isRepository, resolveRevision } from "./git.ts";
import type { Repository } from "./repository.ts";

/** What a working tree changes. */
export interface WorkingChange {
  /** The commit that `base` names. */
  readonly revision: string;
  /** Whether `base` went on after the change left it: the working tree then lacks what was merged since. */
  readonly isBehind: boolean;
  /** Changed, added, removed and untracked files, and links to such, relative to the catalogue. */
  readonly paths: readonly string[];
}

/**
 * What the working tree of `directory` changes since it left `base`, committed or not.
 * Throws CONFIGURATION for a folder that does not exist, REVISION_UNKNOWN, HISTORY_TOO_SHALLOW when the two have no
 * common commit in this clone, GIT_FAILED.
 */
export async function changesSince(repository: Repository, base: string, run: Run): Promise<WorkingChange> {
  const { directory } = repository;
  // Before Git is asked: it would say that there is no Git.
  refuseFolder(directory);
  const left = await repository.forkFrom(base, run);
  if (left === undefined) throw await unrelated(directory, base, run);
  const [diff, files] = await Promise.all([
    git(directory, ["diff", "--name-only", "-z", "--no-renames", "--relative", left.fork, "--"], run),
    git(directory, ["ls-files", "-t", "-z", "--stage", "--cached", "--others", "--exclude-standard"], run),
  ]);
  const listed = namesIn(files);
  const untracked = listed.flatMap((line) => (line.startsWith(UNTRACKED) ? [line.slice(UNTRACKED.length)] : []));
  const changed = new Set([...namesIn(diff), ...untracked]);
  return {
    revision: left.base,
    isBehind: left.fork !== left.base,
    paths: [...new Set([...changed, ...linksTo(directory, changed, listed)])].filter(isWithinRoots).sort(),
  };
}

/** Why nobody can tell what HEAD changes since `base`. */
async function unrelated(directory: string, base: string, run: Run): Promise<Fault> {
  if (!(await isRepository(directory, run)))
    return new Fault(
      "REVISION_UNKNOWN",
      `${directory} is no Git repository with a commit, so it has no ${base}. Leave --base out to judge everything.`,
    );
  await resolveRevision(directory, base, run);
  return new Fault(
    "HISTORY_TOO_SHALLOW",
    `${base} and HEAD have no common commit in ${directory}: git fetch --unshallow (in GitHub Actions: fetch-depth: 0).`,
  );
}

function refuseFolder(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Fault("CONFIGURATION", `There is no folder ${directory}. Name another: --repo DIR.`);
}

function namesIn({ stdout }: { readonly stdout: Buffer }): readonly string[] {
  return stdout
    .toString()
    .split("\0")
    .filter((name) => name !== "");
}

const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);
/** `H 100644 <id> 0<TAB>path` and `? path`. */
const LINK = /^[A-Z] 120000 [^\t]*\t/;
const UNTRACKED = "? ";

/**
 * The links of the catalogue behind which something changed, be it where no catalogue stands. Where any link changed,
 * these are all of them: it may stand between a link and the file.
 */
function linksTo(directory: string, changed: ReadonlySet<string>, listed: readonly string[]): readonly string[] {
  const links = listed.filter((line) => LINK.test(line)).map((line) => line.replace(LINK, ""));
  if (links.some((link) => changed.has(link))) return links;
  const root = realpathSync(directory);
  return links.filter(isWithinRoots).filter((link) => {
    const target = targetOf(join(root, link));
    // Where it leads nowhere, nobody can tell whether the change removed the file.
    return target === undefined || changed.has(relative(root, target).split(sep).join("/"));
  });
}

/** The file behind a link; `undefined` when there is none. */
function targetOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && ABSENT.has(error.code)) return undefined;
    throw error;
  }
}
