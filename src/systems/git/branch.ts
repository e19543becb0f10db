import { foreignText } from "../../catalogue/proposalBranch.ts";
import { shellCommand } from "../../document/shellWord.ts";
import { Fault, type BranchElsewhere, type Forge, type Proposal, type ProposalDraft, type Run } from "../../ports.ts";
import { holdsDraft } from "../content.ts";
import { branchCheckout, makeCommit, moveBranch, moved, localTip } from "./commit.ts";
import { gitBranchContent, type BranchTip } from "./content.ts";
import type { Repository } from "./repository.ts";

/**
 * A Git repository without a forge: each proposal is a local branch, which people merge. Never touches working trees,
 * index or HEAD; the only visible effect is the atomic move of a branch. `baseRevision` is the start of proposals, such
 * as `HEAD` or `main`.
 */
export function openBranchForge(repository: Repository, baseRevision: string): Forge {
  return {
    look: async (prefixes, run) => {
      const base = await repository.resolve(baseRevision, run);
      const found = await listBranches(repository, prefixes, base, run);
      const own = new Set(found.flatMap(({ branch, remote }) => (remote === undefined ? [branch] : [])));
      const local = found.filter(({ remote }) => remote === undefined);
      const proposals = await Promise.all(local.map((one) => branchProposal(repository, one, base, run)));
      const elsewhere = found.filter(({ branch }) => !own.has(branch)).map(branchElsewhere);
      return { base, hasPulls: false, proposals, elsewhere };
    },
    propose: async (draft, known, run) => {
      await requireBranchName(repository, draft.branch, "Correct the name of its channel or module.", run);
      const base = await repository.resolve(baseRevision, run);
      if (base !== draft.base) throw moved(baseRevision, draft.base, base);
      return propose(repository, draft, known, run);
    },
    close: async (proposal, why, run) => {
      await close(repository, proposal, why, run);
      return { kind: "closed" };
    },
    // Without --no-ff the history would date the change to its proposal, not to its merge.
    merge: ({ branch }) =>
      Promise.resolve({ kind: "waiting", why: `without a forge, a person merges: git merge --no-ff ${branch}` }),
    mergeTimes: () => Promise.resolve(new Map()),
  };
}

/** Throws CONFIGURATION for an invalid branch name; `remedy` is the last sentence. */
export async function requireBranchName(
  repository: Repository,
  branch: string,
  remedy: string,
  run: Run,
): Promise<void> {
  const format = await repository.git(["check-ref-format", "--branch", branch], run, { accepted: [1, 128] });
  if (format.code !== 0 || branch.startsWith("@{"))
    throw new Fault("CONFIGURATION", `${branch} is not a branch name. ${remedy}`);
}

/** A branch of this clone, or of a remote as of the last fetch. */
interface ListedBranch extends BranchTip {
  readonly branch: string;
  readonly remote?: string;
  /** Whether a working tree may have it checked out. */
  readonly hasWorktree: boolean;
}

/** A listed branch as one that this forge leaves alone. */
export function branchElsewhere({ branch, tip, remote }: ListedBranch): BranchElsewhere {
  return { branch, tip, pull: undefined, ...(remote !== undefined && { remote }) };
}

const AUTHOR = "%(authorname) %(authoremail)";
const FIELDS = ["%(refname:lstrip=1)", "%(objectname)", "%(tree)", "%(worktreepath)", AUTHOR, "%(contents)"];

/** The branches under `prefixes` with commits that `base` does not have. A merged branch proposes nothing. */
export async function listBranches(
  repository: Repository,
  prefixes: readonly string[],
  base: string,
  run: Run,
): Promise<readonly ListedBranch[]> {
  if (prefixes.length === 0) return [];
  const format = `--format=${FIELDS.map((field) => `${field}%00`).join("")}`;
  const patterns = prefixes.flatMap((prefix) => [`refs/heads/${prefix}`, `refs/remotes/*/${prefix}**`]);
  const fields = await repository.fields(["for-each-ref", format, `--no-merged=${base}`, ...patterns], run);
  return fields.flatMap((message, index): ListedBranch[] => {
    if (index % FIELDS.length !== FIELDS.length - 1) return [];
    const [ref = "", tip = "", tree = "", worktree = "", author = ""] = fields.slice(index + 1 - FIELDS.length);
    const [, remote, branch = ""] = /^(?:heads|remotes\/([^/]+))\/(.+)$/.exec(ref.trimStart()) ?? [];
    const place = remote === undefined ? {} : { remote };
    return [{ branch, tip, tree, message, author, hasWorktree: worktree !== "", ...place }];
  });
}

async function branchProposal(repository: Repository, listed: ListedBranch, base: string, run: Run): Promise<Proposal> {
  const { branch, tip, hasWorktree } = listed;
  const content = await gitBranchContent(repository, listed, base, run);
  const checkout = hasWorktree ? await branchCheckout(repository, branch, run) : undefined;
  return { branch, tip, pull: undefined, content, digest: undefined, ...(checkout !== undefined && { checkout }) };
}

/**
 * Creates the branch of `draft`, or adds a commit to it. The base is the commit's first parent, so that after a
 * fast-forward merge the first-parent history does not contain earlier states of the branch, which never were served.
 * Throws CONFIGURATION, FORGE_CONFLICT, GIT_FAILED.
 */
async function propose(
  repository: Repository,
  draft: ProposalDraft,
  known: Proposal | undefined,
  run: Run,
): Promise<Proposal> {
  const { branch, base } = draft;
  const from = await localTip(repository, branch, run);
  const there = from === undefined ? undefined : await proposalAt(repository, branch, base, run);
  if (there !== undefined && there.content.isCurrent && holdsDraft(there.content, draft)) return there;
  refuseChanged(draft, known, there, from);
  await refuseCheckedOut(repository, branch, run);
  const commit = await makeCommit(repository, draft, there === undefined ? [base] : [base, there.tip], run);
  const trouble = await moveBranch(repository, { branch, commit, from }, run);
  const now = await proposalAt(repository, branch, base, run);
  if (now !== undefined && holdsDraft(now.content, draft)) return now;
  throw await immovable(repository, { branch, from, trouble: trouble ?? "another run moved it" }, run);
}

/** Deletes the branch of a proposal and logs its commit; ignores a branch that is gone. */
async function close(repository: Repository, proposal: Proposal, why: string, run: Run): Promise<void> {
  const { branch, tip } = proposal;
  if (!proposal.content.isMarked || proposal.content.others.length > 0) throw changedByOthers(proposal);
  await refuseCheckedOut(repository, branch, run);
  const there = await localTip(repository, branch, run);
  if (there === undefined) return;
  if (there !== tip) throw moved(`The branch ${branch}`, tip, there);
  const trouble = await moveBranch(repository, { branch, commit: undefined, from: tip }, run);
  if (trouble !== undefined && (await localTip(repository, branch, run)) !== undefined)
    throw await immovable(repository, { branch, from: tip, trouble }, run);
  run.log.info("removed the branch of a proposal", { branch, commit: tip, why });
}

async function proposalAt(
  repository: Repository,
  branch: string,
  base: string,
  run: Run,
): Promise<Proposal | undefined> {
  // Git also lists branches below a folder of that name.
  const found = await listBranches(repository, [branch], base, run);
  const listed = found.find((one) => one.branch === branch && one.remote === undefined);
  return listed && (await branchProposal(repository, listed, base, run));
}

/** Throws FORGE_CONFLICT if a working tree has the branch checked out, possibly without a commit. */
async function refuseCheckedOut(repository: Repository, branch: string, run: Run): Promise<void> {
  const folder = await branchCheckout(repository, branch, run);
  if (folder === undefined) return;
  throw new Fault(
    "FORGE_CONFLICT",
    `${folder} has the branch ${branch} checked out, and its files would look changed. Switch to another one there: git switch -.`,
  );
}

function refuseChanged(
  draft: ProposalDraft,
  known: Proposal | undefined,
  there: Proposal | undefined,
  from: string | undefined,
): void {
  if (there?.tip !== known?.tip) throw moved(`The branch ${draft.branch}`, known?.tip, there?.tip);
  if (there !== undefined && !draft.mayReplace(there.content)) throw changedByOthers(there);
  if (there === undefined && from !== undefined) refuseForeign(draft.branch);
}

/** The folders of the branch names that this program chooses: a merged branch there is a former proposal. */
const OWN_FOLDERS = /^(?:bump|hold|promote|unhold|withdraw)\//;

/** Refuses to move a merged branch that a person may use. */
function refuseForeign(branch: string): void {
  if (OWN_FOLDERS.test(branch)) return;
  const remedy = shellCommand`Name another one, or remove it: git branch -d ${branch}.`;
  throw new Fault(
    "FORGE_CONFLICT",
    `The branch ${branch} exists, and proposes nothing, so it was not moved. ${remedy}`,
  );
}

function changedByOthers({ branch, tip, content }: Proposal): Fault {
  const remedy = shellCommand`Look at it (git log -p ${branch}), then merge it (git merge --no-ff ${branch}) or remove it (git branch -D ${branch}).`;
  const message = `Someone else committed to the branch ${branch} (${foreignText(tip, content)}), so it was not changed.`;
  return new Fault("FORGE_CONFLICT", `${message} ${remedy}`);
}

interface ImmovableBranch {
  readonly branch: string;
  readonly from: string | undefined;
  /** The message of Git. */
  readonly trouble: string;
}

/**
 * Explains why a branch could not be moved or deleted from the current state, since Git's messages depend on the
 * language.
 */
async function immovable(repository: Repository, { branch, from, trouble }: ImmovableBranch, run: Run): Promise<Fault> {
  const now = await localTip(repository, branch, run);
  if (now !== from) return moved(`The branch ${branch}`, from, now);
  const names = await repository.lines(["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/"], run);
  const blocker = names.find((name) => branch.startsWith(`${name}/`) || name.startsWith(`${branch}/`));
  if (blocker === undefined) return new Fault("GIT_FAILED", `The branch ${branch} could not be moved: ${trouble}`);
  const remedy = shellCommand`Rename it: git branch -m ${blocker} NAME.`;
  return new Fault("CONFIGURATION", `There is a branch ${blocker}, so Git cannot have a branch ${branch}. ${remedy}`);
}
