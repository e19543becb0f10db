import type { Run } from "../ports.ts";
import { git } from "../systems/git.ts";
import { gitPrefix } from "../systems/gitChanges.ts";

const STATUS = [
  "--no-optional-locks",
  "status",
  "--porcelain",
  "--no-renames",
  "--untracked-files=all",
  "-z",
  "--",
  ".",
];

/**
 * The files of the working tree below `directory` that are not as HEAD has them, relative to it; none where there is no
 * working tree. Throws GIT_FAILED.
 */
export async function uncommittedFiles(directory: string, run: Run): Promise<readonly string[]> {
  const [{ stdout }, prefix] = await Promise.all([
    git(directory, STATUS, run, { accepted: [128] }),
    gitPrefix(directory, run),
  ]);
  const lines = stdout.toString().split("\0");
  // Two letters, a space, and the path from the top of the repository.
  return lines.filter((line) => line !== "").map((line) => line.slice(3 + prefix.length));
}
