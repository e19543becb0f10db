import { mkdtemp, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Run } from "../../ports.ts";
import { type Environment, isExecutable } from "../environment.ts";
import { folderFault, makeFolder } from "../files/folder.ts";
import { underLock } from "../files/lock.ts";
import type { BinariesAttempt, BinariesProgress } from "./releases.ts";

const PARTIAL = ".partial-";

/** The program cache that all clones of this user share. */
export function programCache(environment: Environment): string {
  return join(environment.cacheDir, "kyma-modules");
}

/** Whether `folder` has all these programs as executable files. */
export async function hasPrograms(folder: string, names: readonly string[]): Promise<boolean> {
  const found = await Promise.all(names.map((name) => isExecutable(join(folder, name))));
  return found.every(Boolean);
}

/**
 * Runs `work` as the only process that fills the cache. Throws DISK_FULL or FILE_UNREADABLE, and what `work` throws.
 */
export async function fillAlone<T>(
  cache: string,
  work: () => Promise<T>,
  progress: BinariesProgress,
  run: Run,
): Promise<T> {
  await makeFolder(cache).catch((error: unknown) => {
    throw folderFault(error, cache);
  });
  const onHeld = (): void => {
    progress(`another process is filling ${cache}: waiting for it`);
  };
  return underLock(join(cache, ".lock"), onHeld, work, run);
}

/**
 * Lets `make` put these programs into a folder beside `target`, and renames that to `target` only when it is complete
 * and on the disk: other processes never see a half-written folder. Throws DISK_FULL.
 */
export async function fill(
  target: string,
  names: readonly string[],
  make: (folder: string) => Promise<BinariesAttempt>,
): Promise<BinariesAttempt> {
  const cache = dirname(target);
  try {
    await makeFolder(cache);
    // Only the holder of the lock fills the cache, so partial folders are left from dead processes.
    const partial = (await readdir(cache)).filter((name) => name.startsWith(PARTIAL));
    for (const name of partial) await rm(join(cache, name), { recursive: true, force: true });
    const workspace = await mkdtemp(join(cache, PARTIAL));
    try {
      const folder = join(workspace, "programs");
      await makeFolder(folder);
      const attempt = await make(folder);
      if (attempt.made) await publish(folder, target, names);
      return attempt;
    } finally {
      await rm(workspace, { recursive: true, force: true });
    }
  } catch (error) {
    throw folderFault(error, cache);
  }
}

async function publish(folder: string, target: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const file = await open(join(folder, name), "r+");
    await file.chmod(0o755);
    await file.sync();
    await file.close();
  }
  if (await hasPrograms(target, names)) return; // a process that assumed this one dead was faster
  await rm(target, { recursive: true, force: true });
  await rename(folder, target);
}
