import { Fault, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { baseTip, createBranch, edited, moveBranch, movedSince, tipOf } from "./branches.ts";
import { digestAt } from "./commits.ts";
import { readMarker } from "../marker.ts";
import { UNFINISHED } from "./proposals.ts";
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
  const open = known?.pull?.isOpen === true ? known.pull : undefined;
  if (known !== undefined && open !== undefined && known.digest === draft.digest) return known;
  if (known !== undefined) refuseEdited(repository, known);
  await requireBase(repository, draft, run);
  return known === undefined || open === undefined
    ? proposeAnew(repository, draft, known, run)
    : update(repository, draft, known, { number: open.number, state: "open" }, run);
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
    return { branch: draft.branch, tip, pull: { number, url, isOpen: false }, digest: draft.digest };
  }
  const standing = known ?? (await standingAt(repository, draft.branch, run));
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
  { tip, digest: last }: Proposal,
  former: Former | undefined,
  run: Run,
): Promise<Proposal> {
  const digest = last?.endsWith(UNFINISHED) === true ? await digestAt(repository, tip, run) : last;
  // A merged branch has no changes any more: it needs a commit on the current base.
  const isSaid = digest === draft.digest && former?.state !== "merged";
  return say(repository, draft, isSaid ? tip : await moveBranch(repository, draft, tip, run), former, run);
}

async function say(
  repository: GitHubRepository,
  draft: ProposalDraft,
  tip: string,
  former: Former | undefined,
  run: Run,
): Promise<Proposal> {
  return { branch: draft.branch, tip, pull: await sayPull(repository, draft, tip, former, run), digest: draft.digest };
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
async function standingAt(repository: GitHubRepository, branch: string, run: Run): Promise<Proposal | undefined> {
  const tip = await tipOf(repository, branch, run);
  if (tip === undefined) return undefined;
  const standing = { branch, tip, pull: undefined, digest: await digestAt(repository, tip, run) };
  refuseEdited(repository, standing);
  return standing;
}

function refuseEdited(repository: GitHubRepository, { branch, digest }: Proposal): void {
  if (digest === undefined) throw edited(repository, branch);
}

/**
 * Whether a person closed a pull request for the same subject. Only a marker tells that this program closed it, since
 * people may change the text. If someone committed to the branch, its subject is unknown.
 */
async function wasDeclined(
  repository: GitHubRepository,
  { state, body, tip }: Pull,
  { digest, isAsked }: ProposalDraft,
  run: Run,
): Promise<boolean> {
  const marker = readMarker(body);
  if (isAsked || state !== "closed" || marker?.isClosed === true) return false;
  const said =
    marker === undefined ? await digestAt(repository, tip, run) : marker.head === tip ? marker.digest : undefined;
  return said !== undefined && subjectOf(said) === subjectOf(digest);
}

function subjectOf(digest: string): string {
  return digest.replace(/:[^:]*$/, "");
}
