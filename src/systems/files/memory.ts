import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "../../ports.ts";
import { problemText } from "../errno.ts";
import { makeFolder } from "./folder.ts";
import { replaceFile } from "./replaceFile.ts";

/** Texts by key, in files of a folder of its own. */
export interface FileMemory {
  /** `undefined` for a text that is not there, or cannot be read. */
  read(key: string, run: Run): Promise<string | undefined>;
  /** A folder that cannot be written costs time later, and no more. */
  write(key: string, text: string, run: Run): Promise<void>;
}

/** Remembers texts in `folder`, which is made when there is something to keep. Keys are names of files. */
export function fileMemory(folder: string): FileMemory {
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
