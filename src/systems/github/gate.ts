import type { ProposalDraft, Run } from "../../ports.ts";
import { GATE, GATE_CHECK, type CheckRun } from "./checks.ts";
import { GitHubFault, isAnswer, type GithubCall } from "./faults.ts";
import type { PullNow } from "./pullNow.ts";
import type { GitHubRepository } from "./repository.ts";

const REMEDY =
  "Use a GitHub App (KYMA_MODULES_APP_ID, KYMA_MODULES_APP_PRIVATE_KEY) or a personal access token " +
  "(GITHUB_TOKEN): their pull requests start the gate by themselves.";

/** Completes a pull request after its text is written: requests reviews, and starts its checks if needed. */
export async function afterWriting(
  repository: GitHubRepository,
  draft: ProposalDraft,
  pull: { readonly number: number; readonly author: string },
  run: Run,
): Promise<void> {
  if (draft.reviewers.length > 0) await askReviewers(repository, draft.reviewers, pull, run);
  const isWorkflows = pull.author === WORKFLOWS || (repository.github.mayBeWorkflow && !pull.author.endsWith("[bot]"));
  if (isWorkflows) await dispatchGate(repository, draft.branch, pull.number, run);
}

/** The account of a workflow's token: GitHub starts no checks for its pull requests and pushes. */
const WORKFLOWS = "github-actions[bot]";

/** Whether checks may never start by themselves, because a workflow's token opened the pull request or pushed. */
export function mayStartNothing({ github, pulls }: GitHubRepository, number: number): boolean {
  return github.mayBeWorkflow || pulls.get(number)?.author === WORKFLOWS;
}

/**
 * The dispatched runs of the gate for the head of a pull request: they belong to the commit, and are not among the
 * checks of the pull request. Asks for the runs of the workflow, since the check runs of a commit do not name theirs: a
 * `check` of another workflow is not the gate. None if the token may not see them: `dispatchGate` tells what it lacks.
 */
export async function dispatchedGates(
  { github }: GitHubRepository,
  now: PullNow,
  run: Run,
): Promise<readonly CheckRun[]> {
  const act: GithubCall = { doing: `Reading the gate of #${now.number}`, kind: "read", permission: "actions: read" };
  const asked = { workflow_id: GATE, head_sha: now.tip, event: "workflow_dispatch", per_page: 100 };
  try {
    const { workflow_runs: runs } = await github.ask(
      act,
      (rest, place) => rest.actions.listWorkflowRuns({ ...place, ...asked }),
      run,
    );
    return runs.map(({ id, status, conclusion }) => {
      return { id, name: GATE_CHECK, app: null, workflow: GATE, status: status ?? "", conclusion };
    });
  } catch (error) {
    if (!isAnswer(error, 403, 404) || error.code === "FORGE_BUSY") throw error;
    return [];
  }
}

/**
 * Starts the gate of a pull request that does not start it itself, and logs that; returns whether GitHub accepted it.
 */
export async function dispatchGate(
  repository: GitHubRepository,
  branch: string,
  number: number,
  run: Run,
): Promise<boolean> {
  const { github, gates } = repository;
  if (gates.has(number)) return true;
  const doing = `Starting ${GATE} for #${number}`;
  const act: GithubCall = { doing, kind: "make", permission: "actions: write" };
  const fields = { pull: number, workflow: GATE };
  try {
    const inputs = { "pull-request": String(number) };
    await github.ask(
      act,
      (rest, place) => rest.actions.createWorkflowDispatch({ ...place, workflow_id: GATE, ref: branch, inputs }),
      run,
    );
    gates.add(number);
    run.log.warn("a pull request made with the workflow's own token starts no checks; the gate was started", fields);
    return true;
  } catch (error) {
    if (!(error instanceof GitHubFault)) throw error;
    const problem = `${error.message} ${REMEDY}`;
    run.log.warn("a pull request made with the workflow's own token starts no checks", { ...fields, problem });
    return false;
  }
}

/** Requests reviews. A refusal does not stop the proposal: CODEOWNERS requests reviews as well. */
async function askReviewers(
  { github }: GitHubRepository,
  reviewers: readonly string[],
  { number, author }: { readonly number: number; readonly author: string },
  run: Run,
): Promise<void> {
  const teams = reviewers.flatMap((name) => /^@?[^/]+\/(.+)$/.exec(name)?.[1] ?? []);
  const logins = reviewers.filter((name) => !name.includes("/")).map((name) => name.replace(/^@/, ""));
  // GitHub refuses the whole request when the author is among them.
  const others = logins.filter((login) => login.toLowerCase() !== author.toLowerCase());
  if (teams.length + others.length === 0) return;
  const doing = `Asking for a review of #${number}`;
  const act: GithubCall = { doing, kind: "write", permission: "pull-requests: write" };
  try {
    await github.ask(
      act,
      (rest, place) =>
        rest.pulls.requestReviewers({ ...place, pull_number: number, reviewers: others, team_reviewers: teams }),
      run,
    );
  } catch (error) {
    if (!(error instanceof GitHubFault) || error.isLost) throw error;
    run.log.warn("no review could be asked for", { pull: number, problem: error.message });
  }
}
