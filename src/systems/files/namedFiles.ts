import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import { ABSENT, problemText } from "../errno.ts";

/** A file that a person named, or that lies in a folder they named. */
export interface NamedFile {
  /** The path as it was named. */
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Reads files, and all files of folders that look like YAML or JSON, however deep; each file once. Names that begin with a
 * dot are passed over, and links to folders, since they could go round in circles.
 * Throws CONFIGURATION for a path that does not exist and a folder without such files, and FILE_UNREADABLE.
 */
export function readNamedFiles(paths: readonly string[], run: Run): Promise<readonly NamedFile[]> {
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
    if (cause instanceof Error && "code" in cause && ABSENT.has(cause.code))
      throw new Fault("CONFIGURATION", `There is no file or folder ${path}. Name one that exists.`, { cause });
    throw new Fault("FILE_UNREADABLE", `${path} cannot be read: ${problemText(cause)}.`, { cause });
  }
}
