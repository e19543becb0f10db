import type { Proposal, Run } from "../../ports.ts";
import { hasFields, isFlag, isNumber, isText, listShape, maybe, type AnswerShape } from "./answers.ts";
import type { CheckRun, CommitStatus, CommitFindings } from "./checks.ts";
import type { GithubCall } from "./faults.ts";
import type { GraphqlDocument } from "./graphql.ts";
import { queuePlace, TIMELINE, type PlaceInQueue, type TimelineItem } from "./placeInQueue.ts";
import type { GitHubRepository } from "./repository.ts";

/** A pull request at one moment. */
export interface PullNow extends CommitFindings {
  /** The node id of GraphQL. */
  readonly id: string;
  readonly number: number;
  readonly mergedAs: string | undefined;
  readonly isOpen: boolean;
  readonly isDraft: boolean;
  readonly tip: string;
  readonly body: string;
  /** The branch into which it would be merged now. */
  readonly base: string;
  /** The merge that GitHub would make; `undefined` if it conflicts, or GitHub has not computed it. */
  readonly testMerge: TestMerge | undefined;
  /** The commits that a rebase would bring one by one. */
  readonly rebased: number;
  /** `clean`, `dirty`, `blocked`, `behind`, `unstable`, `unknown`, … */
  readonly mergeable: string;
  /** Reviewers with write access who request changes. */
  readonly critics: readonly string[];
  readonly queue: PlaceInQueue;
}

/** A merge that GitHub made to try it. */
export interface TestMerge {
  readonly tree: string;
  /** The base commit and the head that it merges. */
  readonly parents: readonly string[];
}

const QUERY = `query ($owner: String!, $repo: String!, $number: Int!, $checks: String, $reviews: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      id state isDraft headRefOid baseRefName body mergeStateStatus
      mergeCommit { oid }
      potentialMergeCommit { tree { oid } parents(first: 2) { nodes { oid } } }
      commits(last: 100) { nodes { commit { parents { totalCount } } } }
      isMergeQueueEnabled
      mergeQueueEntry { position state }
      timelineItems(last: 20, itemTypes: [${TIMELINE.join(", ")}]) {
        nodes { __typename ... on RemovedFromMergeQueueEvent { reason } }
      }
      latestOpinionatedReviews(first: 100, after: $reviews, writersOnly: true) {
        pageInfo { hasNextPage endCursor }
        nodes { state author { login } }
      }
      statusCheckRollup {
        contexts(first: 100, after: $checks) {
          pageInfo { hasNextPage endCursor }
          nodes {
            __typename
            ... on CheckRun {
              databaseId name status conclusion
              checkSuite { app { databaseId } workflowRun { workflow { resourcePath } } }
            }
            ... on StatusContext { context state }
          }
        }
      }
    }
  }
}`;

interface GraphqlPage<Node> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly Node[];
}

const NO_PAGE: GraphqlPage<never> = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };

/** The cursors of the next pages. */
interface Cursors {
  readonly reviews?: string | undefined;
  readonly checks?: string | undefined;
}

interface ReviewNode {
  readonly state: string;
  readonly author: { readonly login: string } | null;
}

interface CheckNode {
  readonly __typename: "CheckRun";
  readonly databaseId: number;
  readonly name: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly checkSuite: {
    readonly app: { readonly databaseId: number } | null;
    readonly workflowRun: { readonly workflow: { readonly resourcePath: string } } | null;
  };
}

type ContextNode = CheckNode | ({ readonly __typename: "StatusContext" } & CommitStatus);

interface PullNode {
  readonly id: string;
  readonly state: "OPEN" | "CLOSED" | "MERGED";
  readonly isDraft: boolean;
  readonly headRefOid: string;
  readonly baseRefName: string;
  readonly potentialMergeCommit: {
    readonly tree: { readonly oid: string };
    readonly parents: { readonly nodes: readonly { readonly oid: string }[] };
  } | null;
  readonly commits: {
    readonly nodes: readonly { readonly commit: { readonly parents: { readonly totalCount: number } } }[];
  };
  readonly body: string;
  readonly mergeStateStatus: string;
  readonly mergeCommit: { readonly oid: string } | null;
  readonly isMergeQueueEnabled: boolean;
  readonly mergeQueueEntry: { readonly position: number; readonly state: string } | null;
  readonly timelineItems: { readonly nodes: readonly TimelineItem[] };
  readonly latestOpinionatedReviews: GraphqlPage<ReviewNode>;
  readonly statusCheckRollup: { readonly contexts: GraphqlPage<ContextNode> } | null;
}

interface Answered {
  readonly repository: { readonly pullRequest: PullNode };
}

const pageOf = (node: AnswerShape): AnswerShape =>
  hasFields({ pageInfo: hasFields({ hasNextPage: isFlag, endCursor: maybe(isText) }), nodes: listShape(node) });
const suite = hasFields({
  app: maybe(hasFields({ databaseId: isNumber })),
  workflowRun: maybe(hasFields({ workflow: hasFields({ resourcePath: isText }) })),
});
const check = hasFields({
  databaseId: isNumber,
  name: isText,
  status: isText,
  conclusion: maybe(isText),
  checkSuite: suite,
});
const context = hasFields({ context: isText, state: isText });

const DOCUMENT: GraphqlDocument<Answered> = {
  text: QUERY,
  shape: inPull({
    ...{ id: isText, state: isText, isDraft: isFlag, headRefOid: isText, body: isText, mergeStateStatus: isText },
    baseRefName: isText,
    mergeCommit: maybe(hasFields({ oid: isText })),
    potentialMergeCommit: maybe(
      hasFields({
        tree: hasFields({ oid: isText }),
        parents: hasFields({ nodes: listShape(hasFields({ oid: isText })) }),
      }),
    ),
    commits: hasFields({
      nodes: listShape(hasFields({ commit: hasFields({ parents: hasFields({ totalCount: isNumber }) }) })),
    }),
    isMergeQueueEnabled: isFlag,
    mergeQueueEntry: maybe(hasFields({ position: isNumber, state: isText })),
    timelineItems: hasFields({ nodes: listShape(hasFields({ __typename: isText, reason: maybe(isText) })) }),
    latestOpinionatedReviews: pageOf(hasFields({ state: isText, author: maybe(hasFields({ login: isText })) })),
    statusCheckRollup: maybe(hasFields({ contexts: pageOf((node) => check(node) || context(node)) })),
  }),
};

/** The shape of a pull request in its repository. */
function inPull(shapes: Readonly<Record<string, AnswerShape>>): AnswerShape {
  return hasFields({ repository: hasFields({ pullRequest: hasFields(shapes) }) });
}

/** Reads a pull request with the checks of its head, requested changes, and its place in the merge queue. */
export async function readPull({ github }: GitHubRepository, number: number, run: Run): Promise<PullNow> {
  const permission = "checks: read, statuses: read and pull-requests: read";
  const act: GithubCall = { doing: `Reading the pull request #${number}`, kind: "read", permission };
  const reviews: ReviewNode[] = [];
  const contexts: ContextNode[] = [];
  for (let cursors: Cursors = {}; ;) {
    const { repository } = await github.query(act, DOCUMENT, { number, ...cursors }, run);
    const pull = repository.pullRequest;
    const lists = [pull.latestOpinionatedReviews, pull.statusCheckRollup?.contexts ?? NO_PAGE] as const;
    reviews.push(...lists[0].nodes);
    contexts.push(...lists[1].nodes);
    if (!lists.some(({ pageInfo }) => pageInfo.hasNextPage)) return currentPull(number, pull, reviews, contexts);
    // After its end, the shorter list returns neither nodes nor a cursor.
    const [ofReviews, ofChecks] = lists.map(({ pageInfo }) => pageInfo.endCursor ?? undefined);
    cursors = { reviews: ofReviews ?? cursors.reviews, checks: ofChecks ?? cursors.checks };
  }
}

const ENTRY: GraphqlDocument<EntryAnswered> = {
  text: `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { mergeQueueEntry { position } } }
}`,
  shape: inPull({ mergeQueueEntry: maybe(hasFields({ position: isNumber })) }),
};

interface EntryAnswered {
  readonly repository: { readonly pullRequest: Pick<PullNode, "mergeQueueEntry"> };
}

/** Whether a pull request is in the merge queue. Unlike `readPull`, it needs no right to read checks. */
export async function isQueued({ github }: GitHubRepository, { pull }: Proposal, run: Run): Promise<boolean> {
  if (pull?.isOpen !== true) return false;
  const doing = `Reading the place of the pull request #${pull.number} in the merge queue`;
  const act: GithubCall = { doing, kind: "read", permission: "pull-requests: read" };
  const { repository } = await github.query(act, ENTRY, { number: pull.number }, run);
  return repository.pullRequest.mergeQueueEntry !== null;
}

function currentPull(
  number: number,
  pull: PullNode,
  reviews: readonly ReviewNode[],
  contexts: readonly ContextNode[],
): PullNow {
  const { id, state, isDraft, headRefOid: tip, baseRefName: base, body, mergeStateStatus, mergeCommit } = pull;
  const test = pull.potentialMergeCommit;
  return {
    ...{ id, number, isDraft, tip, base, body },
    testMerge: test === null ? undefined : { tree: test.tree.oid, parents: test.parents.nodes.map(({ oid }) => oid) },
    rebased: pull.commits.nodes.filter(({ commit }) => commit.parents.totalCount === 1).length,
    mergedAs: state === "MERGED" ? (mergeCommit?.oid ?? tip) : undefined,
    isOpen: state === "OPEN",
    mergeable: mergeStateStatus.toLowerCase(),
    critics: reviews.flatMap((review) =>
      review.state === "CHANGES_REQUESTED" ? [review.author?.login ?? "an account that is gone"] : [],
    ),
    checks: contexts.flatMap((one) => (one.__typename === "CheckRun" ? [checkRun(one)] : [])),
    statuses: contexts.flatMap((one) =>
      one.__typename === "StatusContext" ? [{ context: one.context, state: one.state.toLowerCase() }] : [],
    ),
    queue: queuePlace(pull.isMergeQueueEnabled, pull.mergeQueueEntry, pull.timelineItems.nodes),
  };
}

function checkRun({ databaseId: id, name, status, conclusion, checkSuite }: CheckNode): CheckRun {
  return {
    ...{ id, name },
    app: checkSuite.app?.databaseId ?? null,
    // /org/name/actions/workflows/submission.yaml
    workflow: checkSuite.workflowRun?.workflow.resourcePath.split("/").at(-1),
    status: status.toLowerCase(),
    conclusion: conclusion?.toLowerCase() ?? null,
  };
}
