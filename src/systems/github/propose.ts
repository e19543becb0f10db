import { Fault, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { baseTip, createBranch, edited, moveBranch, movedSince } from "./branches.ts";
import { digestAt } from "./commits.ts";
import { UNFINISHED } from "./proposals.ts";
import { latestPull, sayPull, type Pull } from "./pulls.ts";
import type { Site } from "./site.ts";

/**
 * Makes a branch and its pull request say what `draft` says. First the commit, then the branch, then the pull request
 * with the marker at its end: whatever a kill leaves is seen by the next look, and is finished by the next call.
 */
export async function propose(
  site: Site,
  draft: ProposalDraft,
  known: Proposal | undefined,
  run: Run,
): Promise<Proposal> {
  if (known?.pull?.isOpen === true && known.digest === draft.digest) return known;
  if (known !== undefined && known.digest === undefined) throw edited(site, draft.branch);
  keepReserve(site, draft);
  const move = movedSince(site, await baseTip(site, run), draft.base);
  if (move !== undefined) throw new Fault("FORGE_CONFLICT", `${move}: run it again.`, { retry: true });
  keepReserve(site, draft);
  const former = known === undefined ? undefined : await formerPull(site, draft.branch, known, run);
  const tip =
    known === undefined ? await createBranch(site, draft, run) : await tipFor(site, draft, known, former, run);
  const pull = await sayPull(site, draft, tip, former, run);
  return { branch: draft.branch, tip, pull, digest: draft.digest };
}

function keepReserve({ github }: Site, { branch, isUrgent }: ProposalDraft): void {
  if (!isUrgent) github.keepReserve(`Proposing ${branch}`);
}

async function formerPull(
  site: Site,
  branch: string,
  { pull }: Proposal,
  run: Run,
): Promise<Pick<Pull, "number" | "state"> | undefined> {
  if (pull?.isOpen === true) return { number: pull.number, state: "open" };
  return latestPull(site, branch, run);
}

/** The tip of the branch once it says what the draft says. */
async function tipFor(
  site: Site,
  draft: ProposalDraft,
  known: Proposal,
  former: Pick<Pull, "state"> | undefined,
  run: Run,
): Promise<string> {
  const digest = known.digest?.endsWith(UNFINISHED) === true ? await digestAt(site, known.tip, run) : known.digest;
  // What was merged already would be no change any more: it is said on top of the base of today.
  const isSaid = digest === draft.digest && former?.state !== "merged";
  return isSaid ? known.tip : moveBranch(site, draft, known.tip, run);
}
