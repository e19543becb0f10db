import { Fault, type Forge, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { limiter } from "../limiter.ts";
import { proposedDigest } from "../marker.ts";
import { isAncestor } from "./ancestry.ts";
import { listBranches } from "./branch.ts";
import { checkoutOf, makeCommit, moveBranch, moved, tipOf } from "./commit.ts";
import { keptTip } from "./keptTip.ts";
import { readLog } from "./log.ts";
import { push, type RemoteBranch, remoteName, remoteTip, remoteTips } from "./remote.ts";
import type { Repository } from "./repository.ts";
import { type DirectTarget, findTarget } from "./target.ts";

/** Where a run began, and what it has committed since. */
interface Progress {
  readonly target: DirectTarget;
  readonly start: string;
  readonly tip: string;
}

const DEADLINE_MS = 60_000;

/**
 * A Git repository without a forge, in which the branches of others are only looked at: `propose` commits on top of what
 * this run committed before, on the base branch itself, at the remote where there is one; `merge` says that it is merged. The
 * user's working trees, their index and HEAD are never touched; the one visible act is the atomic move of a branch.
 *
 * Takes:  `baseRevision`, which names that branch; `heeded`, the branches by which it is decided, all of which the clone
 * must have; `deadlineMs`, for one call of a remote.
 */
export function openDirectForge(
  repository: Repository,
  baseRevision: string,
  heeded: readonly string[],
  deadlineMs: number = DEADLINE_MS,
): Forge {
  const oneByOne = limiter(1);
  let progress: Progress | undefined;
  const look = async (run: Run): Promise<Progress> => {
    const now = await repository.resolve(baseRevision, run);
    const target = progress?.target ?? (await findTarget({ repository, baseRevision, deadlineMs }, run));
    // What this run pushed is not a move by others, though a branch that is checked out stays where it is.
    const isOurs = now === progress?.start || now === progress?.tip;
    progress = { target, start: now, tip: isOurs ? (progress?.tip ?? now) : now };
    if (target.remote !== undefined) await refuseMovedRemote(target, target.remote, progress.tip, run);
    return progress;
  };
  const propose = async (draft: ProposalDraft, run: Run): Promise<Proposal> => {
    const before = progress ?? (await look(run));
    const tip = await commitOnto(repository, before, draft, run);
    progress = { ...before, tip };
    return { branch: before.target.branch, tip, pull: undefined, digest: draft.digest };
  };
  return {
    look: async (prefixes, run) => {
      const { start: base, target } = await oneByOne(() => look(run), run);
      if (target.remote !== undefined) await refuseUnfetched(target.remote, heeded, run);
      return { base, hasPulls: false, proposals: [], elsewhere: await listBranches(repository, prefixes, base, run) };
    },
    propose: (draft, _known, run) => oneByOne(() => propose(draft, run), run),
    close: ({ branch }) =>
      Promise.reject(new Fault("CONFIGURATION", `${branch} is committed, and no proposal that could be closed.`)),
    merge: ({ tip }) => Promise.resolve({ kind: "merged", commit: tip }),
    mergeTimes: () => Promise.resolve(new Map()),
  };
}

async function commitOnto(
  repository: Repository,
  { target, start, tip }: Progress,
  draft: ProposalDraft,
  run: Run,
): Promise<string> {
  const { base, digest } = draft;
  if (base !== start && base !== tip) throw moved(target.branch, base, tip);
  await refuseCheckout(repository, target, run);
  const commit = await makeCommit(repository, draft, [tip], run);
  const [earlier, now] = [await changed(repository, base, tip, run), await changed(repository, tip, commit, run)];
  // The branch has these files already: this very draft was committed before.
  if (now.length === 0) return tip;
  const lost = now.find((path) => earlier.includes(path));
  // A draft knows the files of its base only: what an earlier one of the same run wrote must not be lost.
  if (lost !== undefined)
    throw new Fault("FORGE_CONFLICT", `${lost} was changed by a commit of this very run. Run the command again.`);
  const step: PushStep = { commit, from: tip, digest };
  if (target.remote === undefined) return moveHere(repository, target.branch, step, run);
  const landed = await moveThere(target, target.remote, step, run);
  if (target.local !== undefined) await follow(repository, target.local, { ...step, commit: landed }, run);
  return landed;
}

/** The files that differ in two commits, from the top of the repository. */
function changed(repository: Repository, from: string, to: string, run: Run): Promise<readonly string[]> {
  return repository.fields(["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to], run);
}

interface PushStep {
  readonly commit: string;
  readonly from: string;
  readonly digest: string;
}

async function moveHere(repository: Repository, branch: string, step: PushStep, run: Run): Promise<string> {
  const { commit, from } = step;
  const trouble = await moveBranch(repository, { branch, commit, from }, run);
  if (trouble === undefined) return commit;
  const now = await tipOf(repository, branch, run);
  if (now === from) throw new Fault("GIT_FAILED", `The branch ${branch} could not be moved: ${trouble}`);
  if (now !== undefined && (await isSame(repository, now, step, run))) return now;
  throw moved(branch, from, now);
}

async function moveThere(target: DirectTarget, remote: RemoteBranch, step: PushStep, run: Run): Promise<string> {
  const outcome = await push(remote, step.commit, step.from, run);
  if (outcome.kind === "pushed") return step.commit;
  // An answer may be lost after the branch moved.
  const now = await remoteTip(remote, run);
  if (now !== undefined && (await isSame(remote.repository, now, step, run))) return now;
  if (now !== step.from) throw await remoteMoved(target, remote, step.from, now, run);
  if (outcome.kind === "unclear") throw outcome.fault;
  throw new Fault(
    "FORGE_REFUSED",
    `The remote ${remoteName(remote)} declined a commit on ${remote.branch}: ${outcome.words}. Let this user push there; or leave --direct out and merge the branches.`,
  );
}

/** The local branch goes with the remote one, unless a working tree stands on it. Nothing depends on it. */
async function follow(repository: Repository, branch: string, { commit, from }: PushStep, run: Run): Promise<void> {
  const folder = await checkoutOf(repository, branch, run);
  const trouble =
    folder === undefined ? await moveBranch(repository, { branch, commit, from }, run) : `${folder} stands on it`;
  if (trouble !== undefined) run.log.info("the local branch is behind its remote: git pull", { branch, trouble });
}

/** Whether `commit` is a step of the same content: made by this run, or by another one on this clone. */
async function isSame(repository: Repository, commit: string, step: PushStep, run: Run): Promise<boolean> {
  if (commit === step.commit) return true;
  // A commit of another clone is not known here.
  const [found] = await readLog(repository, ["--no-walk", "--end-of-options", commit], run, { accepted: [128] });
  if (found?.parents.join() !== step.from) return false;
  return proposedDigest({ message: found.body, tree: found.tree }) === step.digest;
}

async function refuseCheckout(repository: Repository, { remote, branch }: DirectTarget, run: Run): Promise<void> {
  if (remote !== undefined) return;
  const folder = await checkoutOf(repository, branch, run);
  if (folder === undefined) return;
  throw new Fault(
    "CONFIGURATION",
    `${folder} stands on ${branch}, whose files would look changed, and ${branch} has no remote to push to. Leave --direct out and merge the branches; or name a remote (git push -u REMOTE ${branch}); or work on a bare clone.`,
  );
}

async function refuseMovedRemote(
  target: DirectTarget,
  remote: RemoteBranch,
  expected: string,
  run: Run,
): Promise<void> {
  const now = await remoteTip(remote, run);
  if (now !== expected) throw await remoteMoved(target, remote, expected, now, run);
}

async function remoteMoved(
  { local }: DirectTarget,
  remote: RemoteBranch,
  expected: string,
  now: string | undefined,
  run: Run,
): Promise<Fault> {
  const { repository, branch } = remote;
  const name = remoteName(remote);
  const subject = `${branch} at the remote ${name}`;
  const isAhead = now === undefined || (await isAncestor(repository, now, expected, run));
  if (isAhead) return moved(subject, expected, now, `Push what is here (git push), then run the command again.`);
  const isFree = local !== undefined && (await checkoutOf(repository, local, run)) === undefined;
  const fetch = isFree
    ? `git fetch ${name} ${branch}:${local}`
    : local === undefined
      ? `git fetch ${name}`
      : "git pull";
  return moved(subject, expected, now, `Take it (${fetch}), then run the command again.`);
}

/**
 * Refuses to act where a remote has more of these branches than the clone: what would have been decided with them is not
 * known. `heeded` as patterns of names. Throws FORGE_CONFLICT, FORGE_UNREACHABLE, FORGE_UNAUTHORIZED, FORGE_TIMEOUT.
 */
async function refuseUnfetched(remote: RemoteBranch, heeded: readonly string[], run: Run): Promise<void> {
  if (heeded.length === 0) return;
  for (const [branch, tip] of await remoteTips(remote, heeded, run)) {
    if (await isHere({ ...remote, branch }, tip, run)) continue;
    const fetch = `git fetch ${remoteName(remote)} ${branch}:${branch}`;
    throw new Fault(
      "FORGE_CONFLICT",
      `The branch ${branch} at the remote ${remoteName(remote)} has what this clone has not, and it may decide otherwise. Take it (${fetch}), then run the command again.`,
    );
  }
}

/** A branch counts as `keptTip` takes it. */
async function isHere({ repository, branch }: RemoteBranch, tip: string, run: Run): Promise<boolean> {
  const here = await keptTip(repository, branch, run);
  return here !== undefined && (await isAncestor(repository, tip, here, run));
}
