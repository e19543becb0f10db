import { placeOf } from "../../catalogue/paths.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import type { Chronicler, RecordedChange, RecordedCommit, Run } from "../../ports.ts";
import { fileOf, readBlobs, SUBMODULE } from "./revision.ts";
import { SYMLINK, type TreeEntry } from "./link.ts";
import type { Repository } from "./repository.ts";

/** The first-parent history of the folder of `repository`. */
export function gitChronicle(repository: Repository): Chronicler {
  return {
    chronicle: async (revision, run) => {
      if ((await repository.head(run)) === undefined) return { commits: [], changes: [], isCut: false };
      const commit = await repository.resolve(revision, run);
      const [{ commits, changes }, isShallowClone] = await Promise.all([
        readLog(repository, commit, run),
        repository.isShallow(run),
      ]);
      const contents = await readBlobs(
        repository,
        changes.flatMap(({ entry }) => (isFile(entry) ? [entry.id] : [])),
        run,
      );
      return {
        commits,
        changes: changes.map(({ index, path, entry }): RecordedChange => {
          return { index, path, content: contentOf(path, entry, contents) };
        }),
        isCut: isShallowClone && (await hasParent(repository, commits, run)),
      };
    },
  };
}

interface Listing {
  readonly commits: readonly RecordedCommit[];
  readonly changes: readonly TreeChange[];
}

interface TreeChange {
  readonly index: number;
  readonly path: string;
  readonly entry: TreeEntry;
}

/** One line of the log a commit, each field with a NUL behind it: no name, path or message can hold one. */
const FORMAT = "--format=%H%x00%ct%x00%an%x00%s%x00%b%x00";

const FLAGS = [
  "--first-parent",
  "--diff-merges=first-parent",
  // All commits, also those that change nothing below the paths: their times count.
  "--full-history",
  "--sparse",
  "--raw",
  "-z",
  "--no-abbrev",
  "--no-renames",
  "--ignore-submodules=none",
  "--relative",
  "--reverse",
  "--encoding=UTF-8",
  FORMAT,
];

async function readLog(repository: Repository, head: string, run: Run): Promise<Listing> {
  const fields = await repository.fields(["log", ...FLAGS, head, "--", "channels", "modules"], run);
  const commits: RecordedCommit[] = [];
  const changes: TreeChange[] = [];
  for (let at = 0; at < fields.length;) {
    const index = commits.push(commitIn(fields.slice(at, at + 5))) - 1;
    // The sixth is the empty one between the format and its terminator.
    for (at += 6; isRaw(fields[at]); at += 2) {
      const change = changeIn(index, fields.slice(at, at + 2));
      if (WANTED.has(placeOf(change.path)?.kind)) changes.push(change);
    }
  }
  return { commits, changes };
}

function commitIn([commit = "", seconds, author = "", subject = "", body = ""]: readonly string[]): RecordedCommit {
  return { commit, committerMs: Number(seconds) * 1000, author, subject, body };
}

function changeIn(index: number, [raw = "", path = ""]: readonly string[]): TreeChange {
  const [, mode = "", , id = ""] = raw.trim().split(" ");
  return { index, path, entry: { mode, id } };
}

/** `:<mode> <mode> <id> <id> <letter>`; the first of a commit begins a line. */
function isRaw(field: string | undefined): boolean {
  return field?.startsWith(":") === true || field?.startsWith("\n:") === true;
}

const WANTED: ReadonlySet<string | undefined> = new Set(["channel-template", "holds", "hotfixes"]);

/** What is gone has the mode 000000; and a catalogue knows no submodules. */
const NO_FILES: ReadonlySet<string> = new Set(["000000", SUBMODULE]);

function isFile({ mode }: TreeEntry): boolean {
  return !NO_FILES.has(mode);
}

function contentOf(path: string, entry: TreeEntry, contents: ReadonlyMap<string, Buffer>): SnapshotFile | undefined {
  if (!isFile(entry)) return undefined;
  const bytes = contents.get(entry.id);
  return entry.mode === SYMLINK ? { kind: "bad-link", target: String(bytes) } : fileOf(path, bytes);
}

/** Whether the oldest commit has a parent that the log did not show. A shallow clone need not be cut on this path. */
async function hasParent(repository: Repository, [oldest]: readonly RecordedCommit[], run: Run): Promise<boolean> {
  const { stdout } = await repository.git(["cat-file", "commit", oldest?.commit ?? "HEAD"], run);
  return /^tree .*\nparent /.test(stdout.toString("latin1"));
}
