import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { Fault, type NamedFile, type NamedFiles, type Run } from "../../ports.ts";
import { isAbsent, problemText } from "../errno.ts";

/**
 * Files of this machine. In folders, names that begin with a dot are passed over, and links to folders, since they could
 * go round in circles.
 */
export const namedFiles: NamedFiles = {
  read: readAll,
  readOne: async (path, run) => {
    // Those of a folder have longer names.
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
      if (!files.has(known)) files.set(known, { name: path, content: attempt(path, () => readFileSync(path)) });
    }
    return [...files.values()];
  });
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
