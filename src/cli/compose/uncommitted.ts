import { SETTINGS_PATH } from "../../catalogue/paths.ts";
import type { Run } from "../../ports.ts";
import { git } from "../../systems/git/git.ts";
import type { Repository } from "../../systems/git/repository.ts";

const STATUS = ["status", "--porcelain", "--no-renames", "--untracked-files=all", "-z"];

/** Where a catalogue stands; what else lies in a working tree may be many files. */
const ROOTS = [SETTINGS_PATH, "channels", "modules"];

/**
 * The files of the catalogue in `repository` that are not as HEAD has them, relative to it; none where there is no
 * working tree. Throws GIT_FAILED.
 */
export async function uncommittedFiles(repository: Repository, run: Run): Promise<readonly string[]> {
  const [{ stdout }, prefix] = await Promise.all([
    git(repository.directory, ["--no-optional-locks", ...STATUS, "--", ...ROOTS], run, { accepted: [128] }),
    repository.prefix(run),
  ]);
  const lines = stdout.toString().split("\0");
  // Two letters, a space, and the path from the top of the repository.
  return lines.filter((line) => line !== "").map((line) => line.slice(3 + prefix.length));
}
