import { commitBody, pullBody, pullInList, reviewBody } from "./doubleBodies.ts";
import { nextNumber } from "./doubleIssues.ts";
import { mergeabilityOf, mergePull } from "./doubleMerge.ts";
import { invalid, page, Refusal, type Answer, type Call, type Routes } from "./doubleRoute.ts";
import { startChecks } from "./doubleChecks.ts";
import { close } from "./doubleFollow.ts";
import { tipOf, type Pull, type World } from "./doubleWorld.ts";

const AT = "/repos/{owner}/{repo}/pulls";

/** Pull requests. `collaborators` may be asked for reviews; `undefined` allows everyone. */
export function pullRoutes(collaborators: readonly string[] | undefined): Routes {
  return {
    [`GET ${AT}`]: listPulls,
    [`POST ${AT}`]: createPull,
    [`GET ${AT}/{pull_number}`]: (call, world) => single(world, pullOf(call, world), 200),
    [`PATCH ${AT}/{pull_number}`]: updatePull,
    [`PUT ${AT}/{pull_number}/merge`]: (call, world) => mergePull(call, world, pullOf(call, world)),
    [`GET ${AT}/{pull_number}/commits`]: listCommits,
    [`GET ${AT}/{pull_number}/reviews`]: listReviews,
    [`POST ${AT}/{pull_number}/requested_reviewers`]: (call, world) => requestReviews(call, world, collaborators),
  };
}

function pullOf(call: Call, world: World): Pull {
  const pull = world.state.pulls.find(({ number }) => String(number) === call.path["pull_number"]);
  if (pull === undefined) throw new Refusal(404, "Not Found");
  return pull;
}

function single(world: World, pull: Pull, status: number): Answer {
  return { status, body: pullBody(world, pull, mergeabilityOf(world, pull)) };
}

function listPulls(call: Call, world: World): Answer {
  const { query } = call;
  const state = query.get("state") ?? "open";
  const head = query.get("head") ?? "";
  const base = query.get("base");
  // GitHub ignores a head without an owner
  const branch = head.includes(":") ? head.slice(head.indexOf(":") + 1) : undefined;
  const isOurs = branch === undefined || head.startsWith(`${world.owner}:`);
  const found = world.state.pulls.filter(
    (pull) =>
      (state === "all" || pull.state === state) &&
      (branch === undefined || (isOurs && pull.head === branch)) &&
      (base === null || pull.base === base),
  );
  const sorted = sort(found, query.get("sort") ?? "created", query.get("direction"));
  const { items, headers } = page(call, world, sorted);
  return { status: 200, headers, body: items.map((pull) => pullInList(world, pull)) };
}

function sort(pulls: readonly Pull[], by: string, direction: string | null): readonly Pull[] {
  const key = (pull: Pull): number => (by === "updated" ? pull.updatedAtMs : pull.createdAtMs);
  const ascending = [...pulls].sort((one, other) => key(one) - key(other) || one.number - other.number);
  const isDescending = direction === "desc" || (direction === null && by === "created");
  return isDescending ? ascending.reverse() : ascending;
}

interface AskedPull {
  readonly title?: string;
  readonly head: string;
  readonly base: string;
  readonly body?: string;
  readonly draft?: boolean;
}

function createPull(call: Call, world: World): Answer {
  const { title, head: asked, base, body, draft = false } = call.body as AskedPull;
  if (call.actor.isWorkflow === true && !world.settings.mayActionsOpenPulls) {
    throw new Refusal(403, "GitHub Actions is not permitted to create or approve pull requests.");
  }
  const owned = asked.startsWith(`${world.owner}:`);
  const head = owned ? asked.slice(world.owner.length + 1) : asked;
  const headSha = tipOf(world, head);
  const baseSha = tipOf(world, base);
  if (title === undefined) throw invalid("PullRequest", { code: "missing_field", field: "title" });
  if (headSha === undefined) throw invalid("PullRequest", { code: "invalid", field: "head" });
  if (baseSha === undefined) throw invalid("PullRequest", { code: "invalid", field: "base" });
  refuseSecond(world, head, base, `A pull request already exists for ${world.owner}:${head}.`);
  if (world.git.isAncestor(headSha, baseSha)) {
    throw invalid("PullRequest", { code: "custom", message: `No commits between ${base} and ${head}` });
  }
  const author = call.actor;
  const pull = newPull(world, { title, body: body ?? null, head, base, headSha, baseSha, draft, author });
  world.state.pulls.push(pull);
  startChecks(world, headSha, call.actor);
  return single(world, pull, 201);
}

type Given = Pick<Pull, "title" | "body" | "head" | "base" | "headSha" | "baseSha" | "draft" | "author">;

function newPull(world: World, given: Given): Pull {
  const now = world.now();
  return {
    ...given,
    number: nextNumber(world),
    state: "open",
    createdAtMs: now,
    updatedAtMs: now,
    closedAtMs: undefined,
    mergedAtMs: undefined,
    mergedBy: undefined,
    mergeCommit: undefined,
    introduced: [],
    reviewers: [],
    teams: [],
    labels: [],
    reviews: [],
    lookedAt: undefined,
    timeline: [{ kind: "PullRequestCommit" }],
  };
}

function refuseSecond(world: World, head: string, base: string, message: string): void {
  const isThere = world.state.pulls.some((pull) => pull.state === "open" && pull.head === head && pull.base === base);
  if (isThere) throw invalid("PullRequest", { code: "custom", message });
}

function updatePull(call: Call, world: World): Answer {
  const pull = pullOf(call, world);
  const { title, body, state, base } = (call.body ?? {}) as Partial<Pull>;
  if (base !== undefined) retarget(world, pull, base);
  if (state === "open" && pull.state === "closed") reopen(call, world, pull);
  if (state === "closed" && pull.state === "open") close(world, pull);
  pull.title = title ?? pull.title;
  pull.body = body ?? pull.body;
  pull.updatedAtMs = world.now();
  return single(world, pull, 200);
}

function retarget(world: World, pull: Pull, base: string): void {
  const sha = tipOf(world, base);
  if (sha === undefined) throw invalid("PullRequest", { code: "invalid", field: "base" });
  pull.base = base;
  pull.baseSha = sha;
}

function reopen(call: Call, world: World, pull: Pull): void {
  const refuse = (why: string): Refusal =>
    invalid("PullRequest", { code: "invalid", field: "state", message: `state cannot be changed. ${why}` });
  const head = tipOf(world, pull.head);
  if (pull.mergedAtMs !== undefined) throw refuse("The pull request cannot be reopened.");
  if (head === undefined) throw refuse(`The ${pull.head} branch has been deleted.`);
  if (!world.git.isAncestor(pull.headSha, head)) {
    throw refuse(`The ${pull.head} branch was force-pushed or recreated.`);
  }
  const second = `There is already an open pull request from ${pull.head} to ${pull.base}.`;
  refuseSecond(world, pull.head, pull.base, `state cannot be changed. ${second}`);
  const base = tipOf(world, pull.base) ?? pull.baseSha;
  if (world.git.isAncestor(head, base)) throw refuse(`There are no new commits on the ${pull.head} branch.`);
  pull.state = "open";
  pull.timeline.push({ kind: "ReopenedEvent" });
  pull.closedAtMs = undefined;
  pull.headSha = head;
  pull.baseSha = base;
  startChecks(world, head, call.actor);
}

function listCommits(call: Call, world: World): Answer {
  const pull = pullOf(call, world);
  const commits = world.git.between(pull.baseSha, pull.headSha);
  const { items, headers } = page(call, world, commits.slice(0, 250));
  return { status: 200, headers, body: items.map((sha) => commitBody(world, world.git.commit(sha))) };
}

function listReviews(call: Call, world: World): Answer {
  const pull = pullOf(call, world);
  const all = pull.reviews.map((_, place) => reviewBody(pull, place + 1));
  const { items, headers } = page(call, world, all);
  return { status: 200, headers, body: items };
}

function requestReviews(call: Call, world: World, collaborators: readonly string[] | undefined): Answer {
  const pull = pullOf(call, world);
  const asked = (call.body ?? {}) as {
    readonly reviewers?: readonly string[];
    readonly team_reviewers?: readonly string[];
  };
  const { reviewers = [], team_reviewers: teams = [] } = asked;
  if (reviewers.includes(pull.author.login)) {
    throw new Refusal(422, "Review cannot be requested from pull request author.");
  }
  if (collaborators !== undefined && [...reviewers, ...teams].some((name) => !collaborators.includes(name))) {
    const whom = "One or more of the users or teams you specified is not a collaborator of the";
    const where = `${world.owner}/${world.name} repository.`;
    throw new Refusal(422, `Reviews may only be requested from collaborators. ${whom} ${where}`);
  }
  pull.reviewers = [...new Set([...pull.reviewers, ...reviewers])];
  pull.teams = [...new Set([...pull.teams, ...teams])];
  return { status: 201, body: pullInList(world, pull) };
}
