import { counted } from "../../document/counted.ts";
import { shellCommand } from "../../document/shellWord.ts";
import { Fault, type Run } from "../../ports.ts";
import { remoteTips } from "./remote.ts";
import type { Repository } from "./repository.ts";

/**
 * The commits of a branch: of the clone's own one, and of that of a remote as of the last fetch, `origin` first. One of
 * them if it contains the other; empty if there is none, or outside of a repository. Throws GIT_FAILED.
 */
export async function keptTips(repository: Repository, branch: string, run: Run): Promise<readonly string[]> {
  const format = "--format=%(refname) %(objectname)";
  const refs = [`refs/heads/${branch}`, `refs/remotes/*/${branch}`];
  const lines = await repository.lines(["for-each-ref", format, ...refs], run, { accepted: [128] });
  const found = lines.flatMap((line) => {
    // Git also lists branches below a folder of that name.
    const [, remote, name, tip = ""] = /^refs\/(?:heads|remotes\/([^/]+))\/(\S+) (\S+)$/.exec(line) ?? [];
    return name === branch ? [{ remote, tip }] : [];
  });
  const own = found.find(({ remote }) => remote === undefined)?.tip;
  const there = (found.find(({ remote }) => remote === "origin") ?? found.find(({ remote }) => remote !== undefined))
    ?.tip;
  if (own === undefined || there === undefined || own === there)
    return [own ?? there].filter((tip) => tip !== undefined);
  const counts = await repository.text(["rev-list", "--count", "--left-right", `${own}...${there}`], run);
  const [ahead, behind] = counts.split("\t").map(Number);
  return [...(ahead === 0 ? [] : [own]), ...(behind === 0 ? [] : [there])];
}

const DEADLINE_MS = 30_000;

/**
 * Throws CONFIGURATION if a remote (`origin`, or the only one) has some of these branches, and the clone does not fetch
 * them to where they are looked for, as after `clone --single-branch` or `--depth`: what they say would be taken for
 * nothing. `branches` are names, in which `*` matches anything. Asks the remote only in such a clone, and never if
 * `isOffline`; throws as `remoteTips`.
 */
export async function requireFetched(
  repository: Repository,
  { branches, isOffline }: { readonly branches: readonly string[]; readonly isOffline: boolean },
  run: Run,
): Promise<void> {
  const refspecs = await refspecsOf(repository, run);
  const remote = (refspecs.find((one) => one.remote === "origin") ?? refspecs[0])?.remote;
  if (remote === undefined) return;
  const own = refspecs.filter((one) => one.remote === remote);
  const unfetched = branches.filter((branch) => !isFetched(branch, remote, own));
  // A shallow clone must be completed first, which the reading of its history refuses.
  if (unfetched.length === 0 || (await repository.isShallow(run))) return;
  const there = isOffline
    ? unfetched
    : (await remoteTips({ repository, remote, deadlineMs: DEADLINE_MS }, unfetched, run)).keys();
  const [branch] = there;
  if (branch === undefined) return;
  const remedy = remote.includes("/")
    ? shellCommand`Give the remote a name without "/": git remote rename ${remote} ${remote.replaceAll("/", "-")}`
    : shellCommand`Fetch all branches: git remote set-branches ${remote} '*' && git fetch ${remote}`;
  throw new Fault(
    "CONFIGURATION",
    `The branch ${branch} of ${remote} may change the decision, but this clone does not fetch it. ${remedy}`,
  );
}

/** What a clone fetches from a remote, and where to; `to` is `undefined` for what it does not fetch. */
interface Refspec {
  readonly remote: string;
  readonly from: string;
  readonly to: string | undefined;
}

async function refspecsOf(repository: Repository, run: Run): Promise<readonly Refspec[]> {
  const args = ["config", "--get-regexp", "^remote\\..*\\.fetch$"];
  const lines = await repository.lines(args, run, { accepted: [1, 128] });
  return lines.flatMap((line) => {
    const [, remote, except, from, to = ""] = /^remote\.(.+)\.fetch (\^)?\+?([^:]+)(?::(.+))?$/.exec(line) ?? [];
    return remote === undefined || from === undefined
      ? []
      : [{ remote, from, to: except === undefined ? to : undefined }];
  });
}

/** Whether a clone fetches a branch to where `keptTips` and `listBranches` look for it. */
function isFetched(branch: string, remote: string, refspecs: readonly Refspec[]): boolean {
  const ref = `refs/heads/${branch}`;
  const places = [ref, ...(remote.includes("/") ? [] : [`refs/remotes/${remote}/${branch}`])];
  return (
    refspecs.some(
      ({ from, to = "" }) => covers(from, ref) && places.includes(to.replace("*", () => matched(from, ref))),
    ) && !refspecs.some(({ from, to }) => to === undefined && (covers(from, ref) || covers(ref, from)))
  );
}

/** Whether a pattern, in which `*` stands for any text, names a ref. */
function covers(pattern: string, ref: string): boolean {
  const [start = "", end] = pattern.split("*");
  return end === undefined ? pattern === ref : ref.startsWith(start) && ref.endsWith(end);
}

/** The text for which the `*` of `pattern` stands. */
function matched(pattern: string, ref: string): string {
  const [start = "", end = ""] = pattern.split("*");
  return ref.slice(start.length, ref.length - end.length);
}

/** How many commits HEAD is behind its upstream as last fetched. It does not fetch. */
export async function behindUpstream(repository: Repository, run: Run): Promise<string | undefined> {
  // Without an upstream, Git prints nothing.
  const behind = Number(await repository.text(["rev-list", "--count", "HEAD..@{upstream}"], run, { accepted: [128] }));
  return behind > 0 ? `HEAD is ${counted(behind, "commit")} behind its upstream` : undefined;
}
