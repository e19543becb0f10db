import {
  type Clock,
  type CloseOutcome,
  Fault,
  type Forge,
  type MergedPull,
  type Proposal,
  type Run,
} from "../../ports.ts";
import { openAccount } from "./account.ts";
import { openBoard } from "./board.ts";
import { removeBranch } from "./branches.ts";
import { openClient, type GithubRetryPolicy } from "./client.ts";
import { readCredentials } from "./credentials.ts";
import { isAnswer, type GithubCall } from "./faults.ts";
import { closedBody } from "../marker.ts";
import { openCache, type CachedData } from "./cache.ts";
import { merge } from "./merge.ts";
import { look } from "./proposals.ts";
import { propose } from "./propose.ts";
import { isMoving } from "./moving.ts";
import { isQueued, readPull } from "./pullNow.ts";
import { latestPull, warn } from "./pulls.ts";
import type { GitHubRepository } from "./repository.ts";

/** Options of the forge on GitHub. */
export interface GithubForgeOptions {
  /** `org/name`. */
  readonly repository: string;
  /** The base branch of proposals. */
  readonly base: string;
  /** The folder of the catalogue in the repository: empty, or with a `/` at its end. */
  readonly prefix: string;
  /** Environment variables: credentials (see `readCredentials`), `GITHUB_API_URL`, and proxies. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The folder of the cache of merge times and recent writes, with files for each repository. */
  readonly cacheFolder: string;
  readonly clock: Clock;
  readonly retryPolicy?: GithubRetryPolicy;
}

/** The API of github.com. */
export const API_URL = "https://api.github.com";

/**
 * Opens the pull requests of a repository on GitHub without a request. Throws FORGE_UNAUTHORIZED without credentials,
 * and CONFIGURATION for an invalid repository or address.
 */
export async function openForge(settings: GithubForgeOptions): Promise<Forge> {
  const { base, prefix, variables, cacheFolder } = settings;
  if (!/^[\w.-]+\/[\w.-]+$/.test(settings.repository)) {
    throw new Fault("CONFIGURATION", `forge.repository is "${settings.repository}": write it as organization/name.`);
  }
  const apiUrl = apiAddress(variables);
  const credentials = await readCredentials(variables);
  const name = `${apiUrl.host}+${settings.repository.toLowerCase()}+${base}`;
  const account = openAccount(cacheFolder, name);
  const repository: GitHubRepository = {
    github: openClient({ ...settings, apiUrl: apiUrl.href, credentials, account }),
    base,
    prefix,
    cache: openCache(cacheFolder, name),
    trees: new Map(),
    folders: new Map(),
    pulls: new Map(),
    ownMerges: new Map(),
    gates: new Set(),
    renewed: new Set(),
  };
  return {
    look: (prefixes, run) => look(repository, prefixes, run),
    propose: (draft, known, run) => propose(repository, draft, known, run),
    close: (proposal, why, run) => close(repository, proposal, why, run),
    merge: (proposal, draft, run) => merge(repository, proposal, draft, run),
    isMoving: (proposal, run) => isMoving(repository, proposal, run),
    warn: (proposal, why, run) => warn(repository, proposal, why, run),
    isQueued: (proposal, run) => isQueued(repository, proposal, run),
    mergeTimes: (commits, run) => mergeTimes(repository, commits, run),
    ownMerges: (commits) => ownMerges(repository, commits),
    board: openBoard(repository.github),
  };
}

function apiAddress(variables: GithubForgeOptions["variables"]): URL {
  const given = variables["GITHUB_API_URL"] ?? "";
  const address = given === "" ? API_URL : given;
  if (URL.canParse(address)) return new URL(address);
  throw new Fault("CONFIGURATION", `GITHUB_API_URL is "${address}": write an address, such as ${API_URL}.`);
}

/**
 * Closes a proposal. Keeps its branch, so that it can be reopened, but deletes one that a kill left after the merge of
 * its pull request, as `merge` would have done.
 */
async function close(repository: GitHubRepository, proposal: Proposal, why: string, run: Run): Promise<CloseOutcome> {
  const { pull, branch, tip } = proposal;
  if (pull?.isOpen === true) return closePull(repository, { number: pull.number, tip }, why, run);
  if (await isLeftByMerge(repository, proposal, run)) await removeBranch(repository, branch, tip, run);
  return { kind: "closed" };
}

/**
 * Whether a kill left the branch after a merge. Cached, since every run closes branches without an open pull request.
 */
async function isLeftByMerge(repository: GitHubRepository, { branch, tip }: Proposal, run: Run): Promise<boolean> {
  const { parked } = await repository.cache.recall();
  if (parked.has(tip)) return false;
  const pull = await latestPull(repository, branch, run);
  if (pull?.state === "merged" && pull.tip === tip) return true;
  parked.add(tip);
  await repository.cache.keep(run);
  return false;
}

/** Closes a pull request and adds `why` to its text in one request, so that both become visible together. */
async function closePull(
  repository: GitHubRepository,
  { number, tip }: { readonly number: number; readonly tip: string },
  why: string,
  run: Run,
): Promise<CloseOutcome> {
  const before = repository.pulls.get(number)?.body ?? (await readPull(repository, number, run)).body;
  const body = closedBody(before, why, tip);
  const mergedAs = await write(repository, number, body, run);
  if (mergedAs === undefined) return { kind: "closed" };
  // Someone merged it first: restore the text, which says that it was closed.
  await write(repository, number, before, run);
  return { kind: "merged", commit: mergedAs };
}

/** Returns the merge commit if it was merged. */
function write({ github }: GitHubRepository, number: number, body: string, run: Run): Promise<string | undefined> {
  const doing = `Closing the pull request #${number}`;
  const act: GithubCall = { doing, kind: "write", permission: "pull-requests: write" };
  return github.ask(
    act,
    async (rest, place) => {
      const { data, headers } = await rest.pulls.update({ ...place, pull_number: number, state: "closed", body });
      return { data: data.merged ? (data.merge_commit_sha ?? data.head.sha) : undefined, headers };
    },
    run,
  );
}

/** Maximum delay until GitHub's lists show a merge. */
const LAG_MS = 3_600_000;

/** Maximum of single look-ups, for commits that the lists do not show: those of a rebase merge except its last. */
const SINGLY = 5;

/** Marks a commit that is not looked up again. */
const NEVER = 0;

/** The pull requests that merged these commits. Cached answers cost no request. */
async function mergeTimes(
  repository: GitHubRepository,
  commits: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, MergedPull>> {
  const cached = await repository.cache.recall();
  const unknown = new Set(
    commits.filter((commit) => !cached.merges.has(commit) && cached.unmerged.get(commit) !== NEVER),
  );
  if (unknown.size > 0) {
    const nowMs = repository.github.clock.nowMs();
    await readClosedPulls(repository, unknown, cached, run);
    await readSingly(repository, unknown, cached, run);
    for (const commit of unknown) {
      const sinceMs = cached.unmerged.get(commit) ?? nowMs;
      // Still missing after the lists had time to show it: the commit has no pull request.
      cached.unmerged.set(commit, nowMs - sinceMs > LAG_MS ? NEVER : sinceMs);
    }
    await repository.cache.keep(run);
  }
  return new Map(
    commits.flatMap((commit): [string, MergedPull][] => {
      const pull = cached.merges.get(commit);
      return pull === undefined ? [] : [[commit, pull]];
    }),
  );
}

/** The commits that GitHub made by merging, of the cached ones. */
async function ownMerges(
  { cache }: GitHubRepository,
  commits: readonly string[],
): Promise<ReadonlyMap<string, MergedPull>> {
  const { merges, results } = await cache.recall();
  const wanted = new Set(commits);
  return new Map([...merges].filter(([commit]) => wanted.has(commit) && results.has(commit)));
}

/**
 * Reads the closed pull requests, last updated first, until all `unknown` commits are found (and removed from it) or an
 * earlier run has read the rest. Caches every merge on the way.
 */
async function readClosedPulls(
  { github, base }: GitHubRepository,
  unknown: Set<string>,
  cached: CachedData,
  run: Run,
): Promise<void> {
  const doing = `Reading the merged pull requests of ${github.repository}`;
  const act: GithubCall = { doing, kind: "read", permission: "pull-requests: read" };
  const list = { base, state: "closed", sort: "updated", direction: "desc" } as const;
  let newestMs: number | undefined;
  let oldestMs = Number.POSITIVE_INFINITY;
  for await (const page of github.pages(act, (rest, place) => rest.pulls.list({ ...place, ...list }), run)) {
    for (const { merge_commit_sha: commit, merged_at, number, updated_at, head } of page) {
      oldestMs = Date.parse(updated_at);
      newestMs ??= oldestMs;
      if (commit === null || merged_at === null) continue;
      cached.merges.set(commit, { atMs: Date.parse(merged_at), number });
      if (commit !== head.sha) cached.results.add(commit);
      unknown.delete(commit);
    }
    if (oldestMs < cached.readUntilMs - LAG_MS) break;
    if (unknown.size === 0) return;
  }
  cached.readUntilMs = Math.max(cached.readUntilMs, newestMs ?? 0);
}

async function readSingly(
  { github, base }: GitHubRepository,
  unknown: Set<string>,
  cached: CachedData,
  run: Run,
): Promise<void> {
  for (const commit of [...unknown].slice(0, SINGLY)) {
    const doing = `Reading the pull requests of the commit ${commit}`;
    const act: GithubCall = { doing, kind: "read", permission: "pull-requests: read" };
    try {
      const pulls = await github.ask(
        act,
        (rest, place) => rest.repos.listPullRequestsAssociatedWithCommit({ ...place, commit_sha: commit }),
        run,
      );
      const pull = pulls.find((one) => one.merged_at !== null && one.base.ref === base);
      if (pull === undefined || pull.merged_at === null) continue;
      cached.merges.set(commit, { atMs: Date.parse(pull.merged_at), number: pull.number });
      unknown.delete(commit);
    } catch (error) {
      // The commit is not pushed yet.
      if (!isAnswer(error, 404, 422)) throw error;
    }
  }
}
