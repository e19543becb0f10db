import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../files/folder.ts";
import type { Run } from "../../ports.ts";
import { replaceFile } from "../files/replaceFile.ts";

/** The times of requests that create content, including those of earlier runs. */
export interface WriteAccount {
  /** The requests of the last hour, oldest first. Unix milliseconds. */
  lastHour(nowMs: number): Promise<readonly number[]>;
  /** Adds a request. If the file cannot be written, logs that once and continues in memory. */
  add(atMs: number, run: Run): Promise<void>;
}

/** The period that the account covers. */
export const HOUR_MS = 3_600_000;

/** The file is truncated when it has more lines than this. */
const MOST_LINES = 5_000;

/**
 * The account at `folder`/`name.writes`, with one line per request. A line is added before its request is made, so that
 * a kill loses none, and concurrent runs count together. An unreadable file counts as empty: GitHub refuses excess
 * requests.
 */
export function openAccount(folder: string, name: string): WriteAccount {
  const file = join(folder, `${encodeURIComponent(name)}.writes`);
  let unwritten: number[] | undefined;
  const read = async (): Promise<readonly number[]> => {
    const text = await readFile(file, "utf8").catch(() => "");
    return [...text.split("\n").filter(Boolean).map(Number), ...(unwritten ?? [])];
  };
  return {
    // Ignores times in the future, which a wrong clock wrote.
    lastHour: async (nowMs) =>
      (await read()).filter((atMs) => atMs > nowMs - HOUR_MS && atMs <= nowMs).sort((a, b) => a - b),
    add: async (atMs, run) => {
      if (unwritten !== undefined) {
        unwritten.push(atMs);
        return;
      }
      try {
        const all = await read();
        if (all.length > MOST_LINES) replaceFile(file, `${all.slice(-MOST_LINES / 2).join("\n")}\n`, { mode: 0o600 });
        await makeFolder(folder);
        await appendFile(file, `${atMs}\n`, { mode: 0o600 });
      } catch (error) {
        if (!(error instanceof Error) || !("syscall" in error)) throw error;
        unwritten = [atMs];
        run.log.warn("requests cannot be counted for later runs", { folder, problem: error.message });
      }
    },
  };
}
