import { Fault, type ProposalDraft, type Run } from "../../ports.ts";
import { isAncestor } from "./ancestry.ts";
import type { Repository } from "./repository.ts";
import { type Clone, fromTo } from "./clone.ts";
import { blobAt, blobOf, checkoutOf, makeCommit, moveBranch, tipOf, treeOf } from "./commit.ts";
import { nameOf, push, type RemoteBranch, remoteTip } from "./remote.ts";
import { proposedDigest, withTrailers } from "../marker.ts";
import { limiter } from "../limiter.ts";

/** Commits on the base branch itself. */
export interface DirectCommits {
  /** The commit to decide on. Throws FORGE_CONFLICT where the remote is elsewhere, CONFIGURATION without a branch. */
  base(run: Run): Promise<string>;
  /**
   * Commits on top of what this run committed before, at the remote where there is one. Throws FORGE_CONFLICT,
   * FORGE_REFUSED when the remote declines, CONFIGURATION when a working tree stands on the only branch there is.
   */
  commit(draft: ProposalDraft, run: Run): Promise<{ readonly branch: string; readonly commit: string }>;
}

/** Where a run began, and what it has committed since. */
interface Progress {
  readonly target: DirectTarget;
  readonly start: string;
  readonly tip: string;
}

/** Opens the base branch of a clone. One commit is made after the other. */
export function directCommits(clone: Clone): DirectCommits {
  const oneByOne = limiter(1);
  let progress: Progress | undefined;
  const look = async (run: Run): Promise<Progress> => {
    const now = await clone.base(run);
    const target = progress?.target ?? (await findTarget(clone, run));
    // What this run pushed is not a move by others, though a branch that is checked out stays where it is.
    const isOurs = now === progress?.start || now === progress?.tip;
    progress = { target, start: now, tip: isOurs ? (progress?.tip ?? now) : now };
    if (target.remote !== undefined) await refuseMovedRemote(target, target.remote, progress.tip, run);
    return progress;
  };
  return {
    base: (run) => oneByOne(async () => (await look(run)).start, run),
    commit: (draft, run) =>
      oneByOne(async () => {
        const before = progress ?? (await look(run));
        const tip = await commitOnto(clone, before, draft, run);
        progress = { ...before, tip };
        return { branch: before.target.branch, commit: tip };
      }, run),
  };
}

async function commitOnto({ repository }: Clone, progress: Progress, draft: ProposalDraft, run: Run): Promise<string> {
  const { target, start, tip } = progress;
  const { base, files, digest } = draft;
  if (base !== start && base !== tip) throw moved(target.branch, base, tip, "Run the command again.");
  if (base !== tip) await refuseOverlap(repository, draft, tip, run);
  await refuseCheckout(repository, target, run);
  const message = (tree: string): string => withTrailers(draft.message, tree, digest);
  const commit = await makeCommit(repository, { parents: [tip], files, message }, run);
  // The branch has these files already: this very draft was committed before.
  if ((await treeOf(repository, commit, run)) === (await treeOf(repository, tip, run))) return tip;
  const step: PushStep = { commit, from: tip, digest };
  if (target.remote === undefined) return moveHere(repository, target.branch, step, run);
  const landed = await moveThere(target, target.remote, step, run);
  if (target.local !== undefined) await follow(repository, target.local, { ...step, commit: landed }, run);
  return landed;
}

interface PushStep {
  readonly commit: string;
  readonly from: string;
  readonly digest: string;
}

async function moveHere(repository: Repository, branch: string, step: PushStep, run: Run): Promise<string> {
  const { commit, from } = step;
  const trouble = await moveBranch(repository, { branch, commit, from, why: "promotion" }, run);
  if (trouble === undefined) return commit;
  const now = await tipOf(repository, branch, run);
  if (now === from) throw new Fault("GIT_FAILED", `The branch ${branch} could not be moved: ${trouble}`);
  if (now !== undefined && (await isSame(repository, now, step, run))) return now;
  throw moved(branch, from, now, "Run the command again.");
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
    `The remote ${nameOf(remote)} declined a commit on ${remote.branch}: ${outcome.words}. Let this user push there; or leave --direct out and merge the branches.`,
  );
}

/** The local branch goes with the remote one, unless a working tree stands on it. Nothing depends on it. */
async function follow(repository: Repository, branch: string, { commit, from }: PushStep, run: Run): Promise<void> {
  const folder = await checkoutOf(repository, branch, run);
  const trouble =
    folder === undefined
      ? await moveBranch(repository, { branch, commit, from, why: "promotion" }, run)
      : `${folder} stands on it`;
  if (trouble !== undefined) run.log.info("the local branch is behind its remote: git pull", { branch, trouble });
}

/** Whether `commit` is a step of the same content: made by this run, or by another one on this clone. */
async function isSame(repository: Repository, commit: string, step: PushStep, run: Run): Promise<boolean> {
  if (commit === step.commit) return true;
  const args = ["log", "--no-walk", "--format=%P%x00%T%x00%B", "--end-of-options", commit];
  // A commit of another clone is not known here.
  const { stdout } = await repository.git(args, run, { accepted: [128] });
  const [parents = "", tree = "", message = ""] = stdout.toString().split("\0");
  return parents === step.from && proposedDigest({ message, tree }) === step.digest;
}

/** A draft knows the files of its base only: what an earlier one of the same run wrote must not be lost. */
async function refuseOverlap(
  repository: Repository,
  { files, base }: ProposalDraft,
  tip: string,
  run: Run,
): Promise<void> {
  const prefix = await repository.prefix(run);
  for (const [path, text] of files) {
    const now = await blobAt(repository, tip, prefix + path, run);
    if (now === (await blobAt(repository, base, prefix + path, run))) continue;
    // The draft is carried out a second time.
    if (now === (await blobOf(repository, text, false, run))) continue;
    throw new Fault("FORGE_CONFLICT", `${path} was changed by a commit of this very run. Run the command again.`);
  }
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
  const name = nameOf(remote);
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

function moved(subject: string, from: string, to: string | undefined, remedy: string): Fault {
  return new Fault("FORGE_CONFLICT", `${subject} is not where it was decided on (${fromTo(from, to)}). ${remedy}`);
}

/** The branch that commits go to directly. */
interface DirectTarget {
  /** Its name, where it is shared. */
  readonly branch: string;
  /** The branch of the clone; `undefined` when the base is that of a remote. */
  readonly local: string | undefined;
  /** Where it is shared; `undefined` when it is nowhere. */
  readonly remote: RemoteBranch | undefined;
}

/**
 * The branch that `baseRevision` names, and the remote that has it: its upstream, else `origin`.
 * Throws CONFIGURATION for what is not a branch, FORGE_UNREACHABLE.
 */
async function findTarget(clone: Clone, run: Run): Promise<DirectTarget> {
  const { repository, baseRevision } = clone;
  const args = ["rev-parse", "--symbolic-full-name", "--end-of-options", baseRevision];
  // Git repeats the option that ends the options.
  const ref = (await lines(repository, args, run)).find((line) => line.startsWith("refs/")) ?? "";
  const isLocal = ref.startsWith(LOCAL);
  const target = isLocal ? await ofLocal(clone, ref.slice(LOCAL.length), run) : await ofTracking(clone, ref, run);
  if (target !== undefined) return { ...target, remote: target.remote && (await whereItPushes(target.remote, run)) };
  throw new Fault(
    "CONFIGURATION",
    `${baseRevision} is not a branch in ${repository.directory}, so nothing can be committed on it. Switch to one (git switch main), or leave --direct out.`,
  );
}

const LOCAL = "refs/heads/";

/** A remote may be read at one address and written at another: what counts is the branch that is written. */
async function whereItPushes(target: RemoteBranch, run: Run): Promise<RemoteBranch> {
  const { repository, remote } = target;
  const [read] = await lines(repository, ["remote", "get-url", remote], run);
  const [written = read] = await lines(repository, ["remote", "get-url", "--push", remote], run);
  return written === undefined || written === read ? target : { ...target, remote: written };
}

async function ofLocal({ repository, deadlineMs }: Clone, local: string, run: Run): Promise<DirectTarget> {
  const [remote = "."] = await lines(repository, ["config", "--get", `branch.${local}.remote`], run);
  const [merge = ""] = await lines(repository, ["config", "--get", `branch.${local}.merge`], run);
  // "." is a branch of this very clone.
  if (remote !== "." && merge.startsWith(LOCAL)) {
    const branch = merge.slice(LOCAL.length);
    return { branch, local, remote: { repository, remote, branch, deadlineMs } };
  }
  const origin = { repository, remote: "origin", branch: local, deadlineMs };
  const isShared =
    (await lines(repository, ["remote"], run)).includes("origin") && (await remoteTip(origin, run)) !== undefined;
  return { branch: local, local, remote: isShared ? origin : undefined };
}

async function ofTracking({ repository, deadlineMs }: Clone, ref: string, run: Run): Promise<DirectTarget | undefined> {
  const remotes = await lines(repository, ["remote"], run);
  const remote = remotes.find((name) => ref.startsWith(`refs/remotes/${name}/`));
  if (remote === undefined) return undefined;
  const branch = ref.slice(`refs/remotes/${remote}/`.length);
  return { branch, local: undefined, remote: { repository, remote, branch, deadlineMs } };
}

async function lines(repository: Repository, args: readonly string[], run: Run): Promise<readonly string[]> {
  const found = await repository.text(args, run, { accepted: [1, 128] });
  return found.split("\n").filter((line) => line !== "");
}
