import { isUtf8 } from "node:buffer";
import { Fault, type Run } from "../../ports.ts";
import type { Repository } from "./repository.ts";

/** A commit that is to be made of another one. */
export interface NewCommit {
  /** The tree is that of the first one, with `files` in place. */
  readonly parents: readonly [first: string, ...others: string[]];
  /** Path relative to the folder of the catalogue to text. */
  readonly files: ReadonlyMap<string, string>;
  /** The message, made of the commit's tree. */
  readonly message: (tree: string) => string;
}

/** Where a branch is to go, if it is still where it was looked at. */
export interface BranchMove {
  readonly branch: string;
  readonly commit: string;
  /** The commit that it is at; `undefined` when there must be no such branch. */
  readonly from: string | undefined;
  /** What the reflog says of it. */
  readonly why: string;
}

/** The old value of a ref that must not exist. */
const ABSENT = "";

/**
 * Makes a commit that no branch has yet, and gives it. The one way in which this program commits: working tree, index
 * and HEAD are not touched, since trees are built in the object store; a worktree beside would have to be cleared away
 * after a kill. A kill leaves nothing that Git would show. Throws CONFIGURATION where Git knows nobody to name as
 * author, and where a file would stand behind a link or in place of a folder.
 */
export async function makeCommit(
  repository: Repository,
  { parents, files, message }: NewCommit,
  run: Run,
): Promise<string> {
  await requireIdentity(repository, run);
  const prefix = await repository.prefix(run);
  let tree = await treeOf(repository, parents[0], run);
  for (const [path, text] of files) {
    const blob = await blobOf(repository, text, true, run);
    tree = await treeWith(repository, tree, (prefix + path).split("/"), blob, run);
  }
  const lineage = parents.flatMap((parent) => ["-p", parent]);
  // A message is UTF-8, whatever its reader has configured for the messages that are typed.
  const args = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", tree, ...lineage, "-F", "-"];
  return repository.text(args, run, { input: message(tree) });
}

/** Moves a branch in one atomic act. Gives what Git says where it cannot be done: it moved meanwhile, for one. */
export async function moveBranch(repository: Repository, move: BranchMove, run: Run): Promise<string | undefined> {
  const { branch, commit, from = ABSENT, why } = move;
  const args = ["update-ref", "-m", `kyma-modules ${why}`, `refs/heads/${branch}`, commit, from];
  const { code, stderr } = await repository.git(args, run, { accepted: [128] });
  return code === 0 ? undefined : stderr.trim();
}

/** Removes a branch that is still at `tip`. Gives what Git says where it cannot be done. */
export async function removeBranch(
  repository: Repository,
  branch: string,
  tip: string,
  run: Run,
): Promise<string | undefined> {
  const args = ["update-ref", "-d", `refs/heads/${branch}`, tip];
  const { code, stderr } = await repository.git(args, run, { accepted: [1, 128] });
  return code === 0 ? undefined : stderr.trim();
}

/** Refuses what is not a branch name. Throws CONFIGURATION; `remedy` is its last sentence. */
export async function requireBranchName(
  repository: Repository,
  branch: string,
  remedy: string,
  run: Run,
): Promise<void> {
  const format = await repository.git(["check-ref-format", "--branch", branch], run, { accepted: [1, 128] });
  if (format.code !== 0 || branch.startsWith("@{"))
    throw new Fault("CONFIGURATION", `${branch} is not a branch name. ${remedy}`);
}

/** The commit of a local branch; `undefined` when there is none. */
export async function tipOf(repository: Repository, branch: string, run: Run): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  // In one question: between two of them another run may remove it.
  const found = await repository.text(["for-each-ref", "--format=%(objectname) %(refname)", ref], run);
  // Git would also list what is below a folder of that name.
  const line = found.split("\n").find((one) => one.endsWith(` ${ref}`));
  return line?.split(" ")[0];
}

/** The tree of a commit. */
export function treeOf(repository: Repository, commit: string, run: Run): Promise<string> {
  return repository.text(["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`], run);
}

/** The blob at `path`, from the top of the repository; empty when there is no file. */
export async function blobAt(repository: Repository, commit: string, path: string, run: Run): Promise<string> {
  const listing = await repository.text(["ls-tree", "--full-tree", commit, "--", path], run);
  return /^\d+ blob ([0-9a-f]+)\t/.exec(listing)?.[1] ?? "";
}

/** Without filters and line-end conversion: what was judged is what is committed. */
export function blobOf(repository: Repository, text: string, write: boolean, run: Run): Promise<string> {
  return repository.text(["hash-object", ...(write ? ["-w"] : []), "--no-filters", "--stdin"], run, { input: text });
}

/** The working tree that stands on `branch`: moving the branch would make its files look changed. */
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
