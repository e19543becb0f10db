import { realpathSync, statSync, writeFileSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import { isFullDisk, problemText } from "../errno.ts";
import { replaceFile } from "./replaceFile.ts";

/**
 * Checks, before any work is done, that reports can be written.
 * Throws CONFIGURATION if the folder is missing or the file is a folder, FILE_UNREADABLE if that is unknown.
 */
export function checkReportFiles(paths: readonly string[]): void {
  for (const path of paths) {
    const folder = attempt(path, () => statSync(dirname(path), { throwIfNoEntry: false }));
    if (folder?.isDirectory() !== true) {
      throw new Fault(
        "CONFIGURATION",
        `There is no folder ${dirname(path)} for ${path}. Create it, or name another file.`,
      );
    }
    if (fileStats(path)?.isDirectory() === true) {
      throw new Fault("CONFIGURATION", `${path} is a folder. Name a file in it.`);
    }
  }
}

/**
 * Writes reports by path, each atomically. An abort stops between two files.
 * Throws as `checkReportFiles` does, DISK_FULL, and FILE_UNREADABLE if a file cannot be written.
 */
export async function writeReports(files: ReadonlyMap<string, string>, run: Run): Promise<void> {
  checkReportFiles([...files.keys()]);
  for (const [path, text] of files) {
    // Lets signals be handled: the writes themselves are synchronous.
    await Promise.resolve();
    run.signal.throwIfAborted();
    attempt(path, () => {
      write(path, text);
    });
  }
}

function write(path: string, text: string): void {
  const stats = fileStats(path);
  // Write to a pipe or /dev/stderr: a rename would replace it by a file.
  if (stats !== undefined && !stats.isFile()) {
    writeFileSync(path, text);
    return;
  }
  // Replace the file behind a link, not the link.
  const target = stats === undefined ? path : realpathSync(path);
  replaceFile(target, text);
}

function fileStats(path: string): Stats | undefined {
  return attempt(path, () => statSync(path, { throwIfNoEntry: false }));
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw isFullDisk(cause)
      ? new Fault(
          "DISK_FULL",
          `The disk is full: ${path} was not written. Free some space and run the command again.`,
          { cause },
        )
      : new Fault("FILE_UNREADABLE", `${path} cannot be written: ${problemText(cause)}.`, { cause });
  }
}
