import { mkdir } from "node:fs/promises";
import { Fault } from "../../ports.ts";
import { isFullDisk, problemText } from "../errno.ts";

/** What Go programs and the C library call a full disk. */
const FULL_DISK = /no space left on device|disk quota exceeded/i;

/** Makes the folder and those above it, readable by the user only. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
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
