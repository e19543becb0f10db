import pLimit from "p-limit";
import { shellCommand } from "../../document/shellWord.ts";
import { Fault, type Forge, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { isAncestor } from "./ancestry.ts";
import { branchElsewhere, listBranches } from "./branch.ts";
import { branchCheckout, makeCommit, moveBranch, moved, localTip } from "./commit.ts";
import { lackingBranches } from "./kept.ts";
import { readLog } from "./log.ts";
import { push, type RemoteBranch, remoteName, remoteTip } from "./remote.ts";
import type { Repository } from "./repository.ts";
import { type DirectTarget, findTarget } from "./target.ts";

/** The start commit of a run, and its last commit. */
interface DirectProgress {
  readonly target: DirectTarget;
  readonly start: string;
  readonly tip: string;
}

const DEADLINE_MS = 60_000;

/**
 * A Git repository without a forge and without proposals: `propose` commits directly to the base branch, on top of
 * earlier commits of this run, at the remote if there is one; `merge` only reports it as merged. Branches of others are
 * read only. Never touches working trees, index or HEAD; the only visible effect is the atomic move of a branch.
 *
 * `baseRevision` names the base branch; `heeded` are the branches that decisions depend on, which the clone must have
 * up to date; `deadlineMs` limits each call of a remote.
 */
export function openDirectForge(
  repository: Repository,
  baseRevision: string,
  heeded: readonly string[],
  deadlineMs: number = DEADLINE_MS,
): Forge {
  const oneByOne = pLimit(1);
  let progress: DirectProgress | undefined;
  const look = async (run: Run): Promise<DirectProgress> => {
    const now = await repository.resolve(baseRevision, run);
    const target = progress?.target ?? (await findTarget({ repository, baseRevision, deadlineMs }, run));
    // A push of this run is not a move by others. A branch that is checked out does not follow it.
    const isOurs = now === progress?.start || now === progress?.tip;
    progress = { target, start: now, tip: isOurs ? (progress?.tip ?? now) : now };
    if (target.remote !== undefined) await refuseMovedRemote(target, target.remote, progress.tip, run);
    return progress;
  };
  const propose = async (draft: ProposalDraft, run: Run): Promise<Proposal> => {
    const before = progress ?? (await look(run));
    const tip = await commitOnto(repository, before, draft, run);
    progress = { ...before, tip };
    const content = { files: draft.files, others: [], isCurrent: true, author: "", isMarked: true };
    return { branch: before.target.branch, tip, pull: undefined, content, digest: undefined };
  };
  return {
    look: async (prefixes, run) => {
      const { start: base, target } = await oneByOne(look, run);
      if (target.remote !== undefined) await refuseUnfetched(target.remote, heeded, run);
      const elsewhere = (await listBranches(repository, prefixes, base, run)).map(branchElsewhere);
      return { base, hasPulls: false, proposals: [], elsewhere };
    },
    propose: (draft, _known, run) => oneByOne(propose, draft, run),
    close: ({ branch }) =>
      Promise.reject(new Fault("CONFIGURATION", `${branch} is a commit, not a proposal, and cannot be closed.`)),
    merge: ({ tip }) => Promise.resolve({ kind: "merged", commit: tip }),
    mergeTimes: () => Promise.resolve(new Map()),
  };
}

async function commitOnto(
  repository: Repository,
  { target, start, tip }: DirectProgress,
  draft: ProposalDraft,
  run: Run,
): Promise<string> {
  const { base } = draft;
  if (base !== start && base !== tip) throw moved(target.branch, base, tip);
  await refuseCheckout(repository, target, run);
  const commit = await makeCommit(repository, draft, [tip], run);
  const [earlier, now] = [await changed(repository, base, tip, run), await changed(repository, tip, commit, run)];
  // The branch already has these files: this draft was committed before.
  if (now.length === 0) return tip;
  const lost = now.find((path) => earlier.includes(path));
  // A draft knows only the files of its base: it must not overwrite changes of an earlier draft of the same run.
  if (lost !== undefined)
    throw new Fault("FORGE_CONFLICT", `An earlier commit of this run changed ${lost}. Run the command again.`);
  const step: PushStep = { commit, from: tip };
  if (target.remote === undefined) return moveHere(repository, target.branch, step, run);
  const landed = await moveThere(target, target.remote, step, run);
  if (target.local !== undefined) await follow(repository, target.local, { ...step, commit: landed }, run);
  return landed;
}

/** The files that differ in two commits, from the top of the repository. */
async function changed(repository: Repository, from: string, to: string, run: Run): Promise<readonly string[]> {
  if (from === to) return [];
  return repository.fields(["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to], run);
}

interface PushStep {
  readonly commit: string;
  readonly from: string;
}

async function moveHere(repository: Repository, branch: string, step: PushStep, run: Run): Promise<string> {
  const { commit, from } = step;
  const trouble = await moveBranch(repository, { branch, commit, from }, run);
  if (trouble === undefined) return commit;
  const now = await localTip(repository, branch, run);
  if (now === from) throw new Fault("GIT_FAILED", `The branch ${branch} could not be moved: ${trouble}`);
  if (now !== undefined && (await isSame(repository, now, step, run))) return now;
  throw moved(branch, from, now);
}

async function moveThere(target: DirectTarget, remote: RemoteBranch, step: PushStep, run: Run): Promise<string> {
  const outcome = await push(remote, step.commit, step.from, run);
  if (outcome.kind === "pushed") return step.commit;
  // The answer may be lost after the branch moved.
  const now = await remoteTip(remote, run);
  if (now !== undefined && (await isSame(remote.repository, now, step, run))) return now;
  if (now !== step.from) throw await remoteMoved(target, remote, step.from, now, run);
  if (outcome.kind === "unclear") throw outcome.fault;
  throw new Fault(
    "FORGE_REFUSED",
    `The remote ${remoteName(remote)} declined a commit on ${remote.branch}: ${outcome.words}. Allow this user to push there; or omit --direct and merge the branches.`,
  );
}

/** Moves the local branch along with the remote one, unless a working tree has it checked out. Optional. */
async function follow(repository: Repository, branch: string, { commit, from }: PushStep, run: Run): Promise<void> {
  const folder = await branchCheckout(repository, branch, run);
  const trouble =
    folder === undefined ? await moveBranch(repository, { branch, commit, from }, run) : `${folder} has it checked out`;
  if (trouble !== undefined)
    run.log.info("the local branch is behind its remote: git pull --rebase", { branch, trouble });
}

/** Whether `commit` has the tree and the parent of the step: from this run, or from another one with the same decision. */
async function isSame(repository: Repository, commit: string, step: PushStep, run: Run): Promise<boolean> {
  if (commit === step.commit) return true;
  // The commit may be from another clone and unknown here.
  const found = await readLog(repository, ["--no-walk", "--end-of-options", commit, step.commit], run, {
    accepted: [128],
  });
  const [theirs, ours] = [commit, step.commit].map((name) => found.find((one) => one.commit === name));
  return theirs !== undefined && theirs.tree === ours?.tree && theirs.parents.join() === step.from;
}

async function refuseCheckout(repository: Repository, { remote, branch }: DirectTarget, run: Run): Promise<void> {
  if (remote !== undefined) return;
  const folder = await branchCheckout(repository, branch, run);
  if (folder === undefined) return;
  const push = shellCommand`git push -u REMOTE ${branch}`;
  throw new Fault(
    "CONFIGURATION",
    `${folder} has ${branch} checked out, so its files would look changed, and ${branch} has no remote to push to. Omit --direct and merge the branches; or name a remote (${push}); or work on a bare clone.`,
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
  if (isAhead) return moved(subject, expected, now, `Push your commits (git push), then run the command again.`);
  const isFree = local !== undefined && (await branchCheckout(repository, local, run)) === undefined;
  const fetch = isFree
    ? shellCommand`git fetch ${name} ${branch}:${local}`
    : local === undefined
      ? shellCommand`git fetch ${name}`
      : "git pull --rebase";
  return moved(subject, expected, now, `Fetch it (${fetch}), then run the command again.`);
}

/**
 * Throws FORGE_CONFLICT if a remote has newer commits on these branches than the clone, since they may change the
 * decision. `heeded` are name patterns. Throws also FORGE_UNREACHABLE, FORGE_UNAUTHORIZED, FORGE_TIMEOUT.
 */
async function refuseUnfetched(remote: RemoteBranch, heeded: readonly string[], run: Run): Promise<void> {
  if (heeded.length === 0) return;
  const [branch] = await lackingBranches(remote, heeded, run);
  if (branch === undefined) return;
  const fetch = shellCommand`git fetch ${remoteName(remote)} ${branch}:${branch}`;
  throw new Fault(
    "FORGE_CONFLICT",
    `The branch ${branch} at the remote ${remoteName(remote)} has commits that this clone lacks, and they may change the decision. Fetch it (${fetch}), then run the command again.`,
  );
}
