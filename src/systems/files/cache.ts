import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "../../ports.ts";
import { problemText } from "../errno.ts";
import { makeFolder } from "./folder.ts";
import { replaceFile } from "./replaceFile.ts";

/** A cache of texts by key, in files of its own folder. */
interface FileCache {
  /** `undefined` for a text that does not exist or cannot be read. */
  read(key: string, run: Run): Promise<string | undefined>;
  /** Only logs a warning if the folder cannot be written. */
  write(key: string, text: string, run: Run): Promise<void>;
}

/** Caches texts in `folder`, which is created when there is something to keep. Keys are file names. */
export function fileCache(folder: string): FileCache {
  return {
    read: (key) => readFile(join(folder, key), "utf8").catch(() => undefined),
    write: async (key, text, run) => {
      try {
        await makeFolder(folder);
        replaceFile(join(folder, key), text);
      } catch (error) {
        if (!(error instanceof Error) || !("syscall" in error)) throw error;
        run.log.warn("results cannot be remembered", { folder, problem: problemText(error) });
      }
    },
  };
}
