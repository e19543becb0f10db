import { Fault, type Merge, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { baseTip, movedSince, removeBranch } from "./branches.ts";
import { hasGate, whyNotGreen } from "./checks.ts";
import { firstParent } from "./commits.ts";
import { type GithubCall, GitHubFault, isAnswer } from "./faults.ts";
import { dispatchedGates, dispatchGate, mayStartNothing } from "./gate.ts";
import { whyNotEntered } from "./placeInQueue.ts";
import { renew } from "./propose.ts";
import { type PullNow, readPull } from "./pullNow.ts";
import type { GitHubRepository } from "./repository.ts";

/** Squash keeps the base's history one commit per promotion; a repository may allow only the others. */
const METHODS = ["squash", "merge", "rebase"] as const;

/**
 * Merges exactly the commit that the proposal is at, or puts it into the merge queue, when everything allows it; says
 * otherwise what it waits for. What waits costs one request a run.
 */
export async function merge(
  repository: GitHubRepository,
  proposal: Proposal,
  draft: ProposalDraft,
  run: Run,
): Promise<Merge> {
  const { pull, branch, digest } = proposal;
  if (pull?.isOpen !== true) return waiting("it has no open pull request");
  if (digest !== draft.digest) return waiting("it does not say yet what was decided");
  if (!draft.isUrgent) await repository.github.keepReserve(`Merging ${branch}`);
  const now = await settled(repository, pull.number, proposal, run);
  if (now.mergedAs !== undefined) return finish(repository, branch, { tip: now.tip, commit: now.mergedAs }, run);
  const why = await obstacle(repository, now, { proposal, draft }, run);
  return why === undefined ? mergeOnto(repository, now, draft, run) : waiting(why);
}

/** How often GitHub is asked whether it can merge: it works that out only once it was asked. */
const LOOKS = 4;

/** Reads a pull request once it is known whether it can be merged, or nobody can tell, or something else keeps it. */
async function settled(repository: GitHubRepository, number: number, proposal: Proposal, run: Run): Promise<PullNow> {
  const { clock, retryPolicy } = repository.github;
  for (let look = 1; ; look++) {
    const now = await readPull(repository, number, run);
    if (now.mergeable !== "unknown" || look === LOOKS || whyNotYet(now, proposal) !== undefined) return now;
    await clock.pause(retryPolicy.firstPauseMs * 2 ** look, run);
  }
}

/** Merges what may be merged, unless the base moved since it was decided. */
async function mergeOnto(repository: GitHubRepository, now: PullNow, draft: ProposalDraft, run: Run): Promise<Merge> {
  const before = await baseTip(repository, run);
  const move = movedSince(repository, before, draft.base);
  if (move !== undefined) {
    // It may have moved by another run's merge of the same.
    const { mergedAs } = await readPull(repository, now.number, run);
    return mergedAs === undefined
      ? waiting(move)
      : finish(repository, draft.branch, { tip: now.tip, commit: mergedAs }, run);
  }
  const done =
    now.queue.kind === "none" ? await mergeNow(repository, now, draft, run) : await enqueue(repository, now, run);
  if (done.kind === "waiting") return done;
  await noteOwn(repository, done.commit, before, run);
  return finish(repository, draft.branch, { tip: now.tip, commit: done.commit }, run);
}

function waiting(why: string): Extract<Merge, { kind: "waiting" }> {
  return { kind: "waiting", why };
}

/** Merges with the first method that the repository allows. */
async function mergeNow(
  repository: GitHubRepository,
  { number, tip }: PullNow,
  draft: ProposalDraft,
  run: Run,
): Promise<Merge> {
  const { github, base } = repository;
  const [subject = "", ...rest] = draft.message.trim().split("\n");
  const message = { commit_title: subject, commit_message: rest.join("\n").trim() };
  const doing = `Merging the pull request #${number}`;
  // Of a commit that was merged already, GitHub says so.
  const act: GithubCall = { doing, kind: "write", permission: "contents: write", branch: base };
  let refusal: GitHubFault | undefined;
  for (const merge_method of METHODS) {
    const parameters = { pull_number: number, sha: tip, merge_method, ...message };
    try {
      const { sha } = await github.ask(act, (rest, place) => rest.pulls.merge({ ...place, ...parameters }), run);
      return { kind: "merged", commit: sha };
    } catch (error) {
      if (!(error instanceof GitHubFault)) throw error;
      // Also after a refusal: an answer that got lost may have been that of a merge.
      const { mergedAs } = await readPull(repository, number, run);
      if (mergedAs !== undefined) return { kind: "merged", commit: mergedAs };
      if (!isAnswer(error, 405, 409)) throw error;
      if (!/not allowed/i.test(error.words)) return waiting(`GitHub does not merge it (${oneLine(error.words)})`);
      refusal = error;
    }
  }
  const why = `${github.repository} allows no way to merge #${number}: allow squash merges in its settings.`;
  throw new Fault("FORGE_REFUSED", why, { cause: refusal });
}

const ENQUEUE = `mutation ($pull: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $pull, expectedHeadOid: $head }) { mergeQueueEntry { position } }
}`;

interface Enqueued {
  readonly enqueuePullRequest: { readonly mergeQueueEntry: { readonly position: number } | null };
}

/** Puts a pull request at the end of the merge queue of its base branch. */
async function enqueue(repository: GitHubRepository, { id, number, tip }: PullNow, run: Run): Promise<Merge> {
  const doing = `Putting the pull request #${number} into the merge queue`;
  // GitHub takes it in once, and says so of the second time.
  const act: GithubCall = {
    doing,
    kind: "write",
    permission: "contents: write and pull-requests: write",
    branch: repository.base,
  };
  try {
    const { enqueuePullRequest } = await repository.github.query<Enqueued>(act, ENQUEUE, { pull: id, head: tip }, run);
    const position = enqueuePullRequest.mergeQueueEntry?.position;
    return waiting(`it entered the merge queue${position === undefined ? "" : `, position ${position}`}`);
  } catch (error) {
    if (!isAnswer(error, 422)) throw error;
    const { mergedAs, queue } = await readPull(repository, number, run);
    if (mergedAs !== undefined) return { kind: "merged", commit: mergedAs };
    const why = queue.kind === "in" ? whyNotEntered(queue) : undefined;
    return waiting(why ?? `the merge queue does not take it (${oneLine(error.words)})`);
  }
}

function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, " ").trim();
}

/**
 * Remembers that the base went from `before` to `commit` by our own merge: what else was decided on it still holds.
 * GitHub takes the base as it finds it, so somebody's push may have slipped in between.
 */
async function noteOwn(repository: GitHubRepository, commit: string, before: string, run: Run): Promise<void> {
  try {
    if ((await firstParent(repository, commit, run)) === before) repository.ownMerges.set(commit, before);
  } catch (error) {
    if (!(error instanceof GitHubFault)) throw error;
    run.log.warn("what else was decided waits for the next run", { problem: error.message });
  }
}

/** What is merged stays merged, also when its branch cannot be removed. */
async function finish(
  repository: GitHubRepository,
  branch: string,
  { tip, commit }: { readonly tip: string; readonly commit: string },
  run: Run,
): Promise<Merge> {
  try {
    await removeBranch(repository, branch, tip, run);
  } catch (error) {
    if (!(error instanceof GitHubFault)) throw error;
    run.log.warn("the branch of a merged proposal is left", { branch, problem: error.message });
  }
  return { kind: "merged", commit };
}

/**
 * Why a pull request is not to be merged now, as half a sentence; `undefined`: it may be tried. A rule that blocks it is
 * no reason: who may pass it, only the attempt shows. Starts a gate that nothing else starts, and brings the branch up
 * to date where that is what is missing.
 */
async function obstacle(
  repository: GitHubRepository,
  now: PullNow,
  { proposal, draft }: { readonly proposal: Proposal; readonly draft: ProposalDraft },
  run: Run,
): Promise<string | undefined> {
  return (
    whyNotReady(now, proposal) ??
    (await whyNotChecked(repository, now, proposal, run)) ??
    whyNotAgreed(now) ??
    (now.mergeable === "unknown" ? "GitHub does not know yet whether it can be merged" : undefined) ??
    (await whyNotMergeable(repository, now, draft, run)) ??
    whyNotEntered(now.queue)
  );
}

/** The same, as far as the pull request itself tells it, whether it can be merged aside. */
function whyNotYet(now: PullNow, proposal: Proposal): string | undefined {
  return whyNotReady(now, proposal) ?? whyNotGreen(now) ?? whyNotAgreed(now);
}

function whyNotReady(now: PullNow, { tip }: Proposal): string | undefined {
  if (!now.isOpen) return "it was closed";
  if (now.tip !== tip) return "its branch moved since it was looked at";
  if (now.isDraft) return "it is a draft";
  return now.queue.kind === "in" ? whyNotEntered(now.queue) : undefined;
}

function whyNotAgreed({ critics }: PullNow): string | undefined {
  return critics.length === 0
    ? undefined
    : `${critics.join(", ")} ${critics.length === 1 ? "asks" : "ask"} for changes`;
}

/** Why the checks of a proposal do not allow a merge yet. */
async function whyNotChecked(
  repository: GitHubRepository,
  now: PullNow,
  { branch }: Proposal,
  run: Run,
): Promise<string | undefined> {
  if (hasGate(now) || !mayStartNothing(repository, now.number)) return whyNotGreen(now);
  const dispatched = await dispatchedGates(repository, now, run);
  if (dispatched.length > 0) return whyNotGreen({ ...now, checks: [...now.checks, ...dispatched] });
  const isStarted = await dispatchGate(repository, branch, now.number, run);
  const why = "the gate did not run: a pull request made with the workflow's own token starts none";
  return `${why}; it ${isStarted ? "was started" : "could not be started"}`;
}

/**
 * A branch that is behind, or in conflict, is set on top of the base, one in a run: with each merge all others fall
 * behind again. A merge queue does that itself for those that are merely behind.
 */
async function whyNotMergeable(
  repository: GitHubRepository,
  { number, tip, mergeable, queue }: PullNow,
  draft: ProposalDraft,
  run: Run,
): Promise<string | undefined> {
  const { base, renewed } = repository;
  const behind = queue.kind === "none" ? `it does not contain what ${base} is now` : undefined;
  const why = { dirty: `it has conflicts with ${base}`, behind }[mergeable];
  if (why === undefined) return undefined;
  if (renewed.size > 0) return `${why}: it comes after #${[...renewed].join(", #")}`;
  const head = await baseTip(repository, run);
  const move = movedSince(repository, head, draft.base);
  if (move !== undefined) return move;
  renewed.add(number);
  // Not the base that it was decided on: what this run merged since is to be in it.
  await renew(repository, { ...draft, base: head }, { tip, pull: number }, run);
  return `its checks: ${why}, so that it was set on top of that`;
}
