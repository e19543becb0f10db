import { mkdtemp, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BinariesAttempt, Binaries } from "./attempt.ts";
import { folderFault, isExecutable, makeFolder } from "./folder.ts";
import { BUILT_VERSION, DOWNLOADED_VERSION, platformName, PROGRAMS } from "./releases.ts";

const PARTIAL = ".partial-";

/** Both programs in `folder`, or `undefined` unless both are there. */
export async function binariesIn(folder: string): Promise<Binaries | undefined> {
  const binaries = { etcd: join(folder, "etcd"), apiServer: join(folder, "kube-apiserver") };
  const found = await Promise.all(Object.values(binaries).map(isExecutable));
  return found.every(Boolean) ? binaries : undefined;
}

/** What an earlier run, of this or of another clone, has put into the cache. */
export async function cachedBinaries(cache: string): Promise<Binaries | undefined> {
  for (const version of [BUILT_VERSION, DOWNLOADED_VERSION]) {
    const binaries = await binariesIn(folderOf(cache, version));
    if (binaries !== undefined) return binaries;
  }
  return undefined;
}

/** The folder of one release for this platform. */
export function folderOf(cache: string, version: string): string {
  return join(cache, `kubernetes-${version}-${platformName()}`);
}

/**
 * Has `make` put both programs into a folder beside the wanted one, which is renamed only when it is complete and on
 * the disk: whatever happens, nothing half-written carries the name that others look for. Throws DISK_FULL.
 */
export async function fill(
  cache: string,
  version: string,
  make: (folder: string) => Promise<BinariesAttempt>,
): Promise<BinariesAttempt> {
  try {
    await makeFolder(cache);
    await removePartial(cache);
    const workspace = await mkdtemp(join(cache, PARTIAL));
    try {
      const folder = join(workspace, "programs");
      await makeFolder(folder);
      const attempt = await make(folder);
      if (attempt.made) await publish(folder, folderOf(cache, version));
      return attempt;
    } finally {
      await rm(workspace, { recursive: true, force: true });
    }
  } catch (error) {
    throw folderFault(error, cache);
  }
}

async function publish(folder: string, target: string): Promise<void> {
  for (const program of PROGRAMS) {
    const file = await open(join(folder, program), "r+");
    await file.chmod(0o755);
    await file.sync();
    await file.close();
  }
  if ((await binariesIn(target)) !== undefined) return; // somebody who took us for dead was faster
  await rm(target, { recursive: true, force: true });
  await rename(folder, target);
}

/** Only the holder of the lock fills, so what is left over belongs to somebody dead. */
async function removePartial(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (name.startsWith(PARTIAL)) await rm(join(cache, name), { recursive: true, force: true });
  }
}
