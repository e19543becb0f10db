import { realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import { isWithinRoots } from "../files/files.ts";
import { git, isRepository, resolveRevision } from "./git.ts";

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
export async function changesSince(directory: string, base: string, run: Run): Promise<WorkingChange> {
  await refuseFolder(directory, base, run);
  const revision = await resolveRevision(directory, base, run);
  const { code, stdout } = await git(directory, ["merge-base", revision, "HEAD"], run, { accepted: [1] });
  const fork = stdout.toString().trim();
  if (code !== 0 || fork === "") {
    throw new Fault(
      "HISTORY_TOO_SHALLOW",
      `${base} and HEAD have no common commit in ${directory}: git fetch --unshallow (in GitHub Actions: fetch-depth: 0).`,
    );
  }
  const outputs = await Promise.all([
    git(directory, ["diff", "--name-only", "-z", "--no-renames", "--relative", fork, "--"], run),
    git(directory, ["ls-files", "--others", "--exclude-standard", "-z"], run),
  ]);
  const changed = new Set(outputs.flatMap(namesIn));
  const links = await linksTo(directory, changed, run);
  return {
    revision,
    isBehind: fork !== revision,
    paths: [...new Set([...changed, ...links])].filter(isWithinRoots).sort(),
  };
}

async function refuseFolder(directory: string, base: string, run: Run): Promise<void> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Fault("CONFIGURATION", `There is no folder ${directory}. Name another: --repo DIR.`);
  if (await isRepository(directory, run)) return;
  throw new Fault(
    "REVISION_UNKNOWN",
    `${directory} is no Git repository with a commit, so it has no ${base}. Leave --base out to judge everything.`,
  );
}

function namesIn({ stdout }: { readonly stdout: Buffer }): readonly string[] {
  return stdout
    .toString()
    .split("\0")
    .filter((name) => name !== "");
}

const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);
const LINK = /^120000 [^\t]*\t/;

/**
 * The links of the catalogue behind which something changed, be it where no catalogue stands. Where any link changed,
 * these are all of them: it may stand between a link and the file.
 */
async function linksTo(directory: string, changed: ReadonlySet<string>, run: Run): Promise<readonly string[]> {
  const listed = namesIn(await git(directory, ["ls-files", "--stage", "-z"], run));
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

/** Where `directory` lies in its Git repository, with "/" at the end; empty at the top, and outside of Git. */
export async function gitPrefix(directory: string, run: Run): Promise<string> {
  const { stdout } = await git(directory, ["rev-parse", "--show-prefix"], run, { accepted: [128] });
  return stdout.toString().replace(/\n$/, "");
}
