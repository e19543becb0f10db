import type { BareGit } from "./doubleGit.ts";
import type { Fields } from "./doubleSample.ts";

/** What becomes of the checks of a new head: none starts, they run on, or they end at once. */
export type ChecksState = "none" | "pending" | "green" | "red" | "cancelled" | "skipped";

/** Who a token belongs to. */
export interface Actor {
  readonly login: string;
  /** The workflow's own token: its pull requests and pushes start no checks. */
  readonly isWorkflow?: boolean;
  /** A GitHub App: it has no `GET /user`. */
  readonly isApp?: boolean;
  /** Whether it may only read. */
  readonly isReader?: boolean;
}

/** A pull request as the double keeps it. */
export interface Pull {
  readonly number: number;
  title: string;
  body: string | null;
  /** Branch names. */
  readonly head: string;
  base: string;
  /** Follows the branch while the pull request is open. */
  headSha: string;
  baseSha: string;
  state: "open" | "closed";
  readonly draft: boolean;
  readonly author: Actor;
  readonly createdAtMs: number;
  updatedAtMs: number;
  closedAtMs: number | undefined;
  mergedAtMs: number | undefined;
  mergedBy: Actor | undefined;
  mergeCommit: string | undefined;
  /** The commits that its merge brought. */
  introduced: readonly string[];
  reviewers: readonly string[];
  teams: readonly string[];
  labels: readonly string[];
  /** Oldest first. */
  readonly reviews: Review[];
  /** Head and base whose mergeability was asked for; GitHub answers the first question with "unknown". */
  lookedAt: string | undefined;
}

/** A review of a pull request. */
export interface Review {
  readonly reviewer: string;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED";
}

/** A check run. */
export interface Check {
  readonly id: number;
  readonly sha: string;
  readonly name: string;
  state: Exclude<ChecksState, "none">;
  /** Whether its workflow was dispatched: then it stands at the commit, and no protection of a branch sees it. */
  readonly isDispatched: boolean;
  readonly startedAtMs: number;
}

/** A commit status. */
export interface Status {
  readonly id: number;
  readonly sha: string;
  readonly context: string;
  readonly state: "pending" | "success" | "failure" | "error";
}

/** A dispatched workflow. */
export interface Dispatch {
  readonly workflow: string;
  readonly ref: string;
  readonly inputs: Fields;
  readonly actor: string;
}

/** What is kept in memory, and copied for stale reads. */
export interface State {
  readonly pulls: Pull[];
  readonly checks: Check[];
  readonly statuses: Status[];
}

/** How a branch is guarded. */
export interface Protection {
  /** `pulls`: only the merge of a pull request may move it; `nobody`: nothing may, and nothing may create it. */
  readonly writes: "pulls" | "nobody";
  /** Names of checks that must be green. */
  readonly checks?: readonly string[];
  /** How many approving reviews a merge needs. */
  readonly approvals?: number;
  /** Whether the head must contain the base. */
  readonly isStrict?: boolean;
}

/** What a test may change while the double runs. */
export interface Settings {
  checks: ChecksState;
  /** The names of the checks that start. */
  checkNames: readonly string[];
  /** What a dispatched workflow does at the head of its branch. */
  dispatchedChecks: ChecksState;
  /** Whether a dispatched workflow says what it found as a status of the commit, too. */
  isDispatchReported: boolean;
  mergeMethods: readonly string[];
  /** Whether mergeability is computed when it is asked for, or only after the first question, as GitHub does. */
  mergeability: "at once" | "at the second look";
  /** Whether the workflow's own token may open pull requests: a setting of the repository. */
  mayActionsOpenPulls: boolean;
  /** What people may do, by login; all others may write. `hidden`: the caller may not ask. */
  permissions: Readonly<Record<string, "admin" | "write" | "read" | "none" | "hidden">>;
  /** Requests that are left of the rate limit. */
  remaining: number;
  limit: number;
  /** When the window of the rate limit ends, Unix seconds; in an hour by default. */
  resetS: number | undefined;
}

/** Everything that the routes read and change. */
export interface World {
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch: string;
  /** The address of the server. */
  readonly url: () => string;
  readonly git: BareGit;
  /** The refs, as of now or, in a stale read, as of then. */
  readonly refs: () => ReadonlyMap<string, string>;
  readonly state: State;
  readonly settings: Settings;
  readonly protections: ReadonlyMap<string, Protection>;
  readonly dispatches: Dispatch[];
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Someone who pushes with git. */
export const PERSON: Actor = { login: "a-person" };

/** The commit of a branch. */
export function tipOf(world: World, branch: string): string | undefined {
  return world.refs().get(`refs/heads/${branch}`);
}

/** How `branch` is guarded; a name that ends with `*` guards all that begin so. */
export function protectionOf(world: World, branch: string): Protection | undefined {
  for (const [name, protection] of world.protections) {
    const fits = name.endsWith("*") ? branch.startsWith(name.slice(0, -1)) : branch === name;
    if (fits) return protection;
  }
  return undefined;
}

/**
 * Does what GitHub does when branches moved: the head of an open pull request follows its branch, and starts checks
 * unless `actor` is the workflow; without its branch it is closed; contained in its base it is merged.
 */
export function follow(world: World, actor: Actor): void {
  const open = world.state.pulls.filter(({ state }) => state === "open");
  if (open.length === 0) return;
  const refs = world.refs();
  for (const pull of open) {
    const head = refs.get(`refs/heads/${pull.head}`);
    const base = refs.get(`refs/heads/${pull.base}`);
    if (head === undefined || base === undefined) close(world, pull);
    else if (head !== pull.headSha || base !== pull.baseSha) moved(world, pull, { head, base, actor });
  }
}

function moved(
  world: World,
  pull: Pull,
  now: { readonly head: string; readonly base: string; readonly actor: Actor },
): void {
  const { head, base, actor } = now;
  const isContained = world.git.isAncestor(head, base);
  if (isContained && head === pull.headSha) {
    recordMerge(world, pull, { commit: head, introduced: world.git.between(pull.baseSha, head), by: actor });
    return;
  }
  if (head !== pull.headSha) {
    pull.headSha = head;
    pull.updatedAtMs = world.now();
    if (isContained) close(world, pull);
    else startChecks(world, head, actor);
  }
  pull.baseSha = base;
}

function close(world: World, pull: Pull): void {
  pull.state = "closed";
  pull.closedAtMs = world.now();
  pull.updatedAtMs = world.now();
}

/** Marks a pull request as merged. */
export function recordMerge(
  world: World,
  pull: Pull,
  merge: { readonly commit: string; readonly introduced: readonly string[]; readonly by: Actor },
): void {
  close(world, pull);
  pull.mergedAtMs = world.now();
  pull.mergedBy = merge.by;
  pull.mergeCommit = merge.commit;
  pull.introduced = merge.introduced;
}

/** Starts the checks of a new head, as the settings say; those of the workflow's own token do not start. */
export function startChecks(world: World, sha: string, actor: Actor): void {
  const { checks, checkNames } = world.settings;
  if (checks === "none" || actor.isWorkflow === true) return;
  for (const name of checkNames) {
    const isThere = world.state.checks.some((check) => check.sha === sha && check.name === name);
    if (!isThere) setCheck(world, sha, name, checks);
  }
}

/** Sets one check run of a commit, the newest of that name when there is one. */
export function setCheck(world: World, sha: string, name: string, state: Exclude<ChecksState, "none">): void {
  const standing = newestCheck(world, sha, name);
  if (standing !== undefined) standing.state = state;
  else addCheck(world, sha, name, state);
}

/** Adds a check run to a commit: GitHub goes on listing those of the same name that other events started before. */
export function addCheck(
  world: World,
  sha: string,
  name: string,
  state: Exclude<ChecksState, "none">,
  isDispatched = false,
): void {
  const { checks } = world.state;
  checks.push({ id: checks.length + 1, sha, name, state, isDispatched, startedAtMs: world.now() });
}

/** The check run that counts of those of one name. */
export function newestCheck({ state }: World, sha: string, name: string): Check | undefined {
  return state.checks.findLast((check) => check.sha === sha && check.name === name);
}
