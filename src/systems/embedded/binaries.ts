import { mkdtemp, open, readdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import { type Environment, findOnPath, isExecutable } from "../environment.ts";
import { build } from "./build.ts";
import { download, sourceOf } from "./download.ts";
import { folderFault, makeFolder } from "../files/folder.ts";
import { underLock } from "../files/lock.ts";
import {
  type Binaries,
  type BinariesAttempt,
  type BinariesProgress,
  BUILT_VERSION,
  DOWNLOADED_VERSION,
  platformName,
  PROGRAMS,
} from "./releases.ts";

/**
 * Finds etcd and kube-apiserver: in `KUBEBUILDER_ASSETS`, in the cache, by download, by a build with Go, in this order.
 * A download takes as long as the line needs, a build about three minutes; both are kept in the cache for every clone.
 * Throws CONFIGURATION when `KUBEBUILDER_ASSETS` does not hold them, BINARIES_MISSING when no way leads to them,
 * DISK_FULL or FILE_UNREADABLE when the cache cannot be written.
 */
export async function findBinaries(environment: Environment, progress: BinariesProgress, run: Run): Promise<Binaries> {
  if (environment.assets !== undefined) return fromAssets(environment.assets);
  const cache = join(environment.cacheDir, "kyma-modules");
  return (await cachedBinaries(cache)) ?? (await fillOnce(cache, environment, progress, run));
}

async function fromAssets(assets: string): Promise<Binaries> {
  const binaries = await binariesIn(assets);
  if (binaries !== undefined) return binaries;
  const wanted = PROGRAMS.join(" and ");
  throw new Fault(
    "CONFIGURATION",
    `KUBEBUILDER_ASSETS is ${assets}, but ${wanted} are not both there as programs that you may run: ` +
      "put them there, or unset the variable so that they are looked for elsewhere",
  );
}

async function fillOnce(
  cache: string,
  environment: Environment,
  progress: BinariesProgress,
  run: Run,
): Promise<Binaries> {
  await makeFolder(cache).catch((error: unknown) => {
    throw folderFault(error, cache);
  });
  const onHeld = (): void => {
    progress(`another process is filling ${cache}: waiting for it`);
  };
  const work = async (): Promise<Binaries> =>
    (await cachedBinaries(cache)) ?? (await fillAnyhow(cache, environment, progress, run));
  return underLock(join(cache, ".lock"), onHeld, work, run);
}

async function fillAnyhow(
  cache: string,
  environment: Environment,
  progress: BinariesProgress,
  run: Run,
): Promise<Binaries> {
  const downloaded = await fill(cache, DOWNLOADED_VERSION, (folder) => download(folder, environment, progress, run));
  if (!downloaded.made) {
    const canBuild = (await findOnPath("go", environment.variables)) !== undefined;
    progress(`no download of etcd and kube-apiserver: ${downloaded.why}${canBuild ? "; building them instead" : ""}`);
    const built = await fill(cache, BUILT_VERSION, (folder) => build(folder, environment, progress, run));
    if (!built.made) throw missing(cache, environment, downloaded.why, built.why);
  }
  const binaries = await cachedBinaries(cache);
  if (binaries === undefined) throw new Fault("BINARIES_MISSING", `${cache} was emptied meanwhile: run again`);
  return binaries;
}

function missing(cache: string, environment: Environment, whyNoDownload: string, whyNoBuild: string): Fault {
  const wanted = PROGRAMS.join(" and ");
  return new Fault(
    "BINARIES_MISSING",
    `no ${wanted} to run a control plane with: set KUBEBUILDER_ASSETS to a folder that has both, ` +
      `or put them into ${folderOf(cache, BUILT_VERSION)}, ` +
      `or let me download them from ${sourceOf(environment).base} (${whyNoDownload}), ` +
      `or install Go 1.26 or newer so that I can build them (${whyNoBuild})`,
  );
}

const PARTIAL = ".partial-";

/** The absolute paths of both programs in `folder`, or `undefined` unless both are there. */
async function binariesIn(folder: string): Promise<Binaries | undefined> {
  const binaries = { etcd: resolve(folder, "etcd"), apiServer: resolve(folder, "kube-apiserver") };
  const found = await Promise.all(Object.values(binaries).map(isExecutable));
  return found.every(Boolean) ? binaries : undefined;
}

/** What an earlier run, of this or of another clone, has put into the cache. */
async function cachedBinaries(cache: string): Promise<Binaries | undefined> {
  for (const version of [BUILT_VERSION, DOWNLOADED_VERSION]) {
    const binaries = await binariesIn(folderOf(cache, version));
    if (binaries !== undefined) return binaries;
  }
  return undefined;
}

/** The folder of one release for this platform. */
function folderOf(cache: string, version: string): string {
  return join(cache, `kubernetes-${version}-${platformName()}`);
}

/**
 * Has `make` put both programs into a folder beside the wanted one, which is renamed only when it is complete and on
 * the disk: whatever happens, nothing half-written carries the name that others look for. Throws DISK_FULL.
 */
async function fill(
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
