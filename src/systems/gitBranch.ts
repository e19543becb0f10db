import { Fault, type Run } from "../ports.ts";
import { git, resolveRevision } from "./git.ts";
import { gitPrefix } from "./gitChanges.ts";

/** One file that a branch is to have. */
export interface BranchChange {
  readonly branch: string;
  /** The commit that a new branch starts from. */
  readonly base: string;
  /** Relative to the folder of the catalogue. */
  readonly path: string;
  readonly text: string;
  /** The first line of the commit's message. */
  readonly subject: string;
}

/** What is to be done to a branch; a value that was true when it was looked at. */
export type BranchPlan =
  /** There is none yet. */
  | { readonly kind: "create"; readonly parent: string }
  /** It holds nothing but commits made here, or nothing at all that the base has not. */
  | { readonly kind: "extend"; readonly tip: string; readonly parent: string }
  /** Its file has this content already. */
  | { readonly kind: "unchanged"; readonly tip: string }
  /** Somebody else committed there; `subject` is the newest such commit's. */
  | { readonly kind: "foreign"; readonly tip: string; readonly subject: string }
  /** A working tree stands on it: a new commit would make its files look changed. */
  | { readonly kind: "checked-out"; readonly folder: string };

/** Says in a commit which blob it put there: so it shows when somebody amended it. */
const TRAILER = "Bumped-File";
/** The old value of a ref that must not exist. */
const ABSENT = "";

/**
 * What `commitToBranch` would do. Changes nothing. Throws CONFIGURATION for what is no name of a branch.
 */
export async function planBranch(directory: string, change: BranchChange, run: Run): Promise<BranchPlan> {
  const { branch, base } = change;
  const format = await git(directory, ["check-ref-format", "--branch", branch], run, { accepted: [1, 128] });
  if (format.code !== 0 || branch.startsWith("@{"))
    throw new Fault("CONFIGURATION", `${branch} is no name of a branch. Name another: --branch NAME.`);
  const tip = await tipOf(directory, branch, run);
  if (tip === undefined) return { kind: "create", parent: base };
  const path = (await gitPrefix(directory, run)) + change.path;
  const [there, wanted] = [await blobAt(directory, tip, path, run), await blobOf(directory, change.text, false, run)];
  if (there === wanted) return { kind: "unchanged", tip };
  const own = await commitsBetween(directory, base, tip, run);
  const stranger = own.find(({ blob }, index) => blob === "" || (index === 0 && blob !== there));
  if (stranger !== undefined) return { kind: "foreign", tip, subject: stranger.subject };
  const folder = await checkoutOf(directory, branch, run);
  if (folder !== undefined) return { kind: "checked-out", folder };
  // What the base has already is no reason to start from an old commit.
  return { kind: "extend", tip, parent: own.length === 0 ? base : tip };
}

/**
 * Carries a plan out, and gives the commit. Working tree, index and HEAD are not touched: trees are built in the object
 * store, and the one visible act is the atomic move of the branch; a kill before it leaves nothing that Git would show.
 * Throws CONFIGURATION where Git knows nobody to name as author, GIT_FAILED when the branch moved meanwhile.
 */
export async function commitToBranch(
  directory: string,
  change: BranchChange,
  plan: Extract<BranchPlan, { kind: "create" | "extend" }>,
  run: Run,
): Promise<string> {
  await requireIdentity(directory, run);
  const path = (await gitPrefix(directory, run)) + change.path;
  const blob = await blobOf(directory, change.text, true, run);
  const tree = await treeWith(directory, `${plan.parent}^{tree}`, path.split("/"), blob, run);
  const message = `${change.subject}\n\n${TRAILER}: ${blob}\n`;
  const commit = await ask(directory, ["commit-tree", tree, "-p", plan.parent, "-F", "-"], run, message);
  const expected = plan.kind === "create" ? ABSENT : plan.tip;
  await move(directory, change.branch, { commit, expected }, run);
  return commit;
}

async function move(
  directory: string,
  branch: string,
  { commit, expected }: { readonly commit: string; readonly expected: string },
  run: Run,
): Promise<void> {
  const args = ["update-ref", "-m", "kyma-modules bump", `refs/heads/${branch}`, commit, expected];
  const { code, stderr } = await git(directory, args, run, { accepted: [128] });
  if (code === 0) return;
  throw new Fault(
    "GIT_FAILED",
    `The branch ${branch} could not be moved (${stderr.trim()}). Run the command again; or name another branch: --branch NAME.`,
  );
}

async function ask(directory: string, args: readonly string[], run: Run, input = ""): Promise<string> {
  return (await git(directory, args, run, { input })).stdout.toString().trim();
}

async function tipOf(directory: string, branch: string, run: Run): Promise<string | undefined> {
  const { code } = await git(directory, ["show-ref", "--verify", "--quiet", `refs/heads/${branch}`], run, {
    accepted: [1],
  });
  return code === 0 ? resolveRevision(directory, `refs/heads/${branch}`, run) : undefined;
}

/** The blob at `path`, from the top of the repository; empty when there is no file. */
async function blobAt(directory: string, commit: string, path: string, run: Run): Promise<string> {
  const listing = await ask(directory, ["ls-tree", "--full-tree", commit, "--", path], run);
  return /^\d+ blob ([0-9a-f]+)\t/.exec(listing)?.[1] ?? "";
}

/** Without filters and line-end conversion: what was judged is what is committed. */
function blobOf(directory: string, text: string, write: boolean, run: Run): Promise<string> {
  return ask(directory, ["hash-object", ...(write ? ["-w"] : []), "--no-filters", "--stdin"], run, text);
}

interface OwnCommit {
  readonly subject: string;
  /** What the trailer names; empty without one. */
  readonly blob: string;
}

/** What a branch has that its base has not, newest first. */
async function commitsBetween(directory: string, base: string, tip: string, run: Run): Promise<readonly OwnCommit[]> {
  const format = `--format=%s%x00%(trailers:key=${TRAILER},valueonly,separator=%x2C)%x00`;
  const listing = await ask(directory, ["log", format, `${base}..${tip}`], run);
  const fields = listing.split("\0");
  return fields.flatMap((blob, index) =>
    index % 2 === 1 ? [{ subject: (fields[index - 1] ?? "").trim(), blob: blob.trim() }] : [],
  );
}

/** The working tree that stands on `branch`. */
async function checkoutOf(directory: string, branch: string, run: Run): Promise<string | undefined> {
  const listing = await ask(directory, ["worktree", "list", "--porcelain"], run);
  const entry = listing.split("\n\n").find((text) => text.split("\n").includes(`branch refs/heads/${branch}`));
  return entry === undefined ? undefined : /^worktree (.*)$/m.exec(entry)?.[1];
}

/** Git would otherwise make up a name from those of the user and the machine. */
async function requireIdentity(directory: string, run: Run): Promise<void> {
  for (const who of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) {
    const { code } = await git(directory, ["-c", "user.useConfigOnly=true", "var", who], run, { accepted: [1, 128] });
    if (code === 0) continue;
    throw new Fault(
      "CONFIGURATION",
      'Git does not know who commits. Say it: git config user.name "NAME" and git config user.email "ADDRESS".',
    );
  }
}

/**
 * The tree `tree` with `blob` at `path`, and nothing else changed. Folder by folder with mktree: a temporary index would
 * list every file of the repository, and lie about when the process is killed.
 */
async function treeWith(
  directory: string,
  tree: string,
  [name = "", ...rest]: readonly string[],
  blob: string,
  run: Run,
): Promise<string> {
  const entries = tree === "" ? [] : await entriesOf(directory, tree, run);
  const [mode, kind, id = ""] = (entries.find((entry) => nameOf(entry) === name) ?? "").split(/[ \t]/);
  if (rest.length > 0 && kind === "blob") {
    throw new Fault("CONFIGURATION", `${name} is a ${mode === "120000" ? "link" : "file"} in Git. Make it a folder.`);
  }
  const entry =
    rest.length === 0
      ? `100644 blob ${blob}\t${name}`
      : `040000 tree ${await treeWith(directory, id, rest, blob, run)}\t${name}`;
  const others = entries.filter((other) => nameOf(other) !== name);
  return ask(directory, ["mktree", "-z"], run, [...others, entry, ""].join("\0"));
}

/** `MODE KIND ID<tab>NAME` each. */
async function entriesOf(directory: string, tree: string, run: Run): Promise<readonly string[]> {
  const { stdout } = await git(directory, ["ls-tree", "--full-tree", "-z", tree], run);
  return stdout
    .toString()
    .split("\0")
    .filter((entry) => entry !== "");
}

function nameOf(entry: string): string {
  return entry.slice(entry.indexOf("\t") + 1);
}
