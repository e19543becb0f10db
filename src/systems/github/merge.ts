import { oneLine } from "../../document/printable.ts";
import { Fault, type Merge, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { holdsDraft } from "../content.ts";
import { hasFields, isNumber, maybe } from "./answers.ts";
import { baseTip, movedSince, removeBranch } from "./branches.ts";
import { hasGate, whyNotGreen } from "./checks.ts";
import { firstParent } from "./commits.ts";
import { type GithubCall, GitHubFault, isAnswer } from "./faults.ts";
import { dispatchedGates, dispatchGate, mayStartNothing } from "./gate.ts";
import type { GraphqlDocument } from "./graphql.ts";
import { whyNotEntered } from "./placeInQueue.ts";
import { LOOKS, whyNotExact } from "./mergeResult.ts";
import { renew } from "./propose.ts";
import { type PullNow, readPull } from "./pullNow.ts";
import type { GitHubRepository } from "./repository.ts";

/** Merge methods by preference: squash gives one commit per promotion, but a repository may not allow it. */
const METHODS = ["squash", "merge", "rebase"] as const;

/**
 * Merges exactly the commit of the proposal, or adds it to the merge queue, if nothing blocks that; otherwise returns
 * what it waits for. A waiting proposal costs one request per run.
 */
export async function merge(
  repository: GitHubRepository,
  proposal: Proposal,
  draft: ProposalDraft,
  run: Run,
): Promise<Merge> {
  const { pull, branch, content } = proposal;
  if (pull?.isOpen !== true) return waiting("it has no open pull request");
  if (!holdsDraft(content, draft)) return waiting("it does not have the decided content yet");
  if (!draft.isUrgent) await repository.github.keepReserve(`Merging ${branch}`);
  const now = await settled(repository, pull.number, proposal, run);
  if (now.mergedAs !== undefined) return finish(repository, branch, { tip: now.tip, commit: now.mergedAs }, run);
  const why = await blocker(repository, now, { proposal, draft }, run);
  return why === undefined ? mergeOnto(repository, now, draft, run) : waiting(why);
}

/** Reads a pull request until its merge state is known, the limit is reached, or another reason blocks it. */
async function settled(repository: GitHubRepository, number: number, proposal: Proposal, run: Run): Promise<PullNow> {
  const { clock, retryPolicy } = repository.github;
  for (let look = 1; ; look++) {
    const now = await readPull(repository, number, run);
    if (now.mergeable !== "unknown" || look === LOOKS) return now;
    // A blocker in the data of the pull request itself, apart from its merge state.
    if ((whyNotReady(now, proposal, repository.base) ?? whyNotGreen(now) ?? whyNotAgreed(now)) !== undefined)
      return now;
    await clock.pause(retryPolicy.firstPauseMs * 2 ** look, run);
  }
}

/** Merges a pull request, unless the base moved since the decision. */
async function mergeOnto(repository: GitHubRepository, now: PullNow, draft: ProposalDraft, run: Run): Promise<Merge> {
  const before = await baseTip(repository, run);
  const move = movedSince(repository, before, draft.base);
  if (move !== undefined) {
    // The reason may be that another run merged this pull request.
    const { mergedAs } = await readPull(repository, now.number, run);
    return mergedAs === undefined
      ? waiting(move)
      : finish(repository, draft.branch, { tip: now.tip, commit: mergedAs }, run);
  }
  const why = await whyNotExact(repository, now, { before, draft }, run);
  if (why !== undefined) return waiting(why);
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
  { number, tip, rebased }: PullNow,
  draft: ProposalDraft,
  run: Run,
): Promise<Merge> {
  const { github, base } = repository;
  const [subject = "", ...rest] = draft.message.trim().split("\n");
  const message = { commit_title: subject, commit_message: rest.join("\n").trim() };
  const doing = `Merging the pull request #${number}`;
  // Idempotent: GitHub refuses a commit that is already merged.
  const act: GithubCall = { doing, kind: "write", permission: "contents: write", branch: base };
  let refusal: GitHubFault | undefined;
  for (const merge_method of METHODS) {
    // A rebase brings the commits one by one, and what an earlier one held would be served for a moment.
    if (merge_method === "rebase" && rebased > 1) return waiting(MANY_COMMITS);
    const parameters = { pull_number: number, sha: tip, merge_method, ...message };
    try {
      const { sha } = await github.ask(act, (rest, place) => rest.pulls.merge({ ...place, ...parameters }), run);
      return { kind: "merged", commit: sha };
    } catch (error) {
      if (!(error instanceof GitHubFault)) throw error;
      // Also after a refusal: the lost answer may have been that of a merge.
      const { mergedAs } = await readPull(repository, number, run);
      if (mergedAs !== undefined) return { kind: "merged", commit: mergedAs };
      if (!isAnswer(error, 405, 409)) throw error;
      if (!/not allowed/i.test(error.words)) return waiting(`GitHub refuses to merge it (${oneLine(error.words)})`);
      refusal = error;
    }
  }
  const why = `${github.repository} allows no method to merge #${number}: allow squash merges in its settings.`;
  throw new Fault("FORGE_REFUSED", why, { cause: refusal });
}

const MANY_COMMITS =
  "the repository allows neither squash merges nor merge commits, and a rebase would bring its commits one by one: allow squash merges";

const ENQUEUE: GraphqlDocument<Enqueued> = {
  text: `mutation ($pull: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $pull, expectedHeadOid: $head }) { mergeQueueEntry { position } }
}`,
  shape: hasFields({ enqueuePullRequest: hasFields({ mergeQueueEntry: maybe(hasFields({ position: isNumber })) }) }),
};

interface Enqueued {
  readonly enqueuePullRequest: { readonly mergeQueueEntry: { readonly position: number } | null };
}

/** Adds a pull request to the merge queue of its base branch. */
async function enqueue(repository: GitHubRepository, { id, number, tip }: PullNow, run: Run): Promise<Merge> {
  const doing = `Adding the pull request #${number} to the merge queue`;
  // Idempotent: GitHub refuses a second time.
  const act: GithubCall = {
    doing,
    kind: "write",
    permission: "contents: write and pull-requests: write",
    branch: repository.base,
  };
  try {
    const { enqueuePullRequest } = await repository.github.query(act, ENQUEUE, { pull: id, head: tip }, run);
    const position = enqueuePullRequest.mergeQueueEntry?.position;
    return waiting(`it entered the merge queue${position === undefined ? "" : `, position ${position}`}`);
  } catch (error) {
    if (!isAnswer(error, 422)) throw error;
    const { mergedAs, queue } = await readPull(repository, number, run);
    if (mergedAs !== undefined) return { kind: "merged", commit: mergedAs };
    const why = queue.kind === "in" ? whyNotEntered(queue) : undefined;
    return waiting(why ?? `the merge queue does not accept it (${oneLine(error.words)})`);
  }
}

/**
 * Notes that a merge of this run moved the base from `before` to `commit`, so that other decisions on the base stay
 * valid. Checks the first parent, since someone may have pushed in between.
 */
async function noteOwn(repository: GitHubRepository, commit: string, before: string, run: Run): Promise<void> {
  try {
    if ((await firstParent(repository, commit, run)) === before) repository.ownMerges.set(commit, before);
  } catch (error) {
    if (!(error instanceof GitHubFault)) throw error;
    run.log.warn("what else was decided waits for the next run", { problem: error.message });
  }
}

/** Deletes the branch of a merged proposal. A failure to do so is only logged. */
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
 * The merge blocker of a pull request, as a clause; `undefined` if a merge may be attempted. Ignores rulesets: only the
 * attempt shows whether the token may bypass them. Starts a gate that does not start itself, and updates a branch that
 * is behind.
 */
async function blocker(
  repository: GitHubRepository,
  now: PullNow,
  { proposal, draft }: { readonly proposal: Proposal; readonly draft: ProposalDraft },
  run: Run,
): Promise<string | undefined> {
  return (
    whyNotReady(now, proposal, repository.base) ??
    (await whyNotChecked(repository, now, proposal, run)) ??
    whyNotAgreed(now) ??
    (now.mergeable === "unknown" ? "GitHub does not know yet whether it can be merged" : undefined) ??
    (await whyNotMergeable(repository, now, draft, run)) ??
    whyNotEntered(now.queue)
  );
}

function whyNotReady(now: PullNow, { tip }: Proposal, base: string): string | undefined {
  if (!now.isOpen) return "it was closed";
  if (now.base !== base) return `someone made ${now.base} its base branch: change it back to ${base}`;
  if (now.tip !== tip) return "its branch moved meanwhile";
  if (now.isDraft) return "it is a draft";
  return now.queue.kind === "in" ? whyNotEntered(now.queue) : undefined;
}

function whyNotAgreed({ critics }: PullNow): string | undefined {
  return critics.length === 0
    ? undefined
    : `${critics.join(", ")} ${critics.length === 1 ? "asks" : "ask"} for changes`;
}

/** The merge blocker in the checks of a proposal. */
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
  const why = "the gate did not run: a pull request made with the workflow's own token does not start it";
  return `${why}; it ${isStarted ? "was started" : "could not be started"}`;
}

/**
 * Updates a branch that is behind or in conflict to the base, one per run, since each merge makes all others fall
 * behind again. A merge queue itself handles branches that are only behind.
 */
async function whyNotMergeable(
  repository: GitHubRepository,
  { number, tip, mergeable, queue }: PullNow,
  draft: ProposalDraft,
  run: Run,
): Promise<string | undefined> {
  const { base, renewed } = repository;
  const behind = queue.kind === "none" ? `it is behind ${base}` : undefined;
  const why = { dirty: `it has conflicts with ${base}`, behind }[mergeable];
  if (why === undefined) return undefined;
  if (renewed.size > 0) return `${why}; #${[...renewed].join(", #")} comes first`;
  const head = await baseTip(repository, run);
  const move = movedSince(repository, head, draft.base);
  if (move !== undefined) return move;
  renewed.add(number);
  // On the current base, so that it contains the merges of this run.
  await renew(repository, { ...draft, base: head }, { tip, pull: number }, run);
  return `its checks run again: ${why}, so it was updated`;
}
