import { mkdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../../ports.ts";
import { isFullDisk, problemText } from "../errno.ts";
import { isFolder } from "../process.ts";

/** The messages of Go programs and the C library for a full disk. */
const FULL_DISK = /no space left on device|disk quota exceeded/i;

/** Creates the folder and its parents, readable by the user only. */
export async function makeFolder(folder: string): Promise<void> {
  for (const one of missingFolders(folder))
    await mkdir(one, { mode: 0o700 }).catch((error: unknown) => {
      throwUnlessFolder(one, error);
    });
}

/** Creates the folder and its parents synchronously, with the permissions of the user's umask. */
export function makeSharedFolder(folder: string): void {
  for (const one of missingFolders(folder))
    try {
      mkdirSync(one);
    } catch (error) {
      throwUnlessFolder(one, error);
    }
}

/**
 * The folders to create, from the top. They are created one by one: in places such as /proc the kernel reports ENOENT,
 * and `recursive` of Node 24 then retries endlessly and ignores signals.
 */
function missingFolders(folder: string): readonly string[] {
  const parent = dirname(folder);
  return isFolder(folder) ? [] : [...(parent === folder ? [] : missingFolders(parent)), folder];
}

/** Accepts that another process was faster. */
function throwUnlessFolder(folder: string, error: unknown): void {
  if (!isFolder(folder)) throw error;
}

/** Whether the output of a program reports a full disk. */
export function saysDiskFull(output: string): boolean {
  return FULL_DISK.test(output);
}

/** The error to throw after a failure to write `folder`: a fault if it is a system error, else the error itself. */
export function folderFault(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  if (isFullDisk(error)) return diskFull(folder, error);
  return new Fault(
    "FILE_UNREADABLE",
    `cannot write to ${folder}: ${problemText(error)}; make it writable or name another`,
    { cause: error },
  );
}

/** The fault for a full disk under `folder`. */
export function diskFull(folder: string, cause?: Error): Fault {
  return new Fault("DISK_FULL", `the disk that holds ${folder} is full: free some space and run again`, { cause });
}
