import { counted } from "../../document/counted.ts";
import { shellCommand } from "../../document/shellWord.ts";
import { Fault, type Run } from "../../ports.ts";
import { isAncestor } from "./ancestry.ts";
import { listRefs, remotesThatCount, tipsIn, upstreamIn } from "./branchTips.ts";
import { shallowCut } from "./history.ts";
import { type RemoteBranch, remoteTips } from "./remote.ts";
import type { Repository } from "./repository.ts";

/** The branches that a decision depends on. */
interface DecidingBranches {
  /** Names, in which `*` matches anything. */
  readonly branches: readonly string[];
  /** Do not ask a remote. */
  readonly isOffline: boolean;
}

/**
 * The commits of one of the branches that a decision depends on: of the clone's own one, and of those of the remotes that
 * count, as of the last fetch. None of them contains another one. Empty if there is none, or outside of a repository.
 *
 * Throws CONFIGURATION if a remote that counts has some of these branches, and the clone does not fetch them to where
 * they are looked for, as after `clone --single-branch`, `--bare` or `--depth`: what they say would be taken for
 * nothing. The same applies to a clone of which only a part may have been fetched. Asks the remote only in such a
 * clone, and never if `isOffline`; throws as `remoteTips`.
 */
export async function keptTips(
  repository: Repository,
  branch: string,
  deciding: DecidingBranches,
  run: Run,
): Promise<readonly string[]> {
  const [refspecs, refs] = await Promise.all([
    keptRefspecs(repository, run),
    listRefs(repository, deciding.branches, run),
  ]);
  const mayHaveAsked = await requireFetched(repository, { ...deciding, refspecs, refs }, run);
  // Another process may have fetched while the remote was asked.
  const tips = tipsIn(mayHaveAsked ? await listRefs(repository, deciding.branches, run) : refs, branch);
  return tips.length < 2 ? tips : repository.lines(["merge-base", "--independent", ...tips], run);
}

/**
 * The branches of a remote with commits that the clone lacks. `names` are names, in which `*` matches anything. Throws
 * as `remoteTips`.
 */
export async function lackingBranches(
  target: Omit<RemoteBranch, "branch">,
  names: readonly string[],
  run: Run,
): Promise<readonly string[]> {
  const { repository } = target;
  const lacking: string[] = [];
  const tips = await remoteTips(target, names, run);
  const refs = tips.size === 0 ? [] : await listRefs(repository, names, run);
  for (const [branch, tip] of tips) {
    const contain = await Promise.all(tipsIn(refs, branch).map((one) => isAncestor(repository, tip, one, run)));
    if (!contain.includes(true)) lacking.push(branch);
  }
  return lacking;
}

const DEADLINE_MS = 30_000;

/**
 * Throws CONFIGURATION for a branch that a remote that counts has, or may have, and the clone has not. Returns whether it may
 * have asked a remote.
 */
async function requireFetched(
  repository: Repository,
  { refspecs, refs, ...deciding }: DecidingBranches & Fetching,
  run: Run,
): Promise<boolean> {
  let mayHaveAsked = false;
  for (const remote of remotesThatCount([...new Set(refspecs.map((one) => one.remote))], upstreamIn(refs))) {
    const own = refspecs.filter((one) => one.remote === remote);
    const isDue = (branch: string): boolean =>
      !isFetched(branch, remote, own) || (!deciding.isOffline && isDoubtful(branch, remote, refs));
    const due = deciding.branches.filter(isDue);
    mayHaveAsked ||= due.length > 0;
    const branch = await lackingBranch(repository, remote, { ...deciding, branches: due }, run);
    if (branch === undefined) continue;
    const what = `The branch ${branch} of ${remote} may change the decision, and this clone does not have it.`;
    throw new Fault("CONFIGURATION", `${what} ${remedyFor(remote, isFetched(branch, remote, own))}`);
  }
  return mayHaveAsked;
}

/** What a clone fetches, and what it has fetched. */
interface Fetching {
  readonly refspecs: readonly Refspec[];
  readonly refs: readonly string[];
}

/**
 * Whether a job in CI may have fetched only the commit that it is about, whatever the clone is configured to fetch: no
 * branch is checked out, and none of this name was fetched.
 */
function isDoubtful(branch: string, remote: string, lines: readonly string[]): boolean {
  const isDetached = !lines.some((line) => line.includes(" *"));
  const wasFetched = lines.some((line) => covers(`refs/remotes/${remote}/${branch}`, line.split(" ", 1)[0] ?? ""));
  return isDetached && !wasFetched;
}

/** The first of these branches that a remote has, or may have, and the clone has not. */
async function lackingBranch(
  repository: Repository,
  remote: string,
  { branches, isOffline }: DecidingBranches,
  run: Run,
): Promise<string | undefined> {
  if (branches.length === 0) return undefined;
  const head = await repository.head(run);
  // A shallow clone must be completed first, which the reading of its history refuses.
  if (head !== undefined && (await shallowCut(repository, head, run)) !== undefined) return undefined;
  if (isOffline) return branches[0];
  return (await lackingBranches({ repository, remote, deadlineMs: DEADLINE_MS }, branches, run))[0];
}

function remedyFor(remote: string, isConfigured: boolean): string {
  if (remote.includes("/"))
    return shellCommand`Give the remote a name without "/": git remote rename ${remote} ${remote.replaceAll("/", "-")}`;
  if (!isConfigured) return fetchAll(remote);
  return `A job needs the whole repository (fetch-depth: 0, GIT_DEPTH: 0). Fetch it: ${shellCommand`git fetch ${remote}`}`;
}

/** Not `git remote set-branches`: it leaves a bare clone without a refspec. */
function fetchAll(remote: string): string {
  const refspec = `+refs/heads/*:refs/remotes/${remote}/*`;
  const configure = shellCommand`git config --replace-all ${`remote.${remote}.fetch`} ${refspec}`;
  return `Fetch all branches: ${configure} && ${shellCommand`git fetch ${remote}`}`;
}

/** What a clone fetches from a remote, and where to; `to` is `undefined` for what it does not fetch. */
interface Refspec {
  readonly remote: string;
  readonly from: string;
  readonly to: string | undefined;
}

/** The refspecs of each remote, with an empty one for its address: a bare clone has no other. */
async function keptRefspecs(repository: Repository, run: Run): Promise<readonly Refspec[]> {
  const args = ["config", "--get-regexp", "^remote\\..*\\.(fetch|url)$"];
  const lines = await repository.lines(args, run, { accepted: [1, 128] });
  return lines.flatMap((line) => {
    const [, remote, except, from, to = ""] = /^remote\.(.+)\.fetch (\^)?\+?([^:]+)(?::(.+))?$/.exec(line) ?? [];
    if (remote !== undefined && from !== undefined)
      return [{ remote, from, to: except === undefined ? to : undefined }];
    const [, bare] = /^remote\.(.+)\.url /.exec(line) ?? [];
    return bare === undefined ? [] : [{ remote: bare, from: "", to: "" }];
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

/** How far HEAD is behind, as a clause, and the command that updates it. */
interface Lag {
  readonly what: string;
  readonly remedy: string;
}

/**
 * How far HEAD is behind its upstream as last fetched; without an upstream, as with a detached HEAD, behind the default
 * branch of `origin`, if that contains it. It does not fetch.
 */
export async function behindUpstream(repository: Repository, run: Run): Promise<Lag | undefined> {
  const { code, stdout } = await repository.git(["rev-list", "--count", "HEAD..@{upstream}"], run, MAYBE);
  if (code === 0) return branchLag(Number(stdout), "its upstream", "git pull --rebase");
  const [base] = await repository.lines(["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"], run, MAYBE);
  if (base === undefined || !(await isAncestor(repository, "HEAD", base, run))) return undefined;
  const count = Number(await repository.text(["rev-list", "--count", `HEAD..${base}`], run));
  const onBranch = await repository.git(["symbolic-ref", "--quiet", "HEAD"], run, MAYBE);
  const merge = shellCommand`git merge --ff-only ${base}`;
  const change = shellCommand`git switch ${base.replace("origin/", "")} && git pull --rebase`;
  return branchLag(count, base, onBranch.code === 0 ? merge : change);
}

/** Accepts a missing repository or ref. */
const MAYBE = { accepted: [1, 128] };

function branchLag(count: number, upstream: string, remedy: string): Lag | undefined {
  return count === 0 ? undefined : { what: `HEAD is ${counted(count, "commit")} behind ${upstream}`, remedy };
}
