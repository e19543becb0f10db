import { mkdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../../ports.ts";
import { isFullDisk, problemText } from "../errno.ts";
import { isFolder } from "../process.ts";

/** What Go programs and the C library call a full disk. */
const FULL_DISK = /no space left on device|disk quota exceeded/i;

/** Makes the folder and those above it, readable by the user only. */
export async function makeFolder(folder: string): Promise<void> {
  for (const one of missingFolders(folder))
    await mkdir(one, { mode: 0o700 }).catch((error: unknown) => {
      throwUnlessFolder(one, error);
    });
}

/** The same at once; others may read it as far as the user's umask lets them. */
export function makeSharedFolder(folder: string): void {
  for (const one of missingFolders(folder))
    try {
      mkdirSync(one);
    } catch (error) {
      throwUnlessFolder(one, error);
    }
}

/**
 * What is to be made, from the top. It is made one by one: where nothing can be made, such as in /proc, the kernel says that
 * there is no such folder, and `recursive` of Node 24 then tries for ever, deaf to signals.
 */
function missingFolders(folder: string): readonly string[] {
  const parent = dirname(folder);
  return isFolder(folder) ? [] : [...(parent === folder ? [] : missingFolders(parent)), folder];
}

/** Another process may have been faster. */
function throwUnlessFolder(folder: string, error: unknown): void {
  if (!isFolder(folder)) throw error;
}

/** Whether the output of a program complains about a full disk. */
export function saysDiskFull(output: string): boolean {
  return FULL_DISK.test(output);
}

/** What to throw for an error that came up while `folder` was written: a Fault when the operating system refused. */
export function folderFault(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  if (isFullDisk(error)) return diskFull(folder, error);
  return new Fault(
    "FILE_UNREADABLE",
    `cannot write to ${folder}: ${problemText(error)}; make it writable or name another`,
    { cause: error },
  );
}

/** The Fault for a full disk under `folder`. */
export function diskFull(folder: string, cause?: Error): Fault {
  return new Fault("DISK_FULL", `the disk that holds ${folder} is full: free some space and run again`, { cause });
}
