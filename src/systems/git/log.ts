import type { RecordedCommit } from "../../catalogue/history/history.ts";
import type { Run } from "../../ports.ts";
import type { TreeEntry } from "./link.ts";
import type { GitOptions } from "./git.ts";
import type { Repository } from "./repository.ts";

/** A commit as Git lists it. */
export interface LoggedCommit extends RecordedCommit {
  readonly tree: string;
  /** What it changed of files, where `CHANGES` are asked for. */
  readonly changes: readonly LoggedChange[];
}

/** What a file became. What is gone has the mode `000000`. */
export interface LoggedChange extends TreeEntry {
  readonly path: string;
}

/** The options by which Git lists changes as well; of merges, none. */
export const CHANGES = ["--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none", "--relative"] as const;

/** Each field with a NUL behind it: no name, path or message can hold one. */
const FORMAT = "--format=%H%x00%T%x00%P%x00%ct%x00%an%x00%s%x00%b%x00";
const FIELDS = 7;

/** The commits that Git lists, in its order. */
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
    // Behind the last one there is an empty one, between the format and its terminator.
    for (at += FIELDS + 1; isRaw(fields[at]); at += 2) changes.push(changeIn(fields.slice(at, at + 2)));
  }
  return commits;
}

function commitIn(fields: readonly string[]): Omit<LoggedCommit, "changes"> {
  const [commit = "", tree = "", parents = "", seconds, author = "", subject = "", body = ""] = fields;
  return { commit, tree, parents: words(parents), committerMs: Number(seconds) * 1000, author, subject, body };
}

function words(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}

/** `:<mode> <mode> <id> <id> <letter>`; the first of a commit begins a line. */
function isRaw(field: string | undefined): boolean {
  return field?.startsWith(":") === true || field?.startsWith("\n:") === true;
}

function changeIn([raw = "", path = ""]: readonly string[]): LoggedChange {
  const [, mode = "", , id = ""] = raw.trim().split(" ");
  return { path, mode, id };
}
