import { Fault, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { fromTo, type Clone } from "./clone.ts";
import type { Repository } from "./repository.ts";
import { checkoutOf, makeCommit, moveBranch, removeBranch, requireBranchName, tipOf } from "./commit.ts";
import { proposedDigest, withTrailers } from "../marker.ts";

/**
 * The local branches under `prefixes` that have something which `base` has not. One that was merged proposes nothing,
 * and its name is free.
 */
export async function listProposals(
  repository: Repository,
  prefixes: readonly string[],
  base: string,
  run: Run,
): Promise<readonly Proposal[]> {
  if (prefixes.length === 0) return [];
  const format = "--format=%(refname:lstrip=2)%00%(objectname)%00%(tree)%00%(worktreepath)%00%(contents)%00";
  const patterns = prefixes.map((prefix) => `refs/heads/${prefix}`);
  const { stdout } = await repository.git(["for-each-ref", format, `--no-merged=${base}`, ...patterns], run);
  const fields = stdout.toString().split("\0");
  return fields.flatMap((message, index): Proposal[] => {
    if (index % 5 !== 4) return [];
    const [branch = "", tip = "", tree = "", checkout = ""] = fields.slice(index - 4, index);
    const digest = proposedDigest({ message, tree });
    return [{ branch: branch.trimStart(), tip, pull: undefined, digest, ...(checkout !== "" && { checkout }) }];
  });
}

/**
 * Makes the branch of `draft`, or a commit on it. The base comes first among the commit's parents: whoever merges
 * fast-forward then has a first-parent history without the branch's earlier states, which never were served.
 * Throws CONFIGURATION, FORGE_CONFLICT, GIT_FAILED.
 */
export async function proposeBranch(
  clone: Clone,
  draft: ProposalDraft,
  known: Proposal | undefined,
  run: Run,
): Promise<Proposal> {
  const { repository } = clone;
  const { branch, base, files, digest } = draft;
  await requireBranchName(repository, branch, "Correct the name of its channel or module.", run);
  await refuseMovedBase(clone, base, run);
  const there = await readProposal(repository, branch, base, run);
  if (there?.digest === digest) return there;
  refuseChanged(branch, known, there);
  await refuseCheckout(repository, branch, run);
  const from = await tipOf(repository, branch, run);
  const message = (tree: string): string => withTrailers(draft.message, tree, digest);
  const commit = await makeCommit(repository, { parents: parentsOf(base, there), files, message }, run);
  const trouble = await moveBranch(repository, { branch, commit, from, why: "proposal" }, run);
  if (trouble === undefined) return { branch, tip: commit, pull: undefined, digest };
  const meanwhile = await readProposal(repository, branch, base, run);
  if (meanwhile?.digest === digest) return meanwhile;
  throw await immovable(repository, { branch, from, trouble }, run);
}

function parentsOf(base: string, there: Proposal | undefined): readonly [string, ...string[]] {
  return there === undefined ? [base] : [base, there.tip];
}

/** Removes the branch of a proposal, which people could not reopen; one that is gone is fine. The log says its commit. */
export async function closeBranch(repository: Repository, proposal: Proposal, why: string, run: Run): Promise<void> {
  const { branch, tip } = proposal;
  refuseEdited(proposal);
  const there = await tipOf(repository, branch, run);
  if (there === undefined) return;
  if (there !== tip) throw moved(branch, tip, there);
  await refuseCheckout(repository, branch, run);
  const trouble = await removeBranch(repository, branch, tip, run);
  if (trouble !== undefined && (await tipOf(repository, branch, run)) !== undefined)
    throw await immovable(repository, { branch, from: tip, trouble }, run);
  run.log.info("removed the branch of a proposal", { branch, commit: tip, why });
}

async function readProposal(
  repository: Repository,
  branch: string,
  base: string,
  run: Run,
): Promise<Proposal | undefined> {
  const found = await listProposals(repository, [branch], base, run);
  return found.find((proposal) => proposal.branch === branch);
}

async function refuseMovedBase(clone: Clone, decided: string, run: Run): Promise<void> {
  const now = await clone.base(run);
  if (now === decided) return;
  const message = `${clone.baseRevision} moved ${fromTo(decided, now)} since this was decided. Run the command again.`;
  throw new Fault("FORGE_CONFLICT", message);
}

function refuseChanged(branch: string, known: Proposal | undefined, there: Proposal | undefined): void {
  if (there?.tip !== known?.tip) throw moved(branch, known?.tip, there?.tip);
  if (there !== undefined) refuseEdited(there);
}

function refuseEdited({ branch, digest }: Proposal): void {
  if (digest !== undefined) return;
  throw new Fault(
    "FORGE_CONFLICT",
    `Someone else committed to the branch ${branch}, and it is left as it is. Look at it (git log -p ${branch}), then merge it (git merge --no-ff ${branch}) or remove it (git branch -D ${branch}).`,
  );
}

async function refuseCheckout(repository: Repository, branch: string, run: Run): Promise<void> {
  const folder = await checkoutOf(repository, branch, run);
  if (folder === undefined) return;
  throw new Fault(
    "FORGE_CONFLICT",
    `${folder} stands on the branch ${branch}, whose files would look changed. Switch away there: git switch -.`,
  );
}

function moved(branch: string, from: string | undefined, to: string | undefined): Fault {
  const message = `The branch ${branch} moved ${fromTo(from, to)} since it was looked at. Run the command again.`;
  return new Fault("FORGE_CONFLICT", message);
}

interface Immovable {
  readonly branch: string;
  readonly from: string | undefined;
  /** What Git says. */
  readonly trouble: string;
}

/** Why a branch could not be moved or removed: by what is there now, since Git's words depend on the language. */
async function immovable(repository: Repository, { branch, from, trouble }: Immovable, run: Run): Promise<Fault> {
  const now = await tipOf(repository, branch, run);
  if (now !== from) return moved(branch, from, now);
  const { stdout } = await repository.git(["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/"], run);
  const names = stdout.toString().split("\n");
  const obstacle = names.find((name) => branch.startsWith(`${name}/`) || name.startsWith(`${branch}/`));
  if (obstacle === undefined) return new Fault("GIT_FAILED", `The branch ${branch} could not be moved: ${trouble}`);
  return new Fault(
    "CONFIGURATION",
    `There is a branch ${obstacle}, so Git cannot have a branch ${branch}. Rename it: git branch -m ${obstacle} NAME.`,
  );
}
