import type { ForgeView, Proposal, Run } from "../../ports.ts";
import { baseTip } from "./branches.ts";
import { digestAt } from "./commits.ts";
import type { GithubCall } from "./faults.ts";
import { readMarker } from "../marker.ts";
import type { GitHubRepository } from "./repository.ts";

/**
 * Suffix of the digest of a proposal whose branch is written but whose pull request is not, as after a kill: it equals
 * the digest of no draft, so the next `propose` finishes it.
 */
export const UNFINISHED = " (unfinished)";

/**
 * The current proposals. Reads all branches of the first prefix; of the other prefixes only those with an open pull
 * request, which needs no further request. `propose` finds a branch without one.
 */
export async function look(repository: GitHubRepository, prefixes: readonly string[], run: Run): Promise<ForgeView> {
  const [base, refs, pulls] = await Promise.all([
    baseTip(repository, run),
    branchTips(repository, prefixes[0], run),
    openPulls(repository, run),
  ]);
  const byBranch = new Map(pulls.map((pull) => [pull.branch, pull]));
  const branches = [...new Set([...refs.keys(), ...byBranch.keys()])].filter((branch) =>
    prefixes.some((prefix) => branch.startsWith(prefix)),
  );
  const { tips } = await repository.cache.recall();
  const known = tips.size;
  const proposals: Proposal[] = [];
  for (const branch of branches) {
    const proposal = await proposalAt(repository, branch, refs.get(branch), byBranch.get(branch), run);
    if (proposal !== undefined) proposals.push(proposal);
  }
  await forgetOthers(repository, new Set(proposals.map(({ tip }) => tip)), tips.size > known, run);
  return { base, hasPulls: true, proposals };
}

/** An open pull request in the list. */
interface OpenPull {
  readonly number: number;
  readonly url: string;
  readonly branch: string;
  readonly tip: string;
  readonly body: string | null;
}

async function proposalAt(
  repository: GitHubRepository,
  branch: string,
  ref: string | undefined,
  pull: OpenPull | undefined,
  run: Run,
): Promise<Proposal | undefined> {
  if (pull !== undefined) return openProposal(repository, pull, ref ?? pull.tip, run);
  return ref === undefined
    ? undefined
    : { branch, tip: ref, pull: undefined, digest: await digestAt(repository, ref, run) };
}

async function openProposal(
  repository: GitHubRepository,
  { branch, number, url, body, tip: shown }: OpenPull,
  tip: string,
  run: Run,
): Promise<Proposal> {
  const pull = { number, url, isOpen: true };
  const marker = readMarker(body);
  // The marker matches the head of its pull request, which is consistent even if the branches were read at another
  // moment.
  if (marker?.head === shown && !marker.isClosed) return { branch, tip: shown, pull, digest: marker.digest };
  const digest = await digestAt(repository, tip, run);
  return digest === undefined
    ? { branch, tip, pull, digest, ...(marker && { former: marker.digest }) }
    : { branch, tip, pull, digest: `${digest}${UNFINISHED}` };
}

async function branchTips(
  { github }: GitHubRepository,
  prefix: string | undefined,
  run: Run,
): Promise<ReadonlyMap<string, string>> {
  if (prefix === undefined) return new Map();
  const act: GithubCall = { doing: `Reading the branches ${prefix}*`, kind: "read", permission: "contents: read" };
  const ref = `heads/${prefix}`;
  // This list has no pages.
  const refs = await github.ask(act, (rest, place) => rest.git.listMatchingRefs({ ...place, ref }), run);
  return new Map(refs.map(({ ref: name, object }) => [name.slice("refs/heads/".length), object.sha]));
}

async function openPulls(repository: GitHubRepository, run: Run): Promise<readonly OpenPull[]> {
  const { github, base, pulls } = repository;
  const doing = `Reading the pull requests of ${github.repository}`;
  const act: GithubCall = { doing, kind: "read", permission: "pull-requests: read" };
  const found: OpenPull[] = [];
  for await (const page of github.pages(
    act,
    (rest, place) => rest.pulls.list({ ...place, base, state: "open" }),
    run,
  )) {
    for (const { number, html_url: url, head, base: into, body, user } of page) {
      if (!isOwnBranch(head.repo, into.repo)) continue;
      pulls.set(number, { body: body ?? "", author: user?.login ?? "" });
      found.push({ number, url, branch: head.ref, tip: head.sha, body });
    }
  }
  return found;
}

/**
 * Whether a head is in the repository itself, not in a fork, which may use any branch names. `null` is a deleted fork.
 */
export function isOwnBranch(head: { readonly id: number } | null, base: { readonly id: number }): boolean {
  return head?.id === base.id;
}

/** Removes tips that are no longer shown from the cache, and writes the cache if it changed. */
async function forgetOthers(
  repository: GitHubRepository,
  shown: ReadonlySet<string>,
  isNew: boolean,
  run: Run,
): Promise<void> {
  const { tips, parked } = await repository.cache.recall();
  const others = [tips, parked].flatMap((kept) =>
    [...kept.keys()].filter((tip) => !shown.has(tip) && kept.delete(tip)),
  );
  if (isNew || others.length > 0) await repository.cache.keep(run);
}
