import { maxBytesOf, type SnapshotFile } from "../../document/snapshot.ts";
import { Fault, type Run, type Source } from "../../ports.ts";
import { isWithinRoots } from "../files/files.ts";
import { LinkFollower, SYMLINK, type LinkTarget, type TreeEntry } from "./link.ts";
import { isCommitName, type Repository } from "./repository.ts";

/**
 * One Git revision, read from the object store: nothing is checked out, and the working tree is not looked at. The
 * catalogue is the folder of `repository`, also within a larger repository. Throws REVISION_UNKNOWN.
 */
export function revisionSource(
  repository: Repository,
  revision: string,
  recent: RecentFiles = new RecentFiles(),
): Source {
  recent.begin();
  let known: Tree | undefined;
  const treeAt = async (run: Run): Promise<Tree> => {
    if (!isCommitName(revision)) return readTree(repository, await repository.resolve(revision, run), run);
    return (known ??= await readTree(repository, revision, run));
  };
  return {
    snapshot: async (wants, run) => {
      const { commit, entries, targets } = await treeAt(run);
      const chosen = [...entries].flatMap(([path, entry]): LinkedPath[] => {
        if (entry.mode !== SYMLINK) return wants(path) ? [[path, { kind: "file", entry }]] : [];
        const target = targets.get(path);
        return target !== undefined && (target.kind === "bad-link" || wants(path)) ? [[path, target]] : [];
      });
      // What is known now is held on to: another commit may be read meanwhile.
      const known = new Map(
        chosen.flatMap(([path, target]) => {
          const file = target.kind === "file" ? recent.find(target.entry, path) : undefined;
          return file === undefined ? [] : [[path, file] as const];
        }),
      );
      const missing = chosen.flatMap(([path, target]) =>
        target.kind === "file" && !known.has(path) ? [target.entry.id] : [],
      );
      const blobs = await readBlobs(repository, missing, run);
      const files = chosen.map(([path, target]): [string, SnapshotFile] => {
        if (target.kind !== "file") return [path, target];
        const file = known.get(path) ?? fileOf(path, blobs.get(target.entry.id));
        recent.keep(target.entry, path, file);
        return [path, file];
      });
      return { revision: commit, files: new Map(files) };
    },
  };
}

/** The files of the commits that were read last: what two of them share is one object, read once and parsed once. */
export class RecentFiles {
  #files = new Map<string, SnapshotFile>();
  #before: ReadonlyMap<string, SnapshotFile> = new Map();

  /** Another commit is read from now on: what only the one before this had is forgotten. */
  begin(): void {
    this.#before = this.#files;
    this.#files = new Map();
  }

  /** The file with this content at `path`, if it was read. */
  find({ id }: TreeEntry, path: string): SnapshotFile | undefined {
    const key = `${id} ${path}`;
    return this.#files.get(key) ?? this.#before.get(key);
  }

  /** Remembers a file that was read. */
  keep({ id }: TreeEntry, path: string, file: SnapshotFile): void {
    this.#files.set(`${id} ${path}`, file);
  }
}

/** The files and links of a commit. */
interface Tree {
  readonly commit: string;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly targets: ReadonlyMap<string, LinkTarget>;
}

async function readTree(repository: Repository, commit: string, run: Run): Promise<Tree> {
  const entries = await listTree(repository, commit, run);
  return { commit, entries, targets: await followLinks(repository, entries, run) };
}

type LinkedPath = readonly [path: string, target: LinkTarget];

/** Where each link leads that a catalogue could stand behind. */
async function followLinks(
  repository: Repository,
  entries: ReadonlyMap<string, TreeEntry>,
  run: Run,
): Promise<ReadonlyMap<string, LinkTarget>> {
  const links = [...entries].filter(([, { mode }]) => mode === SYMLINK);
  if (links.length === 0) return new Map();
  const texts = await readBlobs(
    repository,
    links.map(([, { id }]) => id),
    run,
  );
  const follower = new LinkFollower(entries, ({ id }) => String(texts.get(id)));
  return new Map(links.filter(([path]) => isWithinRoots(path)).map(([path]) => [path, follower.follow(path)]));
}

/** The mode of a submodule: a commit of another repository, which is not a file. */
export const SUBMODULE = "160000";

async function listTree(repository: Repository, commit: string, run: Run): Promise<ReadonlyMap<string, TreeEntry>> {
  const args = ["ls-tree", "-r", "-z", commit];
  const lines = await repository.fields(args, run).catch(async (error: unknown) => {
    // A commit that is not there is said to be so; whatever else it is, Git says itself.
    await repository.resolve(commit, run);
    throw error;
  });
  const entries = lines.map((line): [string, TreeEntry] => {
    const tab = line.indexOf("\t");
    const [mode = "", , id = ""] = line.slice(0, tab).split(" ");
    return [line.slice(tab + 1), { mode, id }];
  });
  return new Map(entries.filter(([, { mode }]) => mode !== SUBMODULE));
}

/** The content of each blob, in one process however many there are. */
export async function readBlobs(
  repository: Repository,
  ids: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  if (ids.length === 0) return blobs;
  const { stdout } = await repository.git(["cat-file", "--batch", "--buffer"], run, {
    input: `${[...new Set(ids)].join("\n")}\n`,
  });
  for (let at = 0; at < stdout.length;) {
    const headEnd = stdout.indexOf("\n", at);
    const [id = "", kind = "", size = "0"] = stdout.toString("utf8", at, headEnd).split(" ");
    if (kind !== "blob")
      throw new Fault("GIT_FAILED", `git cat-file: ${id} is ${kind}. The clone is not complete: git fetch.`);
    const end = headEnd + 1 + Number(size);
    blobs.set(id, stdout.subarray(headEnd + 1, end));
    at = end + 1;
  }
  return blobs;
}

/** The file at `path` with this content, unless it is larger than such a file may be. */
export function fileOf(path: string, bytes: Buffer = Buffer.of()): SnapshotFile {
  return bytes.length > maxBytesOf(path) ? { kind: "too-large", size: bytes.length } : { kind: "bytes", bytes };
}
