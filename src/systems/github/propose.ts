import { Fault, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { baseTip, createBranch, edited, moveBranch, movedSince, remoteTip } from "./branches.ts";
import { gitHubBranchContent } from "./content.ts";
import { holdsDraft } from "../content.ts";
import { readMarker } from "../marker.ts";
import { latestPull, sayPull, type Pull } from "./pulls.ts";
import type { GitHubRepository } from "./repository.ts";

/** A pull request that can be updated or reopened. */
type Former = Pick<Pull, "number" | "state">;

/**
 * Updates a branch and its pull request to `draft`. Writes the commit, then the branch, then the pull request with its
 * marker: after a kill at any point, the next look sees the rest and the next call finishes it.
 */
export async function propose(
  repository: GitHubRepository,
  draft: ProposalDraft,
  known: Proposal | undefined,
  run: Run,
): Promise<Proposal> {
  if (known?.pull?.isOpen !== true) {
    if (known !== undefined) refuseEdited(repository, known, draft);
    await requireBase(repository, draft, run);
    return proposeAnew(repository, draft, known, run);
  }
  if (known.digest === draft.digest && isRight(known, draft)) return known;
  refuseEdited(repository, known, draft);
  await requireBase(repository, draft, run);
  return update(repository, draft, known, { number: known.pull.number, state: "open" }, run);
}

/** Proposes a draft without an open pull request, on the branch of an earlier one, if any. */
async function proposeAnew(
  repository: GitHubRepository,
  draft: ProposalDraft,
  known: Proposal | undefined,
  run: Run,
): Promise<Proposal> {
  const former = await latestPull(repository, draft.branch, run);
  if (former !== undefined && (await wasDeclined(repository, former, draft, run))) {
    const { number, url, tip } = former;
    const content = await gitHubBranchContent(repository, tip, draft.base, run);
    return { branch: draft.branch, tip, pull: { number, url, isOpen: false }, content, digest: draft.digest };
  }
  const standing = known ?? (await standingAt(repository, draft, run));
  // The pull request of a deleted branch cannot be reopened.
  return standing === undefined
    ? say(repository, draft, await createBranch(repository, draft, run), undefined, run)
    : update(repository, draft, standing, former, run);
}

/**
 * Updates the branch of an open proposal to the base of its draft. The content stays the same, and its checks start
 * again.
 */
export async function renew(
  repository: GitHubRepository,
  draft: ProposalDraft,
  { tip, pull }: { readonly tip: string; readonly pull: number },
  run: Run,
): Promise<Proposal> {
  return say(repository, draft, await moveBranch(repository, draft, tip, run), { number: pull, state: "open" }, run);
}

/** Updates an existing branch to the draft. */
async function update(
  repository: GitHubRepository,
  draft: ProposalDraft,
  known: Proposal,
  former: Former | undefined,
  run: Run,
): Promise<Proposal> {
  // A merged branch has no changes any more: it needs a commit on the current base.
  const isKept = isRight(known, draft) && former?.state !== "merged";
  return say(repository, draft, isKept ? known.tip : await moveBranch(repository, draft, known.tip, run), former, run);
}

/** Whether a branch needs no new commit. */
function isRight({ content }: Proposal, draft: ProposalDraft): boolean {
  return content.isCurrent && holdsDraft(content, draft);
}

async function say(
  repository: GitHubRepository,
  draft: ProposalDraft,
  tip: string,
  former: Former | undefined,
  run: Run,
): Promise<Proposal> {
  const pull = await sayPull(repository, draft, tip, former, run);
  const content = await gitHubBranchContent(repository, tip, draft.base, run);
  await repository.cache.keep(run);
  return { branch: draft.branch, tip, pull, content, digest: draft.digest };
}

async function requireBase(repository: GitHubRepository, draft: ProposalDraft, run: Run): Promise<void> {
  await keepReserve(repository, draft);
  const move = movedSince(repository, await baseTip(repository, run), draft.base);
  if (move !== undefined)
    throw new Fault("FORGE_CONFLICT", `${move}: git pull --rebase, and run the command again.`, { retry: true });
  // Again, because the last answer told the rest of the rate limit.
  await keepReserve(repository, draft);
}

async function keepReserve({ github }: GitHubRepository, { branch, isUrgent }: ProposalDraft): Promise<void> {
  if (!isUrgent) await github.keepReserve(`Proposing ${branch}`);
}

/** A branch that `look` did not show: its pull request is closed or merged, or a kill prevented it. */
async function standingAt(repository: GitHubRepository, draft: ProposalDraft, run: Run): Promise<Proposal | undefined> {
  const { branch, base } = draft;
  const tip = await remoteTip(repository, branch, run);
  if (tip === undefined) return undefined;
  const content = await gitHubBranchContent(repository, tip, base, run);
  const standing = { branch, tip, pull: undefined, content, digest: undefined };
  refuseEdited(repository, standing, draft);
  return standing;
}

function refuseEdited(repository: GitHubRepository, known: Proposal, draft: ProposalDraft): void {
  if (!holdsDraft(known.content, draft) && !draft.mayReplace(known.content)) throw edited(repository, known);
}

/**
 * Whether a person closed a pull request for the same subject. Only a marker tells that this program closed it, and what
 * its subject was; without one, its files tell. It decides nothing but whether the pull request is opened again.
 */
async function wasDeclined(
  repository: GitHubRepository,
  { state, body, tip }: Pull,
  draft: ProposalDraft,
  run: Run,
): Promise<boolean> {
  const marker = readMarker(body);
  if (draft.isAsked || state !== "closed" || marker?.isClosed === true) return false;
  if (marker === undefined) return holdsDraft(await gitHubBranchContent(repository, tip, draft.base, run), draft);
  return marker.head === tip && digestSubject(marker.digest) === digestSubject(draft.digest);
}

function digestSubject(digest: string): string {
  return digest.replace(/:[^:]*$/, "");
}
