import { checkBody, commitBody, pullInList, repositoryBody, resolve, workflowRunBody } from "./doubleBodies.ts";
import { instant } from "./doubleGit.ts";
import { page, Refusal, type Answer, type Call, type Routes } from "./doubleRoute.ts";
import { complete, type Fields } from "./doubleSample.ts";
import { addCheck } from "./doubleChecks.ts";
import { tipOf, type Status, type World } from "./doubleWorld.ts";

const AT = "/repos/{owner}/{repo}";

/**
 * What GitHub says about commits: checks, statuses, pull requests; and the dispatch of workflows. `workflows` names the
 * files that there are and their inputs; `undefined` knows every one.
 */
export function commitRoutes(workflows: Readonly<Record<string, readonly string[]>> | undefined): Routes {
  return {
    [`GET ${AT}/compare/{base}...{head}`]: compare,
    [`GET ${AT}/commits/{ref}/check-runs`]: listChecks,
    [`GET ${AT}/commits/{ref}/status`]: readStatus,
    [`GET ${AT}/commits/{commit_sha}/pulls`]: listPullsOf,
    [`GET ${AT}/actions/workflows/{workflow_id}/runs`]: listRuns,
    [`POST ${AT}/actions/workflows/{workflow_id}/dispatches`]: (call, world) => dispatch(call, world, workflows),
  };
}

function commitOf(call: Call, world: World, parameter: string): string {
  const asked = call.path[parameter] ?? "";
  const sha = resolve(world, asked);
  if (sha === undefined) throw new Refusal(422, `No commit found for SHA: ${asked}`);
  return sha;
}

/** Two commits, and where they parted. The files are left out: GitHub shows no more than 300, and no modes. */
function compare(call: Call, world: World): Answer {
  const names = ["base", "head"].map((name) => call.path[name] ?? "");
  const [base, head] = names.map((name) => resolve(world, name));
  if (base === undefined || head === undefined) throw new Refusal(404, "Not Found");
  const fork = world.git.fork(base, head);
  if (fork === undefined) throw new Refusal(404, `No common ancestor between ${names.join(" and ")}.`);
  const [ahead, behind] = [world.git.between(base, head), world.git.between(head, base)];
  const [isAhead, isBehind] = [ahead.length > 0, behind.length > 0];
  const { items, headers } = page(call, world, ahead);
  const body = (sha: string): Fields => commitBody(world, world.git.commit(sha));
  return {
    status: 200,
    headers,
    body: complete("commit-comparison", {
      base_commit: body(base),
      merge_base_commit: body(fork),
      status: isAhead ? (isBehind ? "diverged" : "ahead") : isBehind ? "behind" : "identical",
      ahead_by: ahead.length,
      behind_by: behind.length,
      total_commits: ahead.length,
      commits: items.map(body),
      files: [],
    }),
  };
}

function listChecks(call: Call, world: World): Answer {
  const sha = commitOf(call, world, "ref");
  const { query } = call;
  const found = world.state.checks
    .filter((check) => check.sha === sha)
    .filter(({ name }) => !query.has("check_name") || query.get("check_name") === name)
    .map((check) => checkBody(world, check))
    .filter((body) => !query.has("status") || query.get("status") === body["status"]);
  const { items, headers } = page(call, world, found);
  return { status: 200, headers, body: { total_count: found.length, check_runs: items } };
}

/** The dispatched runs of a workflow. Others are only seen as checks of a pull request. */
function listRuns(call: Call, world: World): Answer {
  const sha = call.query.get("head_sha");
  const found = world.state.checks
    .filter((check) => check.isDispatched && check.workflow === call.path["workflow_id"] && check.sha === sha)
    .map((check) => workflowRunBody(world, check));
  const { items, headers } = page(call, world, found);
  return { status: 200, headers, body: { total_count: found.length, workflow_runs: items } };
}

function readStatus(call: Call, world: World): Answer {
  const sha = commitOf(call, world, "ref");
  const url = `${world.url()}/repos/${world.owner}/${world.name}/commits/${sha}`;
  const statuses = world.state.statuses.filter((status) => status.sha === sha);
  const states = statuses.map(({ state }) => state);
  const isBad = states.some((state) => state === "failure" || state === "error");
  const isGood = states.length > 0 && states.every((state) => state === "success");
  const body = {
    sha,
    state: isBad ? "failure" : isGood ? "success" : "pending",
    statuses: statuses.map((status) => statusBody(world, status)),
    total_count: statuses.length,
    repository: repositoryBody(world, "minimal-repository"),
    commit_url: url,
    url: `${url}/status`,
  };
  return { status: 200, body };
}

function statusBody(world: World, status: Status): Fields {
  const { id, context, state } = status;
  const at = instant(world.now());
  return complete("simple-commit-status", { id, context, state, created_at: at, updated_at: at });
}

/** The merged pull request that brought a commit; for one that the default branch has not, the open ones as well. */
function listPullsOf(call: Call, world: World): Answer {
  const sha = commitOf(call, world, "commit_sha");
  const tip = tipOf(world, world.defaultBranch);
  const isIn = tip !== undefined && world.git.isAncestor(sha, tip);
  const found = world.state.pulls.filter((pull) => {
    if (pull.mergedAtMs !== undefined) return pull.introduced.includes(sha);
    return !isIn && pull.state === "open" && world.git.between(pull.baseSha, pull.headSha).includes(sha);
  });
  const { items, headers } = page(call, world, found);
  return { status: 200, headers, body: items.map((pull) => pullInList(world, pull)) };
}

function dispatch(
  call: Call,
  world: World,
  workflows: Readonly<Record<string, readonly string[]>> | undefined,
): Answer {
  const workflow = call.path["workflow_id"] ?? "";
  const { ref, inputs = {} } = call.body as { readonly ref: string; readonly inputs?: Fields };
  const sha = resolve(world, ref);
  if (sha === undefined) throw new Refusal(422, `No ref found for: ${ref}`);
  if (workflows !== undefined) {
    const known = workflows[workflow];
    if (known === undefined) throw new Refusal(404, "Not Found");
    const unknown = Object.keys(inputs).filter((name) => !known.includes(name));
    if (unknown.length > 0) throw new Refusal(422, `Unexpected inputs provided: ${JSON.stringify(unknown)}`);
  }
  world.dispatches.push({ workflow, ref, inputs, actor: call.actor.login });
  for (const name of world.settings.checkNames) runDispatched(world, sha, name, workflow);
  return { status: 204 };
}

function runDispatched(world: World, sha: string, name: string, workflow: string): void {
  const { dispatchedChecks, isDispatchReported } = world.settings;
  if (dispatchedChecks === "none") return;
  addCheck(world, sha, name, dispatchedChecks, { workflow, isDispatched: true });
  const { statuses } = world.state;
  const state = dispatchedChecks === "green" ? "success" : "failure";
  if (isDispatchReported && dispatchedChecks !== "pending")
    statuses.push({ id: statuses.length + 1, sha, context: name, state });
}
