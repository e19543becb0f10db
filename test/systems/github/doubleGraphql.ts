import { readFileSync } from "node:fs";
import { buildSchema, graphqlSync, type GraphQLError, type GraphQLSchema } from "graphql";
import { mergeabilityOf, blocker } from "./doubleMerge.ts";
import { enqueue, positionOf } from "./doubleQueue.ts";
import { Refusal, type Answer, type Call } from "./doubleRoute.ts";
import type { Fields } from "./doubleSample.ts";
import { protectionOf, type Actor, type Check, type Pull, type Status, type World } from "./doubleWorld.ts";

let loaded: GraphQLSchema | undefined;

/** GitHub's GraphQL schema, read once a process. */
function schema(): GraphQLSchema {
  const file = new URL("schema.graphql", import.meta.resolve("@octokit/graphql-schema"));
  loaded ??= buildSchema(readFileSync(file, "utf8"), { assumeValidSDL: true, noLocation: true });
  return loaded;
}

/**
 * Answers a document from GitHub's schema. Throws where that does not allow the document, or what is answered: then the
 * client, or the double, is wrong.
 */
export function answerGraphql(call: Call, world: World): Answer {
  const { query, variables } = call.body as { readonly query: string; readonly variables?: Record<string, unknown> };
  const rootValue = {
    viewer: { login: call.actor.login },
    repository: repositoryIn(world, call.actor),
    enqueuePullRequest: enqueueIn(world),
  };
  const result = graphqlSync({ schema: schema(), source: query, rootValue, variableValues: variables ?? null });
  return {
    status: 200,
    body: { data: result.data ?? null, ...(result.errors && { errors: result.errors.map(told) }) },
  };
}

const TYPES: Readonly<Record<number, string>> = { 403: "FORBIDDEN", 404: "NOT_FOUND", 422: "UNPROCESSABLE" };

/** A refusal as GitHub tells it; what is none is a mistake of the client's or of the double's. */
function told({ originalError, message, path, locations }: GraphQLError): Fields {
  if (!(originalError instanceof Refusal)) throw new Error(`GitHub's GraphQL schema: ${message}`);
  return { type: TYPES[originalError.status], path, locations, message };
}

interface Asked {
  readonly owner: string;
  readonly name: string;
}

function repositoryIn(world: World, actor: Actor): (asked: Asked) => Fields {
  return ({ owner, name }) => {
    if (`${owner}/${name}`.toLowerCase() !== `${world.owner}/${world.name}`.toLowerCase())
      throw new Refusal(404, `Could not resolve to a Repository with the name '${owner}/${name}'.`);
    return {
      pullRequest: ({ number }: { readonly number: number }) => {
        const pull = world.state.pulls.find((one) => one.number === number);
        if (pull !== undefined) return pullObject(world, pull, actor);
        throw new Refusal(404, `Could not resolve to a PullRequest with the number of ${number}.`);
      },
    };
  };
}

const MERGEABLE = new Map([
  [null, "UNKNOWN"],
  [true, "MERGEABLE"],
  [false, "CONFLICTING"],
]);

function pullObject(world: World, pull: Pull, actor: Actor): Fields {
  const { mergeable, state } = mergeabilityOf(world, pull);
  return {
    id: `PR_${pull.number}`,
    number: pull.number,
    state: pull.mergedAtMs === undefined ? pull.state.toUpperCase() : "MERGED",
    isDraft: pull.draft,
    headRefOid: pull.headSha,
    baseRefName: pull.base,
    potentialMergeCommit: () => testMerge(world, pull),
    commits: (page: Page) =>
      connection(
        world.git.between(pull.baseSha, pull.headSha).map((sha) => {
          return { commit: { parents: { totalCount: world.git.commit(sha).parents.length } } };
        }),
        page,
        "commits",
      ),
    body: pull.body ?? "",
    mergeable: MERGEABLE.get(mergeable),
    mergeStateStatus: state.toUpperCase(),
    mergeCommit: pull.mergeCommit === undefined ? null : { oid: pull.mergeCommit },
    isMergeQueueEnabled: protectionOf(world, pull.base)?.hasQueue === true,
    mergeQueueEntry: entryObject(world, pull),
    timelineItems: ({ itemTypes, ...page }: Page & { readonly itemTypes?: readonly string[] }) => {
      const isMeant = (kind: string): boolean =>
        itemTypes?.includes(kind.replaceAll(/(?!^)([A-Z])/g, "_$1").toUpperCase()) !== false;
      const items = pull.timeline.map(({ kind, ...item }) => ({ __typename: kind, ...item }));
      return connection(
        items.filter(({ __typename: kind }) => isMeant(kind)),
        page,
        "timelineItems",
      );
    },
    latestOpinionatedReviews: (page: Page & { readonly writersOnly: boolean }) =>
      connection(opinionsOf(world, pull, page.writersOnly), page, "latestOpinionatedReviews"),
    statusCheckRollup: rollupOf(world, pull.headSha, actor),
  };
}

/** The merge that GitHub tries; none while it is unknown whether it conflicts, and none where it does. */
function testMerge(world: World, pull: Pull): Fields | null {
  const { mergeable } = mergeabilityOf(world, pull);
  const tree = mergeable === true ? world.git.merge(pull.baseSha, pull.headSha) : undefined;
  if (tree === undefined) return null;
  const nodes = [pull.baseSha, pull.headSha].map((oid) => ({ oid }));
  return { tree: { oid: tree }, parents: ({ first }: Page) => ({ nodes: nodes.slice(0, first ?? 0) }) };
}

/** The last review of each who approved or asked for changes: a comment takes nothing back. */
function opinionsOf({ settings }: World, { reviews }: Pull, writersOnly: boolean): readonly Fields[] {
  const mayWrite = (login: string): boolean => ["admin", "write"].includes(settings.permissions[login] ?? "write");
  const opinions = new Map(
    reviews.filter(({ state }) => state !== "COMMENTED").map(({ reviewer, state }) => [reviewer, state]),
  );
  return [...opinions]
    .filter(([reviewer]) => !writersOnly || mayWrite(reviewer))
    .map(([login, state]) => ({ state, author: { __typename: "User", login } }));
}

/** Of a commit without checks and statuses there is none. Dispatched workflows stand at the commit, and not in it. */
function rollupOf({ state }: World, sha: string, actor: Actor): Fields | null {
  const checks = state.checks.filter((check) => check.sha === sha && !check.isDispatched).map(checkObject);
  // of a context only the newest status counts
  const statuses = new Map(state.statuses.filter((one) => one.sha === sha).map((one) => [one.context, one]));
  const all = [...checks, ...[...statuses.values()].map(statusObject)];
  const contexts = (page: Page): Fields => {
    if (actor.isFineGrained === true) throw new Refusal(403, "Resource not accessible by personal access token");
    return connection(all, page, "contexts");
  };
  return all.length === 0 ? null : { contexts };
}

const CONCLUSIONS = { green: "SUCCESS", red: "FAILURE", cancelled: "CANCELLED", skipped: "SKIPPED", pending: null };

function checkObject({ id, name, state, workflow }: Check): Fields {
  const path = `/octo/train/actions/workflows/${workflow ?? ""}`;
  return {
    __typename: "CheckRun",
    databaseId: id,
    name,
    status: state === "pending" ? "IN_PROGRESS" : "COMPLETED",
    conclusion: CONCLUSIONS[state],
    checkSuite: {
      app: { databaseId: workflow === undefined ? 1 : 15_368 },
      workflowRun: workflow === undefined ? null : { workflow: { resourcePath: path } },
    },
  };
}

function statusObject({ context, state }: Status): Fields {
  return { __typename: "StatusContext", context, state: state.toUpperCase() };
}

function entryObject(world: World, pull: Pull): Fields | null {
  const position = positionOf(world, pull);
  if (position === undefined) return null;
  const isMergeable = world.git.merge(pull.baseSha, pull.headSha) !== undefined;
  return { position, state: isMergeable ? "AWAITING_CHECKS" : "UNMERGEABLE" };
}

interface Enqueuing {
  readonly input: { readonly pullRequestId: string; readonly expectedHeadOid?: string };
}

function enqueueIn(world: World): (asked: Enqueuing) => Fields {
  return ({ input: { pullRequestId, expectedHeadOid } }) => {
    const pull = world.state.pulls.find(({ number }) => `PR_${number}` === pullRequestId);
    if (pull === undefined)
      throw new Refusal(404, `Could not resolve to a node with the global id of '${pullRequestId}'`);
    const why = whyNotQueued(world, pull, expectedHeadOid);
    if (why !== undefined) throw new Refusal(422, why);
    enqueue(world, pull);
    return { mergeQueueEntry: entryObject(world, pull) };
  };
}

function whyNotQueued(world: World, pull: Pull, expected: string | undefined): string | undefined {
  if (protectionOf(world, pull.base)?.hasQueue !== true) return `No merge queue found for branch '${pull.base}'`;
  if (positionOf(world, pull) !== undefined) return "Pull request is already in the queue";
  if (pull.state === "closed") return "Pull request is closed";
  if (expected !== undefined && expected !== pull.headSha) return "Pull request head was modified";
  const why = blocker(world, pull);
  return why === undefined ? undefined : `Pull request ${why}`;
}

interface Page {
  readonly first?: number;
  readonly last?: number;
  readonly after?: string | null;
}

/** A page of a list. GitHub refuses a list without a size, or with more than 100. */
function connection(items: readonly Fields[], { first, last, after }: Page, name: string): Fields {
  const size = first ?? last;
  if (size === undefined)
    throw new Error(`You must provide a \`first\` or \`last\` value to properly paginate \`${name}\`.`);
  if (size > 100) throw new Error(`Requesting ${size} records on \`${name}\` exceeds the limit of 100 records.`);
  const from = last === undefined ? Number(after ?? 0) : Math.max(0, items.length - last);
  const nodes = items.slice(from, from + size);
  const pageInfo = {
    hasNextPage: last === undefined && from + size < items.length,
    endCursor: nodes.length === 0 ? null : String(from + nodes.length),
  };
  return { nodes, pageInfo, totalCount: items.length };
}
