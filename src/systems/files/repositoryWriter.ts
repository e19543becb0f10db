import { existsSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { makeSharedFolder } from "./folder.ts";
import { Fault, type Run, type Source } from "../../ports.ts";
import { directorySource } from "./files.ts";
import { isFullDisk, problemText } from "../errno.ts";
import { isFolder } from "../process.ts";
import { replaceFile } from "./replaceFile.ts";

/** The files of a repository that may not exist yet; then there are none. */
export function fillableSource(directory: string): Source {
  return existsSync(directory)
    ? directorySource(directory)
    : { snapshot: () => Promise.resolve({ revision: undefined, files: new Map() }) };
}

/**
 * Writes files into a repository in the given order, each atomically. Creates folders as needed.
 * An abort stops between two files. Throws DISK_FULL, and FILE_UNREADABLE if the folder cannot be written.
 */
export async function writeRepository(
  directory: string,
  files: ReadonlyMap<string, string | Uint8Array>,
  run: Run,
): Promise<void> {
  for (const [path, content] of files) {
    // Lets signals be handled: the writes themselves are synchronous.
    await Promise.resolve();
    run.signal.throwIfAborted();
    const target = join(directory, path);
    attempt(target, () => {
      makeSharedFolder(dirname(target));
      refuseOutside(directory, target);
      replaceFile(target, content);
    });
  }
}

/** Writes files into a folder that need not exist. Throws CONFIGURATION if it is a file. */
export async function writeFolder(folder: string, files: ReadonlyMap<string, string>, run: Run): Promise<void> {
  if (existsSync(folder) && !isFolder(folder))
    throw new Fault("CONFIGURATION", `${folder} is not a folder. Name another one.`);
  attempt(folder, () => {
    makeSharedFolder(folder);
  });
  await writeRepository(folder, files, run);
}

/** Refuses to write through a folder that is a link out of the repository. */
function refuseOutside(directory: string, target: string): void {
  const root = realpathSync(directory);
  const folder = realpathSync(dirname(target));
  if (folder === root || folder.startsWith(root + sep)) return;
  throw new Fault(
    "CONFIGURATION",
    `${target} is behind a link that leads out of the repository. Replace the link with a folder.`,
  );
}

function attempt(path: string, act: () => void): void {
  try {
    act();
  } catch (cause) {
    if (cause instanceof Fault || !(cause instanceof Error)) throw cause;
    throw isFullDisk(cause)
      ? new Fault(
          "DISK_FULL",
          `The disk is full: ${path} was not written. Free some space and run the command again; files written so far are complete.`,
          { cause },
        )
      : new Fault("FILE_UNREADABLE", `${path} cannot be written: ${problemText(cause)}.`, { cause });
  }
}
