import { shortCommit } from "../../document/printable.ts";
import { foreignText } from "../../catalogue/proposalBranch.ts";
import { Fault, type BranchContent, type ProposalDraft, type Run } from "../../ports.ts";
import { holdsDraft } from "../content.ts";
import { makeCommit } from "./commits.ts";
import { gitHubBranchContent } from "./content.ts";
import { isAnswer, type GithubCall } from "./faults.ts";
import { makeOnce } from "./once.ts";
import { isSameBase, type GitHubRepository } from "./repository.ts";

/** The commit of a branch; `undefined` if it does not exist. */
export async function remoteTip({ github }: GitHubRepository, branch: string, run: Run): Promise<string | undefined> {
  const act: GithubCall = { doing: `Reading the branch ${branch}`, kind: "read", permission: "contents: read" };
  try {
    const ref = `heads/${branch}`;
    const { object } = await github.ask(act, (rest, place) => rest.git.getRef({ ...place, ref }), run);
    return object.sha;
  } catch (error) {
    if (isAnswer(error, 404)) return undefined;
    throw error;
  }
}

/** The commit of the base branch. Throws FORGE_REFUSED if it does not exist. */
export async function baseTip(repository: GitHubRepository, run: Run): Promise<string> {
  const tip = await remoteTip(repository, repository.base, run);
  if (tip !== undefined) return tip;
  const remedy = "Check forge.repository and forge.base in kyma-modules.yaml, and the permissions of the token.";
  throw new Fault(
    "FORGE_REFUSED",
    `The branch ${repository.base} of ${repository.github.repository} does not exist or is not visible. ${remedy}`,
  );
}

/** A clause that tells how the base moved since `commit`; `undefined` if a decision on `commit` is still valid. */
export function movedSince(repository: GitHubRepository, head: string, commit: string): string | undefined {
  if (isSameBase(repository, head, commit)) return undefined;
  return `${repository.base} moved from ${shortCommit(commit)} to ${shortCommit(head)} since this was decided`;
}

/** Creates the branch of a draft and returns its commit. Accepts an existing branch with the same content. */
export async function createBranch(repository: GitHubRepository, draft: ProposalDraft, run: Run): Promise<string> {
  const { branch } = draft;
  const commit = await makeCommit(repository, draft, [draft.base], run);
  const act: GithubCall = { doing: `Making the branch ${branch}`, kind: "make", permission: "contents: write", branch };
  return makeOnce(
    repository.github,
    async () => {
      const ref = `refs/heads/${branch}`;
      await repository.github.ask(act, (rest, place) => rest.git.createRef({ ...place, ref, sha: commit }), run);
      return commit;
    },
    () => sameAt(repository, draft, commit, run),
    run,
  );
}

/**
 * Moves the branch of a draft from `tip` to a new commit with its content, and returns that commit. Only moves forward,
 * so that a concurrent push of a person is not lost.
 */
export async function moveBranch(
  repository: GitHubRepository,
  draft: ProposalDraft,
  tip: string,
  run: Run,
): Promise<string> {
  const { branch } = draft;
  const commit = await makeCommit(repository, draft, [tip, draft.base], run);
  const act: GithubCall = {
    doing: `Moving the branch ${branch}`,
    kind: "write",
    permission: "contents: write",
    branch,
  };
  const ref = `heads/${branch}`;
  try {
    await repository.github.ask(
      act,
      (rest, place) => rest.git.updateRef({ ...place, ref, sha: commit, force: false }),
      run,
    );
    return commit;
  } catch (error) {
    if (!isAnswer(error, 422) || !/fast.?forward|does not exist/i.test(error.words)) throw error;
    const same = await sameAt(repository, draft, commit, run);
    if (same !== undefined) return same;
    throw moved(branch, error);
  }
}

/**
 * Deletes a branch if it is at `tip`; ignores one that is already gone. GitHub cannot delete conditionally, so the
 * branch is read right before: a commit that a person pushed meanwhile is kept.
 */
export async function removeBranch(repository: GitHubRepository, branch: string, tip: string, run: Run): Promise<void> {
  const { github } = repository;
  if ((await remoteTip(repository, branch, run)) !== tip) return;
  const act: GithubCall = {
    doing: `Removing the branch ${branch}`,
    kind: "write",
    permission: "contents: write",
    branch,
  };
  try {
    await github.ask(act, (rest, place) => rest.git.deleteRef({ ...place, ref: `heads/${branch}` }), run);
  } catch (error) {
    if (!isAnswer(error, 404, 422)) throw error;
  }
}

/** The tip of the draft's branch if it has the same content; `undefined` without a branch; throws for other content. */
async function sameAt(
  repository: GitHubRepository,
  draft: ProposalDraft,
  commit: string,
  run: Run,
): Promise<string | undefined> {
  const tip = await remoteTip(repository, draft.branch, run);
  if (tip === undefined || tip === commit) return tip;
  const content = await gitHubBranchContent(repository, tip, draft.base, run);
  if (holdsDraft(content, draft)) return tip;
  throw draft.mayReplace(content) ? moved(draft.branch) : edited(repository, { branch: draft.branch, tip, content });
}

/** The fault for a concurrent change by another run or a person. */
function moved(branch: string, cause?: unknown): Fault {
  const message = `Someone else moved or deleted the branch ${branch} at the same time: run the command again.`;
  return new Fault("FORGE_CONFLICT", message, { retry: true, cause });
}

/** The fault for a branch that someone else changed: it is never overwritten. */
export function edited(
  { github, base }: GitHubRepository,
  { branch, tip, content }: { readonly branch: string; readonly tip: string; readonly content: BranchContent },
): Fault {
  const message =
    `Someone else changed the branch ${branch} of ${github.repository} (${foreignText(tip, content)}), so it is not updated. ` +
    `Merge its pull request into ${base}, or close it and delete the branch: the next run creates it again.`;
  return new Fault("FORGE_CONFLICT", message);
}
