import { isUtf8 } from "node:buffer";
import { Fault, type ProposalDraft, type Run } from "../../ports.ts";
import { withTrailers } from "../marker.ts";
import type { Repository } from "./repository.ts";

/** What a commit is to say; without a digest it proposes nothing. */
export type CommitDraft = Pick<ProposalDraft, "files" | "message"> & Partial<Pick<ProposalDraft, "digest">>;

/** Where a branch is to go, if it is still where it was looked at. */
export interface BranchMove {
  readonly branch: string;
  /** `undefined`: it goes. */
  readonly commit: string | undefined;
  /** The commit that it is at; `undefined` when there must be no such branch. */
  readonly from: string | undefined;
}

/**
 * Makes a commit that no branch has yet, with the trailers by which it is known again, and gives it. The one way in which
 * this program commits: working tree, index and HEAD are not touched, since trees are built in the object store; a
 * worktree beside would have to be cleared away after a kill. A kill leaves nothing that Git would show. The tree is that
 * of the first of `parents`, or an empty one, with the files in place. Throws CONFIGURATION where Git knows nobody to name as author, and
 * where a file would stand behind a link or in place of a folder.
 */
export async function makeCommit(
  repository: Repository,
  { files, message, digest }: CommitDraft,
  parents: readonly string[],
  run: Run,
): Promise<string> {
  await requireIdentity(repository, run);
  const prefix = await repository.prefix(run);
  const [first] = parents;
  let tree = first === undefined ? "" : await treeOf(repository, first, run);
  for (const [path, text] of files) {
    // Without filters and line-end conversion: what was judged is what is committed.
    const blob = await repository.text(["hash-object", "-w", "--no-filters", "--stdin"], run, { input: text });
    tree = await treeWith(repository, tree, (prefix + path).split("/"), blob, run);
  }
  const lineage = parents.flatMap((parent) => ["-p", parent]);
  // A message is UTF-8, whatever its reader has configured for the messages that are typed.
  const args = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", tree, ...lineage, "-F", "-"];
  return repository.text(args, run, { input: digest === undefined ? message : withTrailers(message, tree, digest) });
}

function treeOf(repository: Repository, commit: string, run: Run): Promise<string> {
  return repository.text(["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`], run);
}

/** Moves or removes a branch in one atomic act. Gives what Git says where it cannot be done: it moved meanwhile, for one. */
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

/** Something is not at the commit that it was at. */
export function moved(
  what: string,
  from: string | undefined,
  to: string | undefined,
  remedy = "Run the command again.",
): Fault {
  const [before, after] = [from, to].map((commit) => commit?.slice(0, 10) ?? "nothing");
  const message = `${what} moved from ${before ?? ""} to ${after ?? ""} since it was looked at. ${remedy}`;
  return new Fault("FORGE_CONFLICT", message);
}

/** The commit of a local branch; `undefined` when there is none. */
export async function tipOf(repository: Repository, branch: string, run: Run): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  // In one question: between two of them another run may remove it.
  const found = await repository.lines(["for-each-ref", "--format=%(objectname) %(refname)", ref], run);
  // Git would also list what is below a folder of that name.
  return found.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
}

/**
 * The working tree that stands on `branch`: moving the branch would make its files look changed. Not by `worktreepath` of
 * for-each-ref, which names a bare repository as well.
 */
export async function checkoutOf(repository: Repository, branch: string, run: Run): Promise<string | undefined> {
  const listing = await repository.text(["worktree", "list", "--porcelain"], run);
  const entry = listing.split("\n\n").find((text) => text.split("\n").includes(`branch refs/heads/${branch}`));
  return entry === undefined ? undefined : /^worktree (.*)$/m.exec(entry)?.[1];
}

/** Git would otherwise make up a name from those of the user and the machine. */
async function requireIdentity(repository: Repository, run: Run): Promise<void> {
  for (const who of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) {
    const { code } = await repository.git(["-c", "user.useConfigOnly=true", "var", who], run, { accepted: [1, 128] });
    if (code === 0) continue;
    throw new Fault(
      "CONFIGURATION",
      'Git does not know who commits. Say it: git config user.name "NAME" and git config user.email "ADDRESS".',
    );
  }
}

/**
 * The tree `tree` (empty: none) with `blob` at a path, and nothing else changed. Folder by folder with mktree: a
 * temporary index would list every file of the repository, and lie about when the process is killed.
 * Throws CONFIGURATION where a file or a link stands in place of a folder of the path, or a folder in place of the file.
 */
async function treeWith(
  repository: Repository,
  tree: string,
  [name = "", ...rest]: readonly string[],
  blob: string,
  run: Run,
): Promise<string> {
  const entries = tree === "" ? [] : await entriesOf(repository, tree, run);
  const [mode = "", kind, id = ""] = (entries.find((entry) => nameOf(entry) === name) ?? "").split(/[ \t]/);
  refuseOther(name, mode, kind, rest.length > 0);
  const entry =
    rest.length === 0
      ? `100644 blob ${blob}\t${name}`
      : `040000 tree ${await treeWith(repository, id, rest, blob, run)}\t${name}`;
  const others = entries.filter((other) => nameOf(other) !== name);
  const input = [...others, entry, ""].join("\0");
  // What a partial clone lacks stays where it is: `--missing` keeps Git from fetching every file of the folder.
  return repository.text(["mktree", "-z", "--missing"], run, { input });
}

/** What is there must be of the kind that is wanted; else it would vanish with all that it holds. */
function refuseOther(name: string, mode: string, kind: string | undefined, wantsFolder: boolean): void {
  if (mode === "" || (kind === "tree") === wantsFolder) return;
  if (!wantsFolder && kind === "blob") return;
  const what = mode === "120000" ? "link" : kind === "tree" ? "folder" : kind === "commit" ? "submodule" : "file";
  throw new Fault("CONFIGURATION", `${name} is a ${what} in Git. Make it a ${wantsFolder ? "folder" : "file"}.`);
}

/** `MODE KIND ID<tab>NAME` each. */
async function entriesOf(repository: Repository, tree: string, run: Run): Promise<readonly string[]> {
  const { stdout } = await repository.git(["ls-tree", "--full-tree", "-z", tree], run);
  if (!isUtf8(stdout))
    throw new Fault(
      "CONFIGURATION",
      `${repository.directory} has a file whose name is not UTF-8, beside what is to be committed. Rename it: git mv.`,
    );
  return stdout
    .toString()
    .split("\0")
    .filter((entry) => entry !== "");
}

function nameOf(entry: string): string {
  return entry.slice(entry.indexOf("\t") + 1);
}
