import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../files/folder.ts";
import type { Run } from "../../ports.ts";
import { replaceFile } from "../files/replaceFile.ts";

/** When requests that create content were made, also by earlier runs. */
export interface WriteAccount {
  /** Those of the last hour, oldest first. Unix milliseconds. */
  lastHour(nowMs: number): Promise<readonly number[]>;
  /** Adds one. A file that cannot be written is said once, and this run counts on without it. */
  add(atMs: number, run: Run): Promise<void>;
}

/** What the account is about. */
export const HOUR_MS = 3_600_000;

/** So many lines are left to stand before the file is written anew. */
const MOST_LINES = 5_000;

/**
 * The account at `folder`/`name.writes`: a line for each request, which is added before it is made, so that no kill loses
 * one, and two runs at once count for each other. What cannot be read counts as none: GitHub refuses what is too much.
 */
export function openAccount(folder: string, name: string): WriteAccount {
  const file = join(folder, `${encodeURIComponent(name)}.writes`);
  let unwritten: number[] | undefined;
  const read = async (): Promise<readonly number[]> => {
    const text = await readFile(file, "utf8").catch(() => "");
    return [...text.split("\n").filter(Boolean).map(Number), ...(unwritten ?? [])];
  };
  const write = async (atMs: number): Promise<void> => {
    const all = await read();
    if (all.length > MOST_LINES) replaceFile(file, all.slice(-MOST_LINES / 2).join("\n") + "\n");
    await makeFolder(folder);
    await appendFile(file, `${atMs}\n`, { mode: 0o600 });
  };
  return {
    // What a clock that was wrong wrote into the future holds nobody up.
    lastHour: async (nowMs) =>
      (await read()).filter((atMs) => atMs > nowMs - HOUR_MS && atMs <= nowMs).sort((a, b) => a - b),
    add: async (atMs, run) => {
      try {
        if (unwritten === undefined) await write(atMs);
        else unwritten.push(atMs);
      } catch (error) {
        if (!(error instanceof Error) || !("syscall" in error)) throw error;
        unwritten = [atMs];
        run.log.warn("requests cannot be counted for later runs", { folder, problem: error.message });
      }
    },
  };
}
