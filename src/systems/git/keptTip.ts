import { counted } from "../../document/counted.ts";
import type { Run } from "../../ports.ts";
import type { Repository } from "./repository.ts";

/**
 * The commit of the clone's own branch, else of the branch of `origin` as of the last fetch; `undefined` if neither
 * exists, or outside of a repository. Throws GIT_FAILED.
 */
export async function keptTip(repository: Repository, branch: string, run: Run): Promise<string | undefined> {
  const refs = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
  const format = "--format=%(objectname) %(refname)";
  const lines = await repository.lines(["for-each-ref", format, ...refs], run, { accepted: [128] });
  // Git also lists branches below a folder of that name.
  const [own, there] = refs.map((ref) => lines.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0]);
  if (own !== undefined && there !== undefined) await warnBehind(repository, { branch, own, there }, run);
  return own ?? there;
}

/** Warns about commits that were fetched from `origin` but are not on the own branch. */
async function warnBehind(
  repository: Repository,
  { branch, own, there }: { readonly branch: string; readonly own: string; readonly there: string },
  run: Run,
): Promise<void> {
  const behind = Number(await repository.text(["rev-list", "--count", there, `^${own}`], run));
  if (behind > 0)
    run.log.warn(
      `the branch ${branch} is ${counted(behind, "commit")} behind that of origin, which is not used: git fetch origin ${branch}:${branch}`,
    );
}
