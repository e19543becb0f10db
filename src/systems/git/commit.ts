import { shortCommit } from "../../document/printable.ts";
import { Fault, type ProposalDraft, type Run } from "../../ports.ts";
import { withTrailer } from "../marker.ts";
import type { Repository } from "./repository.ts";
import { treeWith } from "./treeWith.ts";

/** The content of a commit; without a digest it is not a proposal. */
type CommitDraft = Pick<ProposalDraft, "files" | "message"> & Partial<Pick<ProposalDraft, "digest">>;

/** A move of a branch, on condition that it is still at `from`. */
interface BranchMove {
  readonly branch: string;
  /** The new commit; `undefined` deletes the branch. */
  readonly commit: string | undefined;
  /** The expected commit; `undefined` if the branch must not exist. */
  readonly from: string | undefined;
}

/**
 * Creates and returns a commit, on no branch yet, with a trailer that names its tree. Its tree is that of the
 * first of `parents`, or an empty one, plus the files. This program commits in no other way: it builds trees in the
 * object store and never touches working tree, index or HEAD. A kill leaves nothing that Git would show, whereas an
 * extra worktree would need cleaning up. Throws CONFIGURATION if Git has no author configured, and if a file would be
 * behind a link or replace a folder.
 */
export async function makeCommit(
  repository: Repository,
  { files, message, digest }: CommitDraft,
  parents: readonly string[],
  run: Run,
): Promise<string> {
  const prefix = await repository.prefix(run);
  const [first] = parents;
  const top = first === undefined ? "" : (await repository.objects.tree(`${first}^{tree}`, run)).id;
  const blobs = new Map<string, string>();
  for (const [path, text] of files) {
    // Without filters and line-end conversion, so that the commit has exactly the checked content.
    const args = ["hash-object", "-w", "--no-filters", "--stdin"];
    blobs.set(prefix + path, await repository.text(args, run, { input: text }));
  }
  const tree = await treeWith(repository, top, blobs, run);
  const lineage = parents.flatMap((parent) => ["-p", parent]);
  const input = digest === undefined ? message : withTrailer(message, tree);
  return repository
    .text([...SETTINGS, "commit-tree", tree, ...lineage, "-F", "-"], run, { input })
    .catch(async (error: unknown) => {
      await requireIdentity(repository, run);
      throw error;
    });
}

/** Without a configured identity, Git would derive one from the names of user and machine. */
const IDENTITY = ["-c", "user.useConfigOnly=true"];
/** The message is UTF-8, regardless of the user's setting for typed messages. */
const SETTINGS = [...IDENTITY, "-c", "i18n.commitEncoding=UTF-8"];

/**
 * Moves or deletes a branch atomically. Returns Git's message on failure, for example if the branch moved meanwhile.
 */
export async function moveBranch(
  repository: Repository,
  { branch, commit, from = "" }: BranchMove,
  run: Run,
): Promise<string | undefined> {
  const [ref, log] = [`refs/heads/${branch}`, ["-m", "kyma-modules"]];
  const args = commit === undefined ? ["-d", ref, from] : [...log, ref, commit, from];
  const { code, stderr } = await repository.git(["update-ref", ...args], run, { accepted: [1, 128] });
  return code === 0 ? undefined : stderr.trim();
}

/** The fault for a branch that moved meanwhile. */
export function moved(
  what: string,
  from: string | undefined,
  to: string | undefined,
  remedy = "Run the command again.",
): Fault {
  const [before, after] = [from, to].map((commit) => (commit === undefined ? "nothing" : shortCommit(commit)));
  const message = `${what} moved from ${before ?? ""} to ${after ?? ""} meanwhile. ${remedy}`;
  return new Fault("FORGE_CONFLICT", message);
}

/** The commit of a local branch; `undefined` if it does not exist. */
export async function localTip(repository: Repository, branch: string, run: Run): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  // In one command: between two commands another run may delete the branch.
  const found = await repository.lines(["for-each-ref", "--format=%(objectname) %(refname)", ref], run);
  // Git also lists branches below a folder of that name.
  return found.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
}

/**
 * The working tree that has `branch` checked out: moving the branch would make its files look changed. Does not use
 * `worktreepath` of for-each-ref, which also names a bare repository, and a working tree that was deleted.
 */
export async function branchCheckout(repository: Repository, branch: string, run: Run): Promise<string | undefined> {
  const listing = await repository.text(["worktree", "list", "--porcelain"], run);
  const entries = listing.split("\n\n").filter((text) => !/^prunable\b/m.test(text));
  const entry = entries.find((text) => text.split("\n").includes(`branch refs/heads/${branch}`));
  return entry === undefined ? undefined : /^worktree (.*)$/m.exec(entry)?.[1];
}

/** Throws CONFIGURATION without a configured identity. */
async function requireIdentity(repository: Repository, run: Run): Promise<void> {
  for (const who of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) {
    const { code } = await repository.git([...IDENTITY, "var", who], run, { accepted: [1, 128] });
    if (code === 0) continue;
    throw new Fault(
      "CONFIGURATION",
      'Git has no author configured. Set one: git config user.name "NAME" and git config user.email "ADDRESS".',
    );
  }
}
