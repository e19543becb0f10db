import type { Proposal, ProposalDraft, Run } from "../../ports.ts";
import type { GithubAnswer, Rest } from "./client.ts";
import { isAnswer, type GithubCall } from "./faults.ts";
import { afterWriting } from "./gate.ts";
import { withMarker, withWarning } from "../marker.ts";
import { makeOnce } from "./once.ts";
import { isOwnBranch } from "./proposals.ts";
import type { RepositoryPath } from "./signIn.ts";
import type { GitHubRepository } from "./repository.ts";

/** A pull request. */
export interface Pull {
  readonly number: number;
  readonly url: string;
  readonly state: "open" | "closed" | "merged";
  /** The commit of its branch when it was last open. */
  readonly tip: string;
  /** The login of the author; empty if that account is gone. */
  readonly author: string;
  readonly body: string;
}

/** The newest pull request of a branch; `undefined` if there never was one. */
export async function latestPull(repository: GitHubRepository, branch: string, run: Run): Promise<Pull | undefined> {
  const { github, base } = repository;
  const doing = `Reading the pull requests of ${branch}`;
  const act: GithubCall = { doing, kind: "read", permission: "pull-requests: read" };
  const head = `${github.owner}:${branch}`;
  const pulls = await github.ask(
    act,
    (rest, place) =>
      rest.pulls.list({ ...place, head, base, state: "all", sort: "created", direction: "desc", per_page: 10 }),
    run,
  );
  // An open one takes precedence; a branch cannot have two.
  const ours = pulls.filter(({ head, base }) => head.ref === branch && isOwnBranch(head.repo, base.repo));
  const newest = ours.find(({ state }) => state === "open") ?? ours[0];
  return newest && parsedPull({ ...newest, merged: newest.merged_at !== null });
}

/** The text of a pull request. */
interface Text {
  readonly title: string;
  readonly body: string;
}

/**
 * Writes the pull request of a draft whose branch is at `tip`: updates or reopens `former` if possible, else opens a
 * new one.
 */
export async function sayPull(
  repository: GitHubRepository,
  draft: ProposalDraft,
  tip: string,
  former: Pick<Pull, "number" | "state"> | undefined,
  run: Run,
): Promise<Proposal["pull"]> {
  const marker = { head: tip, digest: draft.digest, isClosed: false };
  const whole = { title: draft.title, body: withMarker(draft.body, marker) };
  // The marker states that the pull request is complete, so it is written last.
  const isMore = draft.reviewers.length > 0 || repository.github.mayBeWorkflow;
  const first = isMore ? { title: draft.title, body: draft.body } : whole;
  const pull = await writeOrOpen(repository, draft.branch, former, first, run);
  if (isMore) {
    await afterWriting(repository, draft, pull, run);
    await write(repository, pull.number, whole, run);
  }
  repository.pulls.set(pull.number, { body: whole.body, author: pull.author });
  return { number: pull.number, url: pull.url, isOpen: true };
}

async function writeOrOpen(
  repository: GitHubRepository,
  branch: string,
  former: Pick<Pull, "number" | "state"> | undefined,
  text: Text,
  run: Run,
): Promise<Pull> {
  if (former === undefined || former.state === "merged") return open(repository, branch, text, run);
  try {
    return await write(repository, former.number, text, run);
  } catch (error) {
    // A pull request whose branch was recreated cannot be reopened.
    if (former.state === "closed" && isAnswer(error, 422)) return open(repository, branch, text, run);
    throw error;
  }
}

/** Updates a pull request, and reopens it if it is closed. */
function write({ github }: GitHubRepository, number: number, text: Text, run: Run): Promise<Pull> {
  const act: GithubCall = { ...writing(`Writing the pull request #${number}`), kind: "write" };
  const send = async (rest: Rest, place: RepositoryPath): Promise<GithubAnswer<Pull>> => {
    const { data, headers } = await rest.pulls.update({ ...place, pull_number: number, state: "open", ...text });
    return { data: parsedPull(data), headers };
  };
  return github.ask(act, send, run);
}

function open(repository: GitHubRepository, branch: string, text: Text, run: Run): Promise<Pull> {
  const { github, base } = repository;
  const act: GithubCall = { ...writing(`Opening the pull request of ${branch}`), kind: "make" };
  const send = async (rest: Rest, place: RepositoryPath): Promise<GithubAnswer<Pull>> => {
    const { data, headers } = await rest.pulls.create({ ...place, head: branch, base, ...text });
    return { data: parsedPull(data), headers };
  };
  const find = async (): Promise<Pull | undefined> => {
    const pull = await latestPull(repository, branch, run);
    return pull?.state === "open" ? pull : undefined;
  };
  return makeOnce(github, () => github.ask(act, send, run), find, run);
}

/** Puts a warning on top of the text of an open pull request that a look read, unless it is there. */
export async function warn(repository: GitHubRepository, { pull }: Proposal, why: string, run: Run): Promise<void> {
  const known = pull?.isOpen === true ? repository.pulls.get(pull.number) : undefined;
  if (pull === undefined || known === undefined) return;
  const body = withWarning(known.body, why);
  if (body === known.body) return;
  const act: GithubCall = { ...writing(`Warning on the pull request #${pull.number}`), kind: "write" };
  await repository.github.ask(
    act,
    (rest, place) => rest.pulls.update({ ...place, pull_number: pull.number, body }),
    run,
  );
  repository.pulls.set(pull.number, { ...known, body });
}

interface PullData {
  readonly number: number;
  readonly html_url: string;
  readonly state: string;
  readonly merged: boolean;
  readonly head: { readonly sha: string };
  readonly user: { readonly login: string } | null;
  readonly body: string | null;
}

function parsedPull({ number, html_url: url, state, merged, head, user, body }: PullData): Pull {
  return {
    number,
    url,
    state: merged ? "merged" : state === "open" ? "open" : "closed",
    tip: head.sha,
    author: user?.login ?? "",
    body: body ?? "",
  };
}

function writing(doing: string): Omit<GithubCall, "kind"> {
  return { doing, permission: "pull-requests: write" };
}
