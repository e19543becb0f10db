import { counted } from "../../document/counted.ts";
import { Fault, type Run } from "../../ports.ts";
import { remoteTips } from "./remote.ts";
import type { Repository } from "./repository.ts";

/**
 * The commit of the clone's own branch, else of the branch of a remote as of the last fetch, `origin` first;
 * `undefined` if none exists, or outside of a repository. Throws GIT_FAILED.
 */
export async function keptTip(repository: Repository, branch: string, run: Run): Promise<string | undefined> {
  const format = "--format=%(refname) %(objectname)";
  const refs = [`refs/heads/${branch}`, `refs/remotes/*/${branch}`];
  const lines = await repository.lines(["for-each-ref", format, ...refs], run, { accepted: [128] });
  const found = lines.flatMap((line) => {
    // Git also lists branches below a folder of that name.
    const [, remote, name, tip = ""] = /^refs\/(?:heads|remotes\/([^/]+))\/(\S+) (\S+)$/.exec(line) ?? [];
    return name === branch ? [{ remote, tip }] : [];
  });
  const own = found.find(({ remote }) => remote === undefined)?.tip;
  const there = found.find(({ remote }) => remote === "origin") ?? found.find(({ remote }) => remote !== undefined);
  if (own !== undefined && there?.remote !== undefined)
    await warnBehind(repository, { branch, own, remote: there.remote, there: there.tip }, run);
  return own ?? there?.tip;
}

const DEADLINE_MS = 30_000;

/**
 * Throws CONFIGURATION if a remote has some of these branches, and the clone fetches them from none, as after
 * `clone --single-branch` or `--depth`: what they say would be taken for nothing. `branches` are names, in which `*`
 * matches anything. Asks the remote only in such a clone, and never if `isOffline`; throws as `remoteTips`.
 */
export async function requireFetched(
  repository: Repository,
  { branches, isOffline }: { readonly branches: readonly string[]; readonly isOffline: boolean },
  run: Run,
): Promise<void> {
  const args = ["config", "--get-regexp", "^remote\\..*\\.fetch$"];
  const lines = await repository.lines(args, run, { accepted: [1, 128] });
  const fetched = lines.flatMap((line) => {
    const [, remote, from] = /^remote\.(.+)\.fetch \+?([^:]+)/.exec(line) ?? [];
    return remote === undefined || from === undefined ? [] : [{ remote, from }];
  });
  const unfetched = branches.filter((branch) => !fetched.some(({ from }) => covers(from, `refs/heads/${branch}`)));
  const remote = (fetched.find((one) => one.remote === "origin") ?? fetched[0])?.remote;
  if (remote === undefined || unfetched.length === 0) return;
  // A shallow clone must be completed first, which the reading of its history refuses.
  if (await repository.isShallow(run)) return;
  const there = isOffline
    ? unfetched
    : (await remoteTips({ repository, remote, deadlineMs: DEADLINE_MS }, unfetched, run)).keys();
  const [branch] = there;
  if (branch === undefined) return;
  throw new Fault(
    "CONFIGURATION",
    `The branch ${branch} of ${remote} may change the decision, but this clone does not fetch it. Fetch all branches: git config remote.${remote}.fetch '+refs/heads/*:refs/remotes/${remote}/*' && git fetch ${remote}`,
  );
}

/** Whether a refspec's source, in which `*` stands for any text, names a ref. */
function covers(source: string, ref: string): boolean {
  const [start = "", end] = source.split("*");
  return end === undefined ? source === ref : ref.startsWith(start) && ref.endsWith(end);
}

/** Warns about commits that were fetched from the remote but are not on the own branch. */
async function warnBehind(
  repository: Repository,
  { branch, own, remote, there }: Readonly<Record<"branch" | "own" | "remote" | "there", string>>,
  run: Run,
): Promise<void> {
  const behind = Number(await repository.text(["rev-list", "--count", there, `^${own}`], run));
  if (behind > 0)
    run.log.warn(
      `the branch ${branch} is ${counted(behind, "commit")} behind that of ${remote}, which is not used: git fetch ${remote} ${branch}:${branch}`,
    );
}

/** Warns if HEAD is behind its upstream as last fetched. It does not fetch. */
export async function warnBehindUpstream(repository: Repository, run: Run): Promise<void> {
  // Without an upstream, Git prints nothing.
  const behind = Number(await repository.text(["rev-list", "--count", "HEAD..@{upstream}"], run, { accepted: [128] }));
  if (behind > 0) run.log.warn(`HEAD is ${counted(behind, "commit")} behind its upstream: git pull`);
}
