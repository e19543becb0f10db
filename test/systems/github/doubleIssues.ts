import { labelBody, pullInList, userBody } from "./doubleBodies.ts";
import { instant } from "./doubleGit.ts";
import { invalid, page, Refusal, type Answer, type Call, type Routes } from "./doubleRoute.ts";
import { complete, type Fields } from "./doubleSample.ts";
import { PERSON, type World } from "./doubleWorld.ts";

const AT = "/repos/{owner}/{repo}/issues";

/** GitHub takes no longer text. */
const MOST_CHARACTERS = 65_536;

/** An issue that is not a pull request. */
export interface Issue {
  readonly number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  labels: readonly string[];
  readonly author: string;
  readonly createdAtMs: number;
  updatedAtMs: number;
  /** Oldest first. */
  readonly comments: Comment[];
}

/** A comment below an issue. */
export interface Comment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly atMs: number;
}

/** The number of the next pull request or issue: they share one count. */
export function nextNumber({ state }: World): number {
  return state.pulls.length + state.issues.length + 1;
}

/** Issues and their comments. */
export const issueRoutes: Routes = {
  [`GET ${AT}`]: listIssues,
  [`POST ${AT}`]: createIssue,
  [`PATCH ${AT}/{issue_number}`]: updateIssue,
  [`GET ${AT}/{issue_number}/comments`]: listComments,
  [`POST ${AT}/{issue_number}/comments`]: createComment,
};

/** What a test sees of issues, and does to them as people do in the browser. */
export interface IssueHandles {
  readonly issues: () => readonly Issue[];
  /** Opens an issue; only those who may triage give it labels. */
  readonly report: (issue: Partial<Pick<Issue, "title" | "body" | "labels" | "author">>) => Issue;
  /** Changes an issue: its text, its state, its labels. */
  readonly change: (number: number, to: Partial<Pick<Issue, "title" | "body" | "state" | "labels">>) => void;
  readonly remark: (number: number, body: string, author?: string) => void;
}

/** What people do to issues, past the API. */
export function issueHandles(world: World): IssueHandles {
  const { issues } = world.state;
  return {
    issues: () => issues,
    report: ({ title = "Help", body = "", labels = [], author = PERSON.login }) =>
      addIssue(world, { title, body, labels, author }),
    change: (number, to) => {
      Object.assign(issueAt(world, number), to, { updatedAtMs: world.now() });
    },
    remark: (number, body, author = PERSON.login) => {
      addComment(world, issueAt(world, number), body, author);
    },
  };
}

type Given = Pick<Issue, "title" | "body" | "labels" | "author">;

function addIssue(world: World, given: Given): Issue {
  const now = world.now();
  const issue: Issue = {
    ...given,
    number: nextNumber(world),
    state: "open",
    createdAtMs: now,
    updatedAtMs: now,
    comments: [],
  };
  world.state.issues.push(issue);
  return issue;
}

function addComment(world: World, issue: Issue, body: string, author: string): Comment {
  const comment = { id: issue.number * 1000 + issue.comments.length, author, body, atMs: world.now() };
  issue.comments.push(comment);
  return comment;
}

function issueAt({ state }: World, number: number): Issue {
  const issue = state.issues.find((one) => one.number === number);
  if (issue === undefined) throw new Refusal(404, "Not Found");
  return issue;
}

function issueOf(call: Call, world: World): Issue {
  requireIssues(world);
  return issueAt(world, Number(call.path["issue_number"]));
}

function requireIssues({ settings }: World): void {
  if (settings.issues === "off") throw new Refusal(410, "Issues has been disabled in this repository.");
}

/** Pull requests are issues as well, to this list. */
function listIssues(call: Call, world: World): Answer {
  requireIssues(world);
  const { query } = call;
  const state = query.get("state") ?? "open";
  const wanted = (query.get("labels") ?? "").split(",").filter((label) => label !== "");
  const isAsked = (one: { readonly state: string; readonly labels: readonly string[] }): boolean =>
    (state === "all" || one.state === state) && wanted.every((label) => one.labels.includes(label));
  const pulls = world.state.pulls.filter(isAsked).map((pull): [number, Fields] => {
    const { body, labels } = pullInList(world, pull);
    const issue = { ...pull, body: String(body), labels: [], author: pull.author.login, comments: [] };
    const url = `https://api.github.com/pulls/${pull.number}`;
    const links = { url, html_url: url, diff_url: url, patch_url: url };
    return [pull.number, { ...issueBody(world, issue), labels, pull_request: links }];
  });
  const issues = world.state.issues.filter(isAsked).map((one): [number, Fields] => [one.number, issueBody(world, one)]);
  const ascending = [...pulls, ...issues].sort(([one], [other]) => one - other).map(([, body]) => body);
  const isAscending = query.get("direction") === "asc";
  const { items, headers } = page(call, world, isAscending ? ascending : ascending.reverse());
  return { status: 200, headers, body: items };
}

interface AskedIssue {
  readonly title?: string;
  readonly body?: string;
  readonly state?: Issue["state"];
  readonly labels?: readonly string[];
}

function createIssue(call: Call, world: World): Answer {
  requireIssues(world);
  const { title = "", body = "", labels = [] } = call.body as AskedIssue;
  refuseLong(body);
  const kept = world.settings.issues === "on" ? labels : [];
  const issue = addIssue(world, { title, body, labels: kept, author: call.actor.login });
  return { status: 201, body: issueBody(world, issue) };
}

function updateIssue(call: Call, world: World): Answer {
  const issue = issueOf(call, world);
  const { title = issue.title, body = issue.body, state = issue.state } = call.body as AskedIssue;
  refuseLong(body);
  Object.assign(issue, { title, body, state, updatedAtMs: world.now() });
  return { status: 200, body: issueBody(world, issue) };
}

function refuseLong(body: string): void {
  if (Array.from(body).length <= MOST_CHARACTERS) return;
  throw invalid("Issue", { code: "custom", field: "body", message: "body is too long (maximum is 65536 characters)" });
}

function listComments(call: Call, world: World): Answer {
  const issue = issueOf(call, world);
  const sinceMs = Date.parse(call.query.get("since") ?? "1970-01-01T00:00:00Z");
  const found = issue.comments.filter(({ atMs }) => atMs >= sinceMs);
  const { items, headers } = page(call, world, found);
  return { status: 200, headers, body: items.map((comment) => commentBody(world, issue, comment)) };
}

function createComment(call: Call, world: World): Answer {
  const issue = issueOf(call, world);
  const { body = "" } = call.body as AskedIssue;
  refuseLong(body);
  const comment = addComment(world, issue, body, call.actor.login);
  return { status: 201, body: commentBody(world, issue, comment) };
}

function issueBody(world: World, issue: Issue): Fields {
  const { number, title, body, state, author, labels, createdAtMs, updatedAtMs, comments } = issue;
  return complete("issue", {
    id: 2_000_000 + number,
    node_id: `I_${number}`,
    number,
    title,
    body,
    state,
    user: userBody(author),
    labels: labels.map(labelBody),
    comments: comments.length,
    html_url: `https://github.com/${world.owner}/${world.name}/issues/${number}`,
    created_at: instant(createdAtMs),
    updated_at: instant(updatedAtMs),
    closed_at: state === "closed" ? instant(updatedAtMs) : null,
  });
}

function commentBody(world: World, { number }: Issue, { id, author, body, atMs }: Comment): Fields {
  const page = `https://github.com/${world.owner}/${world.name}/issues/${number}`;
  return complete("issue-comment", {
    id,
    node_id: `IC_${id}`,
    html_url: `${page}#issuecomment-${id}`,
    user: userBody(author),
    body,
    created_at: instant(atMs),
    updated_at: instant(atMs),
  });
}
