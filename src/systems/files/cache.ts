import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "../../ports.ts";
import { problemText } from "../errno.ts";
import { makeFolder } from "./folder.ts";
import { replaceFile } from "./replaceFile.ts";

/** A cache of texts by key, in files. */
export interface FileCache {
  /** `undefined` for a text that does not exist or cannot be read. */
  read(key: string): Promise<string | undefined>;
  /** Writes each text whole or not at all. Only logs a warning if the folder cannot be written. */
  write(texts: ReadonlyMap<string, string>, run: Run): Promise<void>;
}

interface FileCacheOptions {
  /** What a run loses if the folder cannot be written, as the warning names it. */
  readonly what: string;
  /** Maximum of files in the folder, which then is the cache's alone; the oldest are removed first. */
  readonly most?: number;
}

/** Share of the files that is removed at a time, so that not every run has to read the ages of all files. */
const SPARE = 1 / 8;

/** Caches texts in `folder`, which is created when there is something to keep. Keys are file names. */
export function fileCache(folder: string, { what, most = Infinity }: FileCacheOptions): FileCache {
  return {
    read: (key) => readFile(join(folder, key), "utf8").catch(() => undefined),
    write: async (texts, run) => {
      if (texts.size === 0) return;
      try {
        await makeFolder(folder);
        for (const [key, text] of texts) replaceFile(join(folder, key), text, { mode: 0o600, flush: false });
        if (most < Infinity) await forget(folder, most);
      } catch (error) {
        if (!(error instanceof Error) || !("syscall" in error)) throw error;
        run.log.warn(`${what} cannot be remembered`, { folder, problem: problemText(error) });
      }
    },
  };
}

/** Removes the oldest files, including temporary files of killed runs, when there are too many. */
async function forget(folder: string, most: number): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= most) return;
  const ages = await Promise.all(
    names.map(async (name) => {
      // Another process may have removed it: then it is as old as can be.
      const written = stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      return { name, writtenMs: await written };
    }),
  );
  const oldest = ages.toSorted((one, other) => one.writtenMs - other.writtenMs);
  const surplus = names.length - Math.floor(most * (1 - SPARE));
  for (const { name } of oldest.slice(0, surplus)) await rm(join(folder, name), { force: true });
}
