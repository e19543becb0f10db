import { Fault, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { baseTip, createBranch, edited, moveBranch, movedSince, tipOf } from "./branches.ts";
import { digestAt } from "./commits.ts";
import { readMarker } from "../marker.ts";
import { UNFINISHED } from "./proposals.ts";
import { latestPull, sayPull, type Pull } from "./pulls.ts";
import type { Site } from "./site.ts";

/** A pull request that can be written, and opened again. */
type Former = Pick<Pull, "number" | "state">;

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
  const open = known?.pull?.isOpen === true ? known.pull : undefined;
  if (known !== undefined && open !== undefined && known.digest === draft.digest) return known;
  if (known !== undefined) refuseEdited(site, known);
  await requireBase(site, draft, run);
  return known === undefined || open === undefined
    ? proposeAnew(site, draft, known, run)
    : update(site, draft, known, { number: open.number, state: "open" }, run);
}

/** Proposes what has no open pull request: on the branch that is left of an earlier one, if any. */
async function proposeAnew(site: Site, draft: ProposalDraft, known: Proposal | undefined, run: Run): Promise<Proposal> {
  const former = await latestPull(site, draft.branch, run);
  if (former !== undefined && (await wasDeclined(site, former, draft, run))) {
    const { number, url, tip } = former;
    return { branch: draft.branch, tip, pull: { number, url, isOpen: false }, digest: draft.digest };
  }
  const standing = known ?? (await standingAt(site, draft.branch, run));
  // The pull request of a branch that was deleted cannot be opened again.
  return standing === undefined
    ? say(site, draft, await createBranch(site, draft, run), undefined, run)
    : update(site, draft, standing, former, run);
}

/**
 * Sets the branch of an open proposal on top of the base that its draft was made for: what it says stays the same, and
 * its checks start again.
 */
export async function renew(
  site: Site,
  draft: ProposalDraft,
  { tip, pull }: { readonly tip: string; readonly pull: number },
  run: Run,
): Promise<Proposal> {
  return say(site, draft, await moveBranch(site, draft, tip, run), { number: pull, state: "open" }, run);
}

/** Makes a branch that stands say what the draft says. */
async function update(
  site: Site,
  draft: ProposalDraft,
  { tip, digest: last }: Proposal,
  former: Former | undefined,
  run: Run,
): Promise<Proposal> {
  const digest = last?.endsWith(UNFINISHED) === true ? await digestAt(site, tip, run) : last;
  // What was merged already would be no change any more: it is said on top of the base of today.
  const isSaid = digest === draft.digest && former?.state !== "merged";
  return say(site, draft, isSaid ? tip : await moveBranch(site, draft, tip, run), former, run);
}

async function say(
  site: Site,
  draft: ProposalDraft,
  tip: string,
  former: Former | undefined,
  run: Run,
): Promise<Proposal> {
  return { branch: draft.branch, tip, pull: await sayPull(site, draft, tip, former, run), digest: draft.digest };
}

async function requireBase(site: Site, draft: ProposalDraft, run: Run): Promise<void> {
  await keepReserve(site, draft);
  const move = movedSince(site, await baseTip(site, run), draft.base);
  if (move !== undefined) throw new Fault("FORGE_CONFLICT", `${move}: git pull, and run it again.`, { retry: true });
  // By now it is known what is left.
  await keepReserve(site, draft);
}

async function keepReserve({ github }: Site, { branch, isUrgent }: ProposalDraft): Promise<void> {
  if (!isUrgent) await github.keepReserve(`Proposing ${branch}`);
}

/** A branch that no look showed: its pull request was closed or merged, or a kill came before there was one. */
async function standingAt(site: Site, branch: string, run: Run): Promise<Proposal | undefined> {
  const tip = await tipOf(site, branch, run);
  if (tip === undefined) return undefined;
  const standing = { branch, tip, pull: undefined, digest: await digestAt(site, tip, run) };
  refuseEdited(site, standing);
  return standing;
}

function refuseEdited(site: Site, { branch, digest }: Proposal): void {
  if (digest === undefined) throw edited(site, branch);
}

/**
 * Whether a person closed what says of its subject what the draft says. Only a marker tells that this program closed it:
 * people may have written another text. Whoever committed to the branch meant something else.
 */
async function wasDeclined(
  site: Site,
  { state, body, tip }: Pull,
  { digest, isAsked }: ProposalDraft,
  run: Run,
): Promise<boolean> {
  const marker = readMarker(body);
  if (isAsked || state !== "closed" || marker?.isClosed === true) return false;
  const said = marker === undefined ? await digestAt(site, tip, run) : marker.head === tip ? marker.digest : undefined;
  return said !== undefined && subjectOf(said) === subjectOf(digest);
}

function subjectOf(digest: string): string {
  return digest.replace(/:[^:]*$/, "");
}
