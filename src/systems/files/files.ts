import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from "node:fs";
import { relative, sep } from "node:path";
import { maxBytesOf, type SnapshotFile } from "../../document/snapshot.ts";
import { Fault, type Source } from "../../ports.ts";
import { isAbsent, problemText } from "../errno.ts";

/** The folders and files of a repository that a catalogue can stand in. */
const ROOTS: readonly string[] = ["kyma-modules.yaml", "channels", "modules", ".github"];

/** Whether a catalogue could stand at `path`; links elsewhere are nobody's business. */
export function isWithinRoots(path: string): boolean {
  return ROOTS.includes(path.split("/", 1)[0] ?? "");
}

/**
 * A directory as it lies there. Files that vanish while they are read (an editor that saves) count as absent.
 *
 * It reads synchronously: ten thousand small files take 0.3 s that way, and twice as long through promises.
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
  const entries = attempt(root, () => readdirSync(root, { withFileTypes: true })) ?? [];
  return entries
    .filter(({ name }) => isWithinRoots(name))
    .flatMap((entry) => readEntry(root, entry.name, entry, wants));
}

function readEntry(
  root: string,
  name: string,
  entry: Dirent,
  wants: (path: string) => boolean,
): readonly [string, SnapshotFile][] {
  const path = `${root}${sep}${name}`;
  if (entry.isDirectory()) {
    const entries = attempt(path, () => readdirSync(path, { withFileTypes: true })) ?? [];
    return entries.flatMap((child) => readEntry(root, `${name}/${child.name}`, child, wants));
  }
  if (entry.isSymbolicLink()) {
    const content = readLink(root, path, wants(name) ? maxBytesOf(name) : undefined);
    return content === undefined ? [] : [[name, content]];
  }
  if (!entry.isFile() || !wants(name)) return [];
  const content = readContent(path, maxBytesOf(name));
  return content === undefined ? [] : [[name, content]];
}

function readContent(path: string, maxBytes: number): SnapshotFile | undefined {
  const size = attempt(path, () => statSync(path).size);
  if (size === undefined) return undefined;
  if (size > maxBytes) return { kind: "too-large", size };
  const bytes = attempt(path, () => readFileSync(path));
  return bytes && { kind: "bytes", bytes };
}

/** `undefined` for `maxBytes` reads nothing. Links within the repository are followed; those to folders are not, since they could go round in circles. */
function readLink(root: string, path: string, maxBytes: number | undefined): SnapshotFile | undefined {
  const target = attempt(path, () => realpathSync(path));
  const stats = target === undefined ? undefined : attempt(path, () => statSync(target));
  if (target === undefined || stats === undefined) return { kind: "bad-link", target: NO_FILE };
  if (target !== root && !target.startsWith(root + sep)) return { kind: "bad-link", target };
  if (stats.isDirectory()) return { kind: "bad-link", target: folderText(relative(root, target)) };
  // A pipe, for instance: reading it would wait for ever.
  if (!stats.isFile()) return { kind: "bad-link", target: `${relative(root, target)}, which is not a file` };
  return maxBytes === undefined ? undefined : readContent(target, maxBytes);
}

/** How messages call what a link leads to, where that is not a file. */
export const NO_FILE = "a file that does not exist";

/** How messages call a folder of the repository that a link leads to. */
export function folderText(path: string): string {
  return path === "" ? "the whole repository" : `the folder ${path}`;
}

/** `undefined` when there is no such file; any other failure is a Fault. */
function attempt<T>(path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw new Fault("FILE_UNREADABLE", `${path} cannot be read: ${problemText(cause)}.`, { cause });
  }
}
