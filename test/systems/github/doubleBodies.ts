import { createHash } from "node:crypto";
import { instant, type CommitObject } from "./doubleGit.ts";
import { complete, type Fields } from "./doubleSample.ts";
import { tipOf, type Actor, type Check, type Pull, type World } from "./doubleWorld.ts";

/** A number for a name: the same name has the same one. */
function numberOf(name: string): number {
  return createHash("sha256").update(name).digest().readUInt32BE() % 1_000_000;
}

/** A user as other objects name it. */
export function userBody(login: string): Fields {
  const page = `https://github.com/${login}`;
  const url = `https://api.github.com/users/${login}`;
  const kind = login.endsWith("[bot]") ? "Bot" : "User";
  const known = { login, id: numberOf(login), node_id: `U_${login}`, type: kind, url, html_url: page };
  return complete("simple-user", known);
}

/** The repository, as the component `kind` of the description. */
export function repositoryBody(world: World, kind: "repository" | "full-repository" | "minimal-repository"): Fields {
  const full = `${world.owner}/${world.name}`;
  const { mergeMethods } = world.settings;
  return complete(kind, {
    id: numberOf(full),
    node_id: `R_${full}`,
    name: world.name,
    full_name: full,
    owner: userBody(world.owner),
    url: `${world.url()}/repos/${full}`,
    html_url: `https://github.com/${full}`,
    clone_url: `https://github.com/${full}.git`,
    default_branch: world.defaultBranch,
    visibility: "public",
    permissions: { admin: false, maintain: false, push: true, triage: true, pull: true },
    ...(kind !== "minimal-repository" && {
      allow_squash_merge: mergeMethods.includes("squash"),
      allow_merge_commit: mergeMethods.includes("merge"),
      allow_rebase_merge: mergeMethods.includes("rebase"),
    }),
  });
}

/** A pull request in a list. */
export function pullInList(world: World, pull: Pull): Fields {
  return complete("pull-request-simple", { ...pullFields(world, pull), requested_teams: teams(pull, "team") });
}

/** What only the answer about a single pull request says. */
export interface Mergeability {
  readonly mergeable: boolean | null;
  readonly state: string;
}

/** A pull request by itself. */
export function pullBody(world: World, pull: Pull, mergeability: Mergeability): Fields {
  const { git } = world;
  const changes = git.changes(pull.baseSha, pull.headSha);
  return complete("pull-request", {
    ...pullFields(world, pull),
    requested_teams: teams(pull, "team-simple"),
    merged: pull.mergedAtMs !== undefined,
    mergeable: mergeability.mergeable,
    mergeable_state: mergeability.state,
    merged_by: pull.mergedBy === undefined ? null : userBody(pull.mergedBy.login),
    commits: git.between(pull.baseSha, pull.headSha).length,
    additions: changes.reduce((sum, { added }) => sum + added, 0),
    deletions: changes.reduce((sum, { deleted }) => sum + deleted, 0),
    changed_files: changes.length,
  });
}

function pullFields(world: World, pull: Pull): Fields {
  const { number } = pull;
  const api = `${world.url()}/repos/${world.owner}/${world.name}`;
  const page = `https://github.com/${world.owner}/${world.name}/pull/${number}`;
  const href = (address: string): Fields => ({ href: address });
  return {
    id: 1_000_000 + number,
    node_id: `PR_${number}`,
    number,
    url: `${api}/pulls/${number}`,
    html_url: page,
    state: pull.state,
    title: pull.title,
    body: pull.body,
    draft: pull.draft,
    user: userBody(pull.author.login),
    created_at: instant(pull.createdAtMs),
    updated_at: instant(pull.updatedAtMs),
    closed_at: pull.closedAtMs === undefined ? null : instant(pull.closedAtMs),
    merged_at: pull.mergedAtMs === undefined ? null : instant(pull.mergedAtMs),
    merge_commit_sha: pull.mergeCommit ?? trialMerge(pull),
    head: sideBody(world, pull.head, pull.headSha),
    base: sideBody(world, pull.base, pull.baseSha),
    requested_reviewers: pull.reviewers.map(userBody),
    labels: pull.labels.map(labelBody),
    author_association: "CONTRIBUTOR",
    auto_merge: null,
    _links: {
      self: href(`${api}/pulls/${number}`),
      html: href(page),
      issue: href(`${api}/issues/${number}`),
      comments: href(`${api}/issues/${number}/comments`),
      review_comments: href(`${api}/pulls/${number}/comments`),
      review_comment: href(`${api}/pulls/comments{/number}`),
      commits: href(`${api}/pulls/${number}/commits`),
      statuses: href(`${api}/statuses/${pull.headSha}`),
    },
  };
}

/** GitHub names a merge commit on trial while a pull request is not merged: nothing that a branch has. */
function trialMerge({ headSha, baseSha }: Pull): string {
  return createHash("sha1").update(`${headSha} ${baseSha}`).digest("hex");
}

function sideBody(world: World, ref: string, sha: string): Fields {
  const { owner } = world;
  return { label: `${owner}:${ref}`, ref, sha, user: userBody(owner), repo: repositoryBody(world, "repository") };
}

function teams(pull: Pull, kind: "team" | "team-simple"): readonly Fields[] {
  return pull.teams.map((slug) => complete(kind, { id: numberOf(slug), name: slug, slug }));
}

/** A label of a pull request or an issue. */
export function labelBody(name: string): Fields {
  const url = `https://api.github.com/labels/${encodeURIComponent(name)}`;
  return { id: numberOf(name), node_id: `L_${name}`, url, name, description: "", color: "ededed", default: false };
}

/** A commit in the list of a pull request. */
export function commitBody(world: World, commit: CommitObject): Fields {
  const { sha, message, author, committer } = commit;
  const api = `${world.url()}/repos/${world.owner}/${world.name}`;
  return complete("commit", {
    sha,
    url: `${api}/commits/${sha}`,
    commit: {
      url: `${api}/git/commits/${sha}`,
      author,
      committer,
      message,
      comment_count: 0,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
    },
    author: null,
    committer: null,
    parents: commit.parents.map((parent) => ({ sha: parent, url: `${api}/commits/${parent}` })),
  });
}

const CONCLUSIONS = { green: "success", red: "failure", cancelled: "cancelled", skipped: "skipped" } as const;

/** A review. Where a membership is private, GitHub only reveals that a person contributed. */
export function reviewBody(pull: Pull, id: number): Fields {
  const { reviewer, state } = pull.reviews[id - 1] ?? { reviewer: "", state: "COMMENTED" };
  return complete("pull-request-review", {
    id,
    user: userBody(reviewer),
    state,
    commit_id: pull.headSha,
    author_association: "CONTRIBUTOR",
  });
}

/** A check run. */
export function checkBody(world: World, check: Check): Fields {
  const { id, sha, name, state } = check;
  const url = `${world.url()}/repos/${world.owner}/${world.name}/check-runs/${id}`;
  const isDone = state !== "pending";
  return complete("check-run", {
    id,
    name,
    head_sha: sha,
    url,
    node_id: `CR_${id}`,
    status: isDone ? "completed" : "in_progress",
    conclusion: isDone ? CONCLUSIONS[state] : null,
    started_at: instant(check.startedAtMs),
    completed_at: isDone ? instant(check.startedAtMs) : null,
    app: null,
  });
}

/** The run of a dispatched workflow with one job, which is the check. */
export function workflowRunBody(world: World, check: Check): Fields {
  const { id, status, conclusion, head_sha } = checkBody(world, check);
  return complete("workflow-run", { id, status, conclusion, head_sha, event: "workflow_dispatch" });
}

/** The signature that GitHub gives a commit that says none. */
export function signatureOf(
  world: World,
  actor: Actor,
): { readonly name: string; readonly email: string; readonly date: string } {
  const email = `${numberOf(actor.login)}+${actor.login}@users.noreply.github.com`;
  return { name: actor.login, email, date: instant(world.now()) };
}

/** The commit that a request means: a full or short name, a branch, `heads/branch`; `undefined` when there is none. */
export function resolve(world: World, reference: string): string | undefined {
  const branch = tipOf(world, reference.replace(/^(refs\/)?heads\//, ""));
  if (branch !== undefined) return branch;
  return world.git.typeOf(reference) === "commit" ? reference : undefined;
}
