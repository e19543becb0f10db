import type { ForgeView, Proposal, Run } from "../../ports.ts";
import { baseTip } from "./branches.ts";
import { gitHubBranchContent } from "./content.ts";
import type { GithubCall } from "./faults.ts";
import { readMarker } from "../marker.ts";
import type { GitHubRepository } from "./repository.ts";

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
    const proposal = await proposalAt(
      repository,
      branch,
      { base, ref: refs.get(branch), pull: byBranch.get(branch) },
      run,
    );
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

interface FoundBranch {
  /** The commit of the base branch. */
  readonly base: string;
  readonly ref: string | undefined;
  readonly pull: OpenPull | undefined;
}

async function proposalAt(
  repository: GitHubRepository,
  branch: string,
  { base, ref, pull }: FoundBranch,
  run: Run,
): Promise<Proposal | undefined> {
  const digest = pull && openPullDigest(pull);
  // Where the text is for the head of its pull request, that head counts, even if the branches were read at another moment.
  const tip = digest === undefined ? (ref ?? pull?.tip) : pull?.tip;
  if (tip === undefined) return undefined;
  const content = await gitHubBranchContent(repository, tip, base, run);
  return { branch, tip, pull: pull && { number: pull.number, url: pull.url, isOpen: true }, content, digest };
}

/** The digest of the text of a pull request, if the text is for its head. */
function openPullDigest({ body, tip }: OpenPull): string | undefined {
  const marker = readMarker(body);
  return marker?.head === tip && !marker.isClosed ? marker.digest : undefined;
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
