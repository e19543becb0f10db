import { realpathSync, statSync, writeFileSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import { isFullDisk, problemText } from "../errno.ts";
import { replaceFile } from "./replaceFile.ts";

/**
 * Refuses, before any work is done, files that no report can be written into.
 * Throws CONFIGURATION where the folder is missing or the file is a folder, FILE_UNREADABLE where that is unknown.
 */
export function checkReportFiles(paths: readonly string[]): void {
  for (const path of paths) {
    const folder = attempt(path, () => statSync(dirname(path), { throwIfNoEntry: false }));
    if (folder?.isDirectory() !== true) {
      throw new Fault(
        "CONFIGURATION",
        `There is no folder ${dirname(path)} for ${path}. Make it, or name another file.`,
      );
    }
    if (statsOf(path)?.isDirectory() === true) {
      throw new Fault("CONFIGURATION", `${path} is a folder. Name a file in it.`);
    }
  }
}

/**
 * Writes reports by path, each as a whole or not at all. An abort stops between two files.
 * Throws as `checkReportFiles` does, DISK_FULL, and FILE_UNREADABLE where a file cannot be written.
 */
export async function writeReports(files: ReadonlyMap<string, string>, run: Run): Promise<void> {
  checkReportFiles([...files.keys()]);
  for (const [path, text] of files) {
    // Lets a signal in: the writes themselves are synchronous.
    await Promise.resolve();
    run.signal.throwIfAborted();
    attempt(path, () => {
      write(path, text);
    });
  }
}

function write(path: string, text: string): void {
  const stats = statsOf(path);
  // A pipe or /dev/stderr is written to; a rename would put a file in its place.
  if (stats !== undefined && !stats.isFile()) {
    writeFileSync(path, text);
    return;
  }
  // The file behind a link, not the link, is replaced.
  const target = stats === undefined ? path : realpathSync(path);
  replaceFile(target, text);
}

function statsOf(path: string): Stats | undefined {
  return attempt(path, () => statSync(path, { throwIfNoEntry: false }));
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw isFullDisk(cause)
      ? new Fault("DISK_FULL", `The disk is full: ${path} was not written. Make room and run it again.`, { cause })
      : new Fault("FILE_UNREADABLE", `${path} cannot be written: ${problemText(cause)}.`, { cause });
  }
}
