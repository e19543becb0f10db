import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { Fault, type NamedFile, type NamedFiles, type Run } from "../../ports.ts";
import { isAbsent, problemText } from "../errno.ts";

/**
 * Files of this machine. Skips names in folders that begin with a dot, and links to folders, since they could be loops.
 */
export const namedFiles: NamedFiles = {
  read: readAll,
  readOne: async (path, run) => {
    // Files found in a folder have longer names.
    const file = (await readAll([path], run)).find(({ name }) => name === path);
    if (file !== undefined) return file;
    throw new Fault("CONFIGURATION", `${path} is a folder. Name a file in it.`);
  },
};

function readAll(paths: readonly string[], run: Run): Promise<readonly NamedFile[]> {
  return Promise.resolve().then(() => {
    const files = new Map<string, NamedFile>();
    for (const path of paths.flatMap(filesAt)) {
      run.signal.throwIfAborted();
      const known = attempt(path, () => realpathSync(path));
      if (!files.has(known)) files.set(known, { name: path, content: readWhole(path) });
    }
    return [...files.values()];
  });
}

/** More than any list of a control plane has, in bytes. Needed because a device may never end. */
const MOST_BYTES = 256 * 2 ** 20;
const CHUNK_BYTES = 2 ** 20;

/** Reads a file or a pipe. Throws CONFIGURATION if it does not end. */
function readWhole(path: string): Buffer {
  const file = attempt(path, () => openSync(path, "r"));
  try {
    const chunks: Buffer[] = [];
    for (let bytes = 0; bytes <= MOST_BYTES;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = attempt(path, () => readSync(file, chunk));
      if (read === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, read));
      bytes += read;
    }
  } finally {
    closeSync(file);
  }
  const most = `${MOST_BYTES / 2 ** 20} MiB`;
  throw new Fault("CONFIGURATION", `${path} has more than ${most}, or does not end. Name a smaller file.`);
}

function filesAt(path: string): readonly string[] {
  if (!attempt(path, () => statSync(path)).isDirectory()) return [path];
  const files = filesIn(path);
  if (files.length > 0) return files;
  throw new Fault(
    "CONFIGURATION",
    `There is no YAML or JSON file in ${path}. Name another folder, or the files themselves.`,
  );
}

function filesIn(folder: string): readonly string[] {
  const entries = attempt(folder, () => readdirSync(folder, { withFileTypes: true }));
  return entries
    .filter(({ name }) => !name.startsWith("."))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      return /\.(ya?ml|json)$/i.test(entry.name) && isFile(path, entry) ? [path] : [];
    });
}

function isFile(path: string, entry: Dirent): boolean {
  return entry.isFile() || (entry.isSymbolicLink() && attempt(path, () => statSync(path)).isFile());
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (isAbsent(cause))
      throw new Fault("CONFIGURATION", `There is no file or folder ${path}. Name one that exists.`, { cause });
    throw new Fault("FILE_UNREADABLE", `${path} cannot be read: ${problemText(cause)}.`, { cause });
  }
}
