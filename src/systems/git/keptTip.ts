import { counted } from "../../document/counted.ts";
import type { Run } from "../../ports.ts";
import type { Repository } from "./repository.ts";

/**
 * The commit of a branch that the clone need not have itself: its own branch, else that of `origin` as it was last
 * fetched; `undefined` where there is neither, or no repository. Throws GIT_FAILED.
 */
export async function keptTip(repository: Repository, branch: string, run: Run): Promise<string | undefined> {
  const refs = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
  const format = "--format=%(objectname) %(refname)";
  const lines = await repository.lines(["for-each-ref", format, ...refs], run, { accepted: [128] });
  // Git would also list what is below a folder of that name.
  const [own, there] = refs.map((ref) => lines.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0]);
  if (own !== undefined && there !== undefined) await warnBehind(repository, { branch, own, there }, run);
  return own ?? there;
}

/** Nothing is fetched here; but what is known to be elsewhere already shall not be overlooked. */
async function warnBehind(
  repository: Repository,
  { branch, own, there }: { readonly branch: string; readonly own: string; readonly there: string },
  run: Run,
): Promise<void> {
  const behind = Number(await repository.text(["rev-list", "--count", there, `^${own}`], run));
  if (behind > 0)
    run.log.warn(
      `the branch ${branch} is ${counted(behind, "commit")} behind that of origin, which does not count: git fetch origin ${branch}:${branch}`,
    );
}
