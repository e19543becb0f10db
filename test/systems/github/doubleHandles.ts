import { resolve } from "./doubleBodies.ts";
import type { Call } from "./doubleRoute.ts";
import { issueHandles, type IssueHandles } from "./doubleIssues.ts";
import type { Desk } from "./doubleServer.ts";
import { addCheck, setCheck } from "./doubleChecks.ts";
import { follow } from "./doubleFollow.ts";
import { dequeue, enqueue, QUEUE } from "./doubleQueue.ts";
import {
  PERSON,
  type Check,
  type ChecksState,
  type Pull,
  type Review,
  type State,
  type Status,
  type World,
} from "./doubleWorld.ts";

/** What a test sees of a double, and does to it past the API, as people do in the browser. */
export interface Handles extends IssueHandles {
  /** The pull requests as of now. */
  readonly pulls: () => readonly Pull[];
  /** A copy of everything that is not in the repository. */
  readonly state: () => State;
  readonly checks: () => readonly Check[];
  /** Sets a check run at a branch or commit. */
  readonly setCheck: (at: string, name: string, state: Exclude<ChecksState, "none">) => void;
  readonly setStatus: (at: string, context: string, state: Status["state"]) => void;
  /** Adds a check run at a branch or commit, beside those of the same name. */
  readonly addCheck: (
    at: string,
    name: string,
    state: Exclude<ChecksState, "none">,
    given?: Partial<Pick<Check, "workflow" | "isDispatched">>,
  ) => void;
  /** Adds a review, an approving one by default. */
  readonly approve: (number: number, review?: Partial<Review>) => void;
  /** Writes another text of a pull request, as a person does. */
  readonly edit: (number: number, body: string) => void;
  /** Closes a pull request as a person does in the browser. */
  readonly shut: (number: number) => void;
  /** Opens it again, as a person does. */
  readonly reopen: (number: number) => void;
  /** Puts a pull request into the merge queue, as a person does. */
  readonly enqueue: (number: number) => void;
  /** Takes it out of the merge queue, as the queue does (`failed_checks`) or a person (`manual`). */
  readonly dequeue: (number: number, reason: string) => void;
  readonly label: (number: number, ...labels: readonly string[]) => void;
  readonly setMergedAt: (number: number, ms: number) => void;
  /** Opens a pull request into the default branch, as a person does in the browser. */
  readonly open: (head: string, title?: string) => Pull;
  /** Merges as a person does in the browser, or as the queue does what waits in it; gives the commit. Throws GitHub's refusal. */
  readonly merge: (number: number, method?: "merge" | "squash" | "rebase") => string;
}

/** What people do to pull requests and commits, past the API. */
export function handlesOf(world: World, { routes }: Pick<Desk, "routes">): Handles {
  const { state } = world;
  const pulls = (): readonly Pull[] => {
    follow(world, PERSON);
    return state.pulls;
  };
  const pullOf = (number: number): Pull =>
    found(
      pulls().find((pull) => pull.number === number),
      `pull request ${number}`,
    );
  const commitOf = (at: string): string => found(resolve(world, at), `commit or branch ${at}`);
  const act = (operation: string, number: number, body: unknown, actor = PERSON): unknown => {
    const path = { pull_number: String(number) };
    const call: Call = { path, body, query: new URLSearchParams(), pathname: "", actor };
    return found(routes[operation], `route ${operation}`)(call, world).body;
  };
  return {
    ...issueHandles(world),
    pulls,
    state: () => structuredClone(state),
    checks: () => state.checks,
    setCheck: (at, name, to) => {
      setCheck(world, commitOf(at), name, to);
    },
    addCheck: (at, name, to, given) => {
      addCheck(world, commitOf(at), name, to, given);
    },
    setStatus: (at, context, to) => {
      state.statuses.push({ id: state.statuses.length + 1, sha: commitOf(at), context, state: to });
    },
    approve: (number, review = {}) => {
      pullOf(number).reviews.push({ reviewer: PERSON.login, state: "APPROVED", ...review });
    },
    edit: (number, body) => {
      act("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", number, { body });
    },
    shut: (number) => {
      pulls();
      act("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", number, { state: "closed" });
    },
    reopen: (number) => {
      act("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", number, { state: "open" });
    },
    enqueue: (number) => {
      enqueue(world, pullOf(number));
    },
    dequeue: (number, reason) => {
      dequeue(world, pullOf(number), reason);
    },
    label: (number, ...labels) => {
      pullOf(number).labels = labels;
    },
    setMergedAt: (number, ms) => {
      const pull = pullOf(number);
      pull.mergedAtMs = ms;
      pull.closedAtMs = ms;
    },
    open: (head, title = head) => {
      act("POST /repos/{owner}/{repo}/pulls", 0, { head, title, base: world.defaultBranch });
      return found(pulls().at(-1), "pull request");
    },
    merge: (number, method = "squash") => {
      pulls();
      const actor = state.queue.includes(number) ? QUEUE : PERSON;
      dequeue(world, pullOf(number), "merged");
      act("PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge", number, { merge_method: method }, actor);
      return found(pullOf(number).mergeCommit, "merge commit");
    },
  };
}

function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`the double has no ${what}`);
  return value;
}
