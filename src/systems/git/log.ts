import type { RecordedCommit } from "../../catalogue/history/history.ts";
import type { Run } from "../../ports.ts";
import type { TreeEntry } from "./link.ts";
import type { GitOptions } from "./git.ts";
import type { Repository } from "./repository.ts";

/** A commit in the output of `git log`. */
export interface LoggedCommit extends RecordedCommit {
  readonly tree: string;
  /** The changed files, if `CHANGES` is among the options. */
  readonly changes: readonly LoggedChange[];
}

/** The new state of a file, and the object that it replaces. */
export interface LoggedChange extends TreeEntry {
  readonly path: string;
  readonly formerId: string;
}

/** Whether a change adds its file. */
export function isAdded({ formerId }: LoggedChange): boolean {
  return /^0+$/.test(formerId);
}

/** Whether a change removes its file. */
export function isDeleted({ mode }: TreeEntry): boolean {
  return mode === "000000";
}

/** The options for listing changes as well, except those of merges. */
export const CHANGES = ["--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none", "--relative"] as const;

/** Ends each field with a NUL, which names, paths and messages cannot contain. */
const FORMAT = "--format=%H%x00%T%x00%P%x00%ct%x00%an%x00%s%x00%b%x00";
const FIELDS = 7;

/** The commits that `git log` lists, in its order. */
export async function readLog(
  repository: Repository,
  args: readonly string[],
  run: Run,
  options?: GitOptions,
): Promise<readonly LoggedCommit[]> {
  const fields = await repository.fields(["log", "-z", "--encoding=UTF-8", FORMAT, ...args], run, options);
  const commits: LoggedCommit[] = [];
  for (let at = 0; at < fields.length;) {
    const changes: LoggedChange[] = [];
    commits.push({ ...commitIn(fields.slice(at, at + FIELDS)), changes });
    // An empty field follows, between the format and its terminator.
    for (at += FIELDS + 1; isRaw(fields[at]); at += 2) changes.push(changeIn(fields.slice(at, at + 2)));
  }
  return commits;
}

/** The files that differ between two commits, as `git diff-tree` lists them. */
export async function readDiff(
  repository: Repository,
  args: readonly string[],
  run: Run,
): Promise<readonly LoggedChange[]> {
  const fields = await repository.fields(["diff-tree", "-r", "-z", ...args], run);
  return Array.from({ length: fields.length / 2 }, (_, index) => changeIn(fields.slice(index * 2, index * 2 + 2)));
}

function commitIn(fields: readonly string[]): Omit<LoggedCommit, "changes"> {
  const [commit = "", tree = "", parents = "", seconds, author = "", subject = "", body = ""] = fields;
  const names = parents === "" ? [] : parents.split(" ");
  return { commit, tree, parents: names, committerMs: Number(seconds) * 1000, author, subject, body };
}

/** Whether a field is `:<mode> <mode> <id> <id> <letter>`; the first one of a commit begins with a line feed. */
function isRaw(field: string | undefined): boolean {
  return field?.startsWith(":") === true || field?.startsWith("\n:") === true;
}

function changeIn([raw = "", path = ""]: readonly string[]): LoggedChange {
  const [, mode = "", formerId = "", id = ""] = raw.trim().split(" ");
  return { path, mode, id, formerId };
}
