import { maxBytesOf, type SnapshotFile } from "../../document/snapshot.ts";
import type { Run, Source } from "../../ports.ts";
import { isWithinRoots } from "../files/files.ts";
import { LinkFollower, SYMLINK, type LinkTarget, type TreeEntry } from "./link.ts";
import { isCommitName, type Repository } from "./repository.ts";

/**
 * One Git revision, read from the object store without a checkout and independent of the working tree. The catalogue is
 * the folder of `repository`, also within a larger repository. Throws REVISION_UNKNOWN.
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
      // Keep references to known files: reading another commit meanwhile may remove them from `recent`.
      const known = new Map(
        chosen.flatMap(([path, target]) => {
          const file = target.kind === "file" ? recent.find(target.entry, path) : undefined;
          return file === undefined ? [] : [[path, file] as const];
        }),
      );
      const missing = chosen.flatMap(([path, target]) =>
        target.kind === "file" && !known.has(path) ? [target.entry.id] : [],
      );
      const blobs = await repository.objects.blobs(missing, run);
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

/** A cache of the files of the last commits: a file that commits share is one object, read once and parsed once. */
export class RecentFiles {
  #files = new Map<string, SnapshotFile>();
  #before: ReadonlyMap<string, SnapshotFile> = new Map();

  /** Begins another commit, and drops files that only the commit before the previous one used. */
  begin(): void {
    this.#before = this.#files;
    this.#files = new Map();
  }

  /** The cached file with this content at `path`, if any. */
  find({ id }: TreeEntry, path: string): SnapshotFile | undefined {
    const key = `${id} ${path}`;
    return this.#files.get(key) ?? this.#before.get(key);
  }

  /** Caches a file. */
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

/** The target of each link that can be part of a catalogue. */
async function followLinks(
  repository: Repository,
  entries: ReadonlyMap<string, TreeEntry>,
  run: Run,
): Promise<ReadonlyMap<string, LinkTarget>> {
  const links = [...entries].filter(([, { mode }]) => mode === SYMLINK);
  if (links.length === 0) return new Map();
  const ids = links.map(([, { id }]) => id);
  const texts = await repository.objects.blobs(ids, run);
  const follower = new LinkFollower(entries, ({ id }) => String(texts.get(id)));
  return new Map(links.filter(([path]) => isWithinRoots(path)).map(([path]) => [path, follower.follow(path)]));
}

/** The mode of a submodule: a commit of another repository, which is not a file. */
export const SUBMODULE = "160000";

async function listTree(repository: Repository, commit: string, run: Run): Promise<ReadonlyMap<string, TreeEntry>> {
  const args = ["ls-tree", "-r", "-z", commit];
  const lines = await repository.fields(args, run).catch(async (error: unknown) => {
    // Reports a missing commit as such; for any other failure the message of Git remains.
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

/** The file at `path` with this content, or `too-large` if it exceeds the limit of its path. */
export function fileOf(path: string, bytes: Buffer = Buffer.of()): SnapshotFile {
  return bytes.length > maxBytesOf(path) ? { kind: "too-large", size: bytes.length } : { kind: "bytes", bytes };
}
