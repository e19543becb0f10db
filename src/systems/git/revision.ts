import { isCommitName } from "../../document/commitName.ts";
import { nameText } from "../../document/fileName.ts";
import { fileSizeLimit, type SnapshotFile } from "../../document/snapshot.ts";
import type { Run, Source } from "../../ports.ts";
import { isWithinRoots } from "../files/files.ts";
import { FOLDER, LinkFollower, SUBMODULE, SYMLINK, type LinkTarget, type TreeEntry } from "./link.ts";
import type { Tree } from "./objects.ts";
import type { Repository } from "./repository.ts";

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
  let known: CommitFiles | undefined;
  const filesAt = async (run: Run): Promise<CommitFiles> => {
    if (!isCommitName(revision)) return readFiles(repository, await repository.resolve(revision, run), run);
    return (known ??= await readFiles(repository, revision, run));
  };
  return {
    snapshot: async (wants, run) => {
      const { commit, entries, targets } = await filesAt(run);
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
        const file = known.get(path) ?? blobFile(path, blobs.get(target.entry.id));
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
interface CommitFiles {
  readonly commit: string;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly targets: ReadonlyMap<string, LinkTarget>;
}

async function readFiles(repository: Repository, commit: string, run: Run): Promise<CommitFiles> {
  const entries = await listTree(repository, commit, run);
  return { commit, entries, targets: await followLinks(repository, entries, run) };
}

/** The target of each link of a commit that can be part of a catalogue. Throws GIT_FAILED. */
export async function linkTargets(
  repository: Repository,
  commit: string,
  run: Run,
): Promise<ReadonlyMap<string, LinkTarget>> {
  return (await readFiles(repository, commit, run)).targets;
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

/** The files and links below the folder of `repository`, by path, in the order of their paths. */
async function listTree(repository: Repository, commit: string, run: Run): Promise<ReadonlyMap<string, TreeEntry>> {
  const top = await topTree(repository, commit, run).catch(async (error: unknown) => {
    // Reports a missing commit as such; for any other failure the message of Git remains.
    await repository.resolve(commit, run);
    throw error;
  });
  const found: (readonly [string, TreeEntry])[] = [];
  for (let level = pathsIn("", top); level.length > 0;) {
    for (const entry of level) if (entry[1].mode !== FOLDER && entry[1].mode !== SUBMODULE) found.push(entry);
    const folders = level.filter(([, { mode }]) => mode === FOLDER);
    const ids = folders.map(([, { id }]) => id);
    const trees = await repository.objects.trees(ids, run);
    level = folders.flatMap(([path, { id }]) => pathsIn(`${path}/`, trees.get(id)));
  }
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function pathsIn(folder: string, tree: Tree | undefined): readonly (readonly [string, TreeEntry])[] {
  return (tree?.entries ?? []).map((entry) => [folder + nameText(entry.name), entry]);
}

/** The folder of `repository`; `undefined` if the commit does not have it. */
async function topTree(repository: Repository, commit: string, run: Run): Promise<Tree | undefined> {
  let top = await repository.objects.tree(`${commit}^{tree}`, run);
  for (const part of (await repository.prefix(run)).split("/").slice(0, -1)) {
    const folder = top.entries.find(({ mode, name }) => mode === FOLDER && nameText(name) === part);
    if (folder === undefined) return undefined;
    top = await repository.objects.tree(folder.id, run);
  }
  return top;
}

/** The file at `path` with this content, or `too-large` if it exceeds the limit of its path. */
export function blobFile(path: string, bytes: Buffer = Buffer.of()): SnapshotFile {
  return bytes.length > fileSizeLimit(path) ? { kind: "too-large", size: bytes.length } : { kind: "bytes", bytes };
}
