import { Fault, type Run } from "../../ports.ts";
import { git } from "./git.ts";
import { Repository } from "./repository.ts";
import { blobAt, blobOf, checkoutOf, makeCommit, moveBranch, requireBranchName, tipOf } from "./commit.ts";

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
const ANOTHER_NAME = "Name another: --branch NAME.";

/**
 * What `commitToBranch` would do. Changes nothing. Throws CONFIGURATION for what is no name of a branch.
 */
export async function planBranch(directory: string, change: BranchChange, run: Run): Promise<BranchPlan> {
  const { branch, base } = change;
  await requireBranchName(directory, branch, ANOTHER_NAME, run);
  const tip = await tipOf(directory, branch, run);
  if (tip === undefined) return { kind: "create", parent: base };
  const path = (await new Repository(directory).prefix(run)) + change.path;
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
 * Carries a plan out, and gives the commit. The one visible act is the atomic move of the branch.
 * Throws CONFIGURATION where Git knows nobody to name as author, FORGE_CONFLICT when the branch moved meanwhile, GIT_FAILED.
 */
export async function commitToBranch(
  directory: string,
  { branch, path, text, subject }: BranchChange,
  plan: Extract<BranchPlan, { kind: "create" | "extend" }>,
  run: Run,
): Promise<string> {
  const blob = await blobOf(directory, text, false, run);
  const message = (): string => `${subject}\n\n${TRAILER}: ${blob}\n`;
  const commit = await makeCommit(directory, { parents: [plan.parent], files: new Map([[path, text]]), message }, run);
  const from = plan.kind === "create" ? undefined : plan.tip;
  const trouble = await moveBranch(directory, { branch, commit, from, why: "bump" }, run);
  if (trouble === undefined) return commit;
  if ((await tipOf(directory, branch, run)) !== from)
    throw new Fault(
      "FORGE_CONFLICT",
      `Another command was faster: it committed to the branch ${branch}. Look at it (git log -p ${branch}), then run the command again; or name another branch: --branch NAME.`,
    );
  throw new Fault(
    "GIT_FAILED",
    `The branch ${branch} could not be moved (${trouble}). Run the command again; or name another branch: --branch NAME.`,
  );
}

interface OwnCommit {
  readonly subject: string;
  /** What the trailer names; empty without one. */
  readonly blob: string;
}

/** What a branch has that its base has not, newest first. */
async function commitsBetween(directory: string, base: string, tip: string, run: Run): Promise<readonly OwnCommit[]> {
  const format = `--format=%s%x00%(trailers:key=${TRAILER},valueonly,separator=%x2C)%x00`;
  const { stdout } = await git(directory, ["log", format, `${base}..${tip}`], run);
  const fields = stdout.toString().split("\0");
  return fields.flatMap((blob, index) =>
    index % 2 === 1 ? [{ subject: (fields[index - 1] ?? "").trim(), blob: blob.trim() }] : [],
  );
}
