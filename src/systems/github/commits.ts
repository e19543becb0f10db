import type { ProposalDraft, Run } from "../../ports.ts";
import type { GithubCall } from "./faults.ts";
import { proposedDigest, withTrailers, type ProposedCommit } from "../marker.ts";
import type { GitHubRepository } from "./repository.ts";

/** The digest in the commit `tip`; `undefined` if this program did not make it. */
export async function digestAt(repository: GitHubRepository, tip: string, run: Run): Promise<string | undefined> {
  const { tips } = await repository.cache.recall();
  const known = tips.get(tip);
  if (known !== undefined) return known === "" ? undefined : known;
  const digest = proposedDigest(await readCommit(repository, tip, run));
  tips.set(tip, digest ?? "");
  return digest;
}

/** Creates a commit with the tree of the draft's base plus its files. It belongs to no branch yet. */
export async function makeCommit(
  repository: GitHubRepository,
  draft: ProposalDraft,
  parents: readonly string[],
  run: Run,
): Promise<string> {
  const { github, prefix } = repository;
  const baseTree = await treeOf(repository, draft.base, run);
  const files = [...draft.files].map(([path, content]) => ({
    path: prefix + path,
    mode: "100644" as const,
    type: "blob" as const,
    content,
  }));
  // Trees and commits are addressed by content: GitHub removes an unused duplicate.
  const write: GithubCall = {
    doing: `Writing the files of ${draft.branch}`,
    kind: "write",
    permission: "contents: write",
  };
  const tree = await github.ask(
    write,
    (rest, place) => rest.git.createTree({ ...place, base_tree: baseTree, tree: files }),
    run,
  );
  const message = withTrailers(draft.message, tree.sha, draft.digest);
  const commit = await github.ask(
    { ...write, doing: `Making a commit for ${draft.branch}` },
    (rest, place) => rest.git.createCommit({ ...place, message, tree: tree.sha, parents: [...parents] }),
    run,
  );
  (await repository.cache.recall()).tips.set(commit.sha, draft.digest);
  return commit.sha;
}

async function treeOf(repository: GitHubRepository, commit: string, run: Run): Promise<string> {
  const known = repository.trees.get(commit);
  if (known !== undefined) return known;
  const { tree } = await readCommit(repository, commit, run);
  repository.trees.set(commit, tree);
  return tree;
}

/** The first parent of a commit. */
export async function firstParent(repository: GitHubRepository, commit: string, run: Run): Promise<string | undefined> {
  return (await readCommit(repository, commit, run)).parents[0];
}

async function readCommit(
  { github }: GitHubRepository,
  sha: string,
  run: Run,
): Promise<ProposedCommit & { readonly parents: readonly string[] }> {
  const act: GithubCall = { doing: `Reading the commit ${sha}`, kind: "read", permission: "contents: read" };
  const commit = await github.ask(act, (rest, place) => rest.git.getCommit({ ...place, commit_sha: sha }), run);
  return { message: commit.message, tree: commit.tree.sha, parents: commit.parents.map((parent) => parent.sha) };
}
