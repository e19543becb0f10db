import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from "node:fs";
import { relative, sep } from "node:path";
import { nameBytes, nameText } from "../../document/fileName.ts";
import { fileSizeLimit, type SnapshotFile } from "../../document/snapshot.ts";
import { Fault, type Source } from "../../ports.ts";
import { isAbsent, problemText } from "../errno.ts";

/** The top-level files and folders that can be part of a catalogue. */
const ROOTS: readonly string[] = ["kyma-modules.yaml", "channels", "modules", ".github"];

/** Whether `path` can be part of a catalogue; links outside of it are ignored. */
export function isWithinRoots(path: string): boolean {
  return ROOTS.includes(path.split("/", 1)[0] ?? "");
}

/**
 * A working directory. Files that vanish while they are read (an editor that saves) count as absent.
 *
 * It reads synchronously: ten thousand small files take 0.3 s that way, and twice as long with promises.
 */
export function directorySource(directory: string): Source {
  return {
    snapshot: (wants, run) => {
      run.signal.throwIfAborted();
      return Promise.resolve().then(() => ({ revision: undefined, files: new Map(readTree(directory, wants)) }));
    },
  };
}

function readTree(directory: string, wants: (path: string) => boolean): readonly [string, SnapshotFile][] {
  const root = attempt(directory, () => realpathSync(directory));
  if (root === undefined || !statSync(root).isDirectory())
    throw new Fault("CONFIGURATION", `There is no folder ${directory}. Name another: --repo DIR.`);
  return entriesIn(root)
    .filter(({ name }) => isWithinRoots(name))
    .flatMap(({ name, entry }) => readEntry(root, name, entry, wants));
}

/** What a folder contains. */
interface DirectoryEntry {
  /** See `nameText`. */
  readonly name: string;
  readonly entry: Pick<Dirent, "isDirectory" | "isFile" | "isSymbolicLink">;
}

/** What Node puts in place of bytes that are not UTF-8: it would not find such a file again. */
const LOST = "\ufffd";

function entriesIn(folder: string): readonly DirectoryEntry[] {
  const path = nativePath(folder);
  const entries = attempt(folder, () => readdirSync(path, { withFileTypes: true })) ?? [];
  if (!entries.some(({ name }) => name.includes(LOST))) return entries.map((entry) => ({ name: entry.name, entry }));
  const exact = attempt(folder, () => readdirSync(path, { withFileTypes: true, encoding: "buffer" })) ?? [];
  return exact.map((entry) => ({ name: nameText(entry.name), entry }));
}

/** The path for the operating system. */
function nativePath(path: string): string | Buffer {
  return path.isWellFormed() ? path : nameBytes(path);
}

function readEntry(
  root: string,
  name: string,
  entry: DirectoryEntry["entry"],
  wants: (path: string) => boolean,
): readonly [string, SnapshotFile][] {
  const path = `${root}${sep}${name}`;
  if (entry.isDirectory()) {
    return entriesIn(path).flatMap((child) => readEntry(root, `${name}/${child.name}`, child.entry, wants));
  }
  if (entry.isSymbolicLink()) {
    const content = readLink(root, path, wants(name) ? fileSizeLimit(name) : undefined);
    return content === undefined ? [] : [[name, content]];
  }
  if (!entry.isFile() || !wants(name)) return [];
  const content = readContent(path, fileSizeLimit(name));
  return content === undefined ? [] : [[name, content]];
}

function readContent(path: string, maxBytes: number): SnapshotFile | undefined {
  const size = attempt(path, () => statSync(nativePath(path)).size);
  if (size === undefined) return undefined;
  if (size > maxBytes) return { kind: "too-large", size };
  const bytes = attempt(path, () => readFileSync(nativePath(path)));
  return bytes && { kind: "bytes", bytes };
}

/**
 * Follows a link within the repository, but not to a folder, since that could be a loop. Reads nothing if `maxBytes` is
 * `undefined`.
 */
function readLink(root: string, path: string, maxBytes: number | undefined): SnapshotFile | undefined {
  const target = attempt(path, () => nameText(realpathSync.native(nativePath(path), "buffer")));
  const stats = target === undefined ? undefined : attempt(path, () => statSync(nativePath(target)));
  if (target === undefined || stats === undefined) return { kind: "bad-link", target: NO_FILE };
  if (target !== root && !target.startsWith(root + sep)) return { kind: "bad-link", target };
  if (stats.isDirectory()) return { kind: "bad-link", target: folderText(relative(root, target)) };
  // Reading a pipe, for instance, would never end.
  if (!stats.isFile()) return { kind: "bad-link", target: `${relative(root, target)}, which is not a file` };
  return maxBytes === undefined ? undefined : readContent(target, maxBytes);
}

/** The text for a link target that does not exist. */
export const NO_FILE = "a file that does not exist";

/** The text for a link target that is a folder of the repository. */
export function folderText(path: string): string {
  return path === "" ? "the whole repository" : `the folder ${path}`;
}

/** `undefined` if the file does not exist; throws a fault for any other failure. */
function attempt<T>(path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw new Fault("FILE_UNREADABLE", `${path} cannot be read: ${problemText(cause)}.`, { cause });
  }
}
