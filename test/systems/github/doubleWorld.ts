import type { BareGit } from "./doubleGit.ts";
import type { Issue } from "./doubleIssues.ts";
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
  /** A fine-grained personal access token: it may not read checks. */
  readonly isFineGrained?: boolean;
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
  /** What bears on the merge queue, oldest first. */
  readonly timeline: TimelineItem[];
}

/** An item of the timeline of a pull request, as GraphQL names it; `reason`: of a removal. */
export interface TimelineItem {
  readonly kind: "AddedToMergeQueueEvent" | "RemovedFromMergeQueueEvent" | "PullRequestCommit" | "ReopenedEvent";
  readonly reason?: string;
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
  /** The file of the workflow that it is a job of; `undefined` for one that another app runs. */
  readonly workflow: string | undefined;
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
  /** The numbers of the pull requests in the merge queue, the first one first. */
  readonly queue: number[];
  readonly issues: Issue[];
}

/** How a branch is guarded. */
export interface Protection {
  /** `pulls`: only the merge of a pull request may move it; `none`: nothing may, and nothing may create it. */
  readonly writes: "pulls" | "none";
  /** Names of checks that must be green. */
  readonly checks?: readonly string[];
  /** How many approving reviews a merge needs. */
  readonly approvals?: number;
  /** Whether the head must contain the base. */
  readonly isStrict?: boolean;
  /** Whether changes must go through a merge queue. */
  readonly hasQueue?: boolean;
  /** The logins whose merges pass all of this. */
  readonly bypass?: readonly string[];
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
  /** Whether the repository has issues, and new ones get the labels that are asked for. */
  issues: "on" | "without labels" | "off";
  /** Requests that are left of the rate limit. */
  remaining: number;
  limit: number;
  /** What is left of the limit of GraphQL. */
  points: number;
  /** How many requests that create content GitHub takes in an hour of the clock. */
  writesPerHour: number;
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
