import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import { SETTINGS_PATH } from "../../catalogue/paths.ts";
import { isAbsent } from "../errno.ts";
import { isWithinRoots } from "../files/files.ts";
import type { Repository } from "./repository.ts";

/** The changes of a working tree. */
export interface WorkingChange {
  /** The commit that `base` names. */
  readonly revision: string;
  /** Whether `base` has newer commits than the fork point: the working tree then lacks later merges. */
  readonly isBehind: boolean;
  /** Changed, added, removed and untracked files, and links to them, relative to the catalogue. */
  readonly paths: readonly string[];
}

/**
 * The changes of the working tree since the fork point from `base`, committed or not.
 * Throws CONFIGURATION for a folder that does not exist, REVISION_UNKNOWN, HISTORY_TOO_SHALLOW when the two have no
 * common commit in this clone, GIT_FAILED.
 */
export async function changesSince(repository: Repository, base: string, run: Run): Promise<WorkingChange> {
  const { directory } = repository;
  const left = await repository.forkFrom(base, run);
  if (left === undefined) throw await unrelated(repository, base, run);
  const [diff, listed] = await Promise.all([
    repository.fields(["diff", "--name-only", "-z", "--no-renames", "--relative", left.fork, "--"], run),
    repository.fields(["ls-files", "-t", "-z", "--stage", "--cached", "--others", "--exclude-standard"], run),
  ]);
  const untracked = listed.flatMap((line) => (line.startsWith(UNTRACKED) ? [line.slice(UNTRACKED.length)] : []));
  const changed = new Set([...diff, ...untracked]);
  return {
    revision: left.base,
    isBehind: left.fork !== left.base,
    paths: [...new Set([...changed, ...linksTo(directory, changed, listed)])].filter(isWithinRoots).sort(),
  };
}

const STATUS = ["status", "--porcelain", "--no-renames", "--untracked-files=all", "-z"];

/** The paths of a catalogue: the rest of a working tree may be many files. */
const ROOTS = [SETTINGS_PATH, "channels", "modules"];

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
    const target = targetOf(join(root, link));
    // If the target does not exist, the change may have removed it.
    return target === undefined || changed.has(relative(root, target).split(sep).join("/"));
  });
}

/** The target of a link; `undefined` if it does not exist. */
function targetOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
