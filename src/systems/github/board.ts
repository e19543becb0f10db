import { Fault, type Board, type BoardIssue, type IssueText, type Run } from "../../ports.ts";
import { hasFields, isText } from "./answers.ts";
import type { GitHubClient } from "./client.ts";
import { isAnswer, type GithubCall } from "./faults.ts";
import type { GraphqlDocument } from "./graphql.ts";
import { makeOnce } from "./once.ts";

/** Tolerance for a clock that is ahead of GitHub's. */
const SKEW_MS = 3_600_000;

/** Opens the issues of a repository on GitHub without a request. */
export function openBoard(github: GitHubClient): Board {
  let known: Promise<string> | undefined;
  const whoWeAre = (run: Run): Promise<string> => (known ??= viewer(github, run));
  const issues: Board["issues"] = (label, run) => labelled(github, whoWeAre, label, run);
  const comments: Board["comments"] = (issue, sinceMs, run) => ownComments(github, whoWeAre, { issue, sinceMs }, run);
  return {
    issues,
    comments,
    open: async (text, label, run) => {
      const find = async (): Promise<BoardIssue | undefined> =>
        (await issues(label, run)).find((one) => one.isOwn && one.isOpen && one.body.trim() === text.body.trim());
      const opened = await makeOnce(github, () => open(github, text, label, run), find, run);
      known ??= Promise.resolve(opened.author);
      return opened;
    },
    write: (issue, text, run) => write(github, issue, text, run),
    close: (issue, text, run) => write(github, issue, { ...text, state: "closed" }, run),
    comment: async (issue, body, run) => {
      const sinceMs = github.clock.nowMs();
      const find = async (): Promise<true | undefined> =>
        (await comments(issue, sinceMs, run)).includes(body) || undefined;
      await makeOnce(github, () => comment(github, issue, body, run), find, run);
    },
    rightOf: (login, run) => loginRight(github, login, run),
  };
}

/** The own login. Only GraphQL tells it to every kind of token: `GET /user` refuses those of workflows and Apps. */
async function viewer(github: GitHubClient, run: Run): Promise<string> {
  const act: GithubCall = { doing: "Reading the login of the token", kind: "read", permission: "metadata: read" };
  return (await github.query(act, VIEWER, {}, run)).viewer.login;
}

const VIEWER: GraphqlDocument<{ readonly viewer: { readonly login: string } }> = {
  text: "query { viewer { login } }",
  shape: hasFields({ viewer: hasFields({ login: isText }) }),
};

async function labelled(
  github: GitHubClient,
  whoWeAre: (run: Run) => Promise<string>,
  label: string,
  run: Run,
): Promise<readonly BoardIssue[]> {
  const act = reading(`Reading the issues of ${github.repository} with the label ${label}`);
  const list = { labels: label, state: "all", sort: "created", direction: "asc" } as const;
  const found = [];
  for await (const page of github.pages(act, (rest, place) => rest.issues.listForRepo({ ...place, ...list }), run))
    found.push(...page.filter(({ pull_request: pull }) => pull === undefined));
  if (found.length === 0) return [];
  const login = await whoWeAre(run);
  return found.map((issue) => boardIssue(issue, login)).sort((one, other) => one.number - other.number);
}

interface IssueData {
  readonly number: number;
  readonly html_url: string;
  readonly title: string;
  readonly body?: string | null;
  readonly state: string;
  readonly user: { readonly login: string } | null;
}

/** `login` is the account of the token. */
function boardIssue({ number, html_url: url, title, body, state, user }: IssueData, login: string): BoardIssue {
  const author = user?.login ?? "";
  return { number, url, title, body: body ?? "", isOpen: state === "open", author, isOwn: author === login };
}

async function open(github: GitHubClient, text: IssueText, label: string, run: Run): Promise<BoardIssue> {
  const act: GithubCall = { ...writing(`Opening the issue "${text.title}"`), kind: "make" };
  const issue = await github.ask(act, (rest, place) => rest.issues.create({ ...place, ...text, labels: [label] }), run);
  const opened = boardIssue(issue, issue.user?.login ?? "");
  const labels = issue.labels.map((one) => (typeof one === "string" ? one : one.name));
  if (labels.includes(label)) return opened;
  // Without the label the next run would not find the issue, and open another one.
  await write(github, opened.number, { ...text, state: "closed" }, run);
  const remedy = `Give the token's owner write access to ${github.repository}: GitHub drops labels of other users.`;
  throw new Fault("FORGE_REFUSED", `#${opened.number} did not get the label ${label}, and was closed. ${remedy}`);
}

async function write(
  github: GitHubClient,
  issue: number,
  change: IssueText & { readonly state?: "closed" },
  run: Run,
): Promise<void> {
  const act: GithubCall = { ...writing(`Writing the issue #${issue}`), kind: "write" };
  await github.ask(act, (rest, place) => rest.issues.update({ ...place, ...change, issue_number: issue }), run);
}

async function ownComments(
  github: GitHubClient,
  whoWeAre: (run: Run) => Promise<string>,
  { issue, sinceMs }: { readonly issue: number; readonly sinceMs: number },
  run: Run,
): Promise<readonly string[]> {
  const act = reading(`Reading the comments of #${issue}`);
  const since = new Date(Math.max(0, sinceMs - SKEW_MS)).toISOString();
  const login = await whoWeAre(run);
  const own: string[] = [];
  for await (const page of github.pages(
    act,
    (rest, place) => rest.issues.listComments({ ...place, issue_number: issue, since }),
    run,
  ))
    own.push(...page.flatMap(({ user, body }) => (user?.login === login ? (body ?? []) : [])));
  return own;
}

async function comment(github: GitHubClient, issue: number, body: string, run: Run): Promise<true> {
  const act: GithubCall = { ...writing(`Commenting on the issue #${issue}`), kind: "make" };
  await github.ask(act, (rest, place) => rest.issues.createComment({ ...place, issue_number: issue, body }), run);
  return true;
}

async function loginRight(
  github: GitHubClient,
  username: string,
  run: Run,
): Promise<Awaited<ReturnType<Board["rightOf"]>>> {
  const act: GithubCall = {
    doing: `Reading the permission of ${username}`,
    kind: "read",
    permission: "metadata: read",
  };
  try {
    const { permission } = await github.ask(
      act,
      (rest, place) => rest.repos.getCollaboratorPermissionLevel({ ...place, username }),
      run,
    );
    return permission === "admin" || permission === "write" ? "write" : "read";
  } catch (error) {
    // A 404 may concern the repository or the account.
    if (isAnswer(error, 403, 404)) return "unknown";
    throw error;
  }
}

function reading(doing: string): GithubCall {
  return { doing, kind: "read", permission: "issues: read" };
}

function writing(doing: string): Omit<GithubCall, "kind"> {
  return { doing, permission: "issues: write" };
}
