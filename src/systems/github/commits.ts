import type { ProposalDraft, Run } from "../../ports.ts";
import type { GithubCall } from "./faults.ts";
import { withTrailer, type ClaimingCommit } from "../marker.ts";
import type { GitHubRepository } from "./repository.ts";

/** Creates a commit with the tree of the draft's base plus its files. It belongs to no branch yet. */
export async function makeCommit(
  repository: GitHubRepository,
  draft: ProposalDraft,
  parents: readonly string[],
  run: Run,
): Promise<string> {
  const { github, prefix } = repository;
  const baseTree = await commitTree(repository, draft.base, run);
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
  const message = withTrailer(draft.message, tree.sha);
  const commit = await github.ask(
    { ...write, doing: `Making a commit for ${draft.branch}` },
    (rest, place) => rest.git.createCommit({ ...place, message, tree: tree.sha, parents: [...parents] }),
    run,
  );
  const author = authorText(commit.author);
  const content = { fork: draft.base, files: draft.files, others: [], author, isMarked: true };
  (await repository.cache.recall()).tips.set(commit.sha, content);
  return commit.sha;
}

/** The tree of a commit. */
export async function commitTree(repository: GitHubRepository, commit: string, run: Run): Promise<string> {
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

/** A commit. */
interface ReadCommit extends ClaimingCommit {
  readonly parents: readonly string[];
  /** As the commit claims. */
  readonly author: string;
}

/** Reads a commit. */
export async function readCommit({ github }: GitHubRepository, sha: string, run: Run): Promise<ReadCommit> {
  const act: GithubCall = { doing: `Reading the commit ${sha}`, kind: "read", permission: "contents: read" };
  const { message, tree, parents, author } = await github.ask(
    act,
    (rest, place) => rest.git.getCommit({ ...place, commit_sha: sha }),
    run,
  );
  const names = parents.map((parent) => parent.sha);
  return { message, tree: tree.sha, parents: names, author: authorText(author) };
}

function authorText({ name, email }: { readonly name: string; readonly email: string }): string {
  return `${name} <${email}>`;
}
