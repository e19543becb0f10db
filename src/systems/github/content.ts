import type { BranchContent, Run } from "../../ports.ts";
import { readContent } from "../content.ts";
import { isMarked } from "../marker.ts";
import type { CachedContent } from "./cache.ts";
import { readCommit, commitTree } from "./commits.ts";
import { isAnswer, type GithubCall } from "./faults.ts";
import type { GitHubRepository } from "./repository.ts";
import { entryAt, treeChanges } from "./trees.ts";

/**
 * The content of the commit `tip` of a branch, compared with the commit where it left the base, which is at `base`. Cached
 * by `tip`. No merge depends on it alone.
 */
export async function gitHubBranchContent(
  repository: GitHubRepository,
  tip: string,
  base: string,
  run: Run,
): Promise<BranchContent> {
  const { tips } = await repository.cache.recall();
  const known = tips.get(tip) ?? (await readTip(repository, tip, base, run));
  tips.set(tip, known);
  const { fork, files, others, author, isMarked: claims } = known;
  return { files, others, author, isMarked: claims, isCurrent: await isUnmoved(repository, fork, base, files, run) };
}

async function readTip(repository: GitHubRepository, tip: string, base: string, run: Run): Promise<CachedContent> {
  const [commit, fork] = [await readCommit(repository, tip, run), await forkCommit(repository, tip, base, run)];
  const about = { fork, author: commit.author, isMarked: isMarked(commit) };
  if (fork === "") return { files: new Map(), others: ["its history (no common commit with the base)"], ...about };
  const changes = await treeChanges(repository, await commitTree(repository, fork, run), commit.tree, run);
  const read = (ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> => readBlobs(repository, ids, run);
  return { ...(await readContent(changes, repository.prefix, read)), ...about };
}

/** The commit where `tip` left `base`; empty if they have no common one. */
async function forkCommit({ github }: GitHubRepository, tip: string, base: string, run: Run): Promise<string> {
  const act: GithubCall = {
    doing: `Comparing the commit ${tip} with ${base}`,
    kind: "read",
    permission: "contents: read",
  };
  const basehead = `${base}...${tip}`;
  try {
    const { merge_base_commit: fork } = await github.ask(
      act,
      (rest, place) => rest.repos.compareCommitsWithBasehead({ ...place, basehead, per_page: 1 }),
      run,
    );
    return fork.sha;
  } catch (error) {
    if (isAnswer(error, 404)) return "";
    throw error;
  }
}

async function readBlobs(
  { github }: GitHubRepository,
  ids: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const blobs = new Map<string, Uint8Array>();
  for (const id of new Set(ids)) {
    const act: GithubCall = { doing: `Reading the file ${id}`, kind: "read", permission: "contents: read" };
    const { content } = await github.ask(act, (rest, place) => rest.git.getBlob({ ...place, file_sha: id }), run);
    blobs.set(id, Buffer.from(content, "base64"));
  }
  return blobs;
}

/** Whether the base still has these files as they were at the fork. */
async function isUnmoved(
  repository: GitHubRepository,
  fork: string,
  base: string,
  files: BranchContent["files"],
  run: Run,
): Promise<boolean> {
  if (fork === base || fork === "") return fork !== "";
  const [before, now] = [await commitTree(repository, fork, run), await commitTree(repository, base, run)];
  for (const path of files.keys()) {
    const place = `${repository.prefix}${path}`.split("/");
    const entries = [await entryAt(repository, before, place, run), await entryAt(repository, now, place, run)];
    if (new Set(entries.map((entry) => entry && `${entry.mode} ${entry.id}`)).size > 1) return false;
  }
  return true;
}
