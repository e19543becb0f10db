import { join } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import type { Binaries, BinariesProgress } from "./attempt.ts";
import { build } from "./build.ts";
import { binariesIn, cachedBinaries, fill, folderOf } from "./cache.ts";
import { download, sourceOf } from "./download.ts";
import { findOnPath, type Environment } from "../environment.ts";
import { folderFault, makeFolder } from "./folder.ts";
import { underLock } from "./lock.ts";
import { BUILT_VERSION, DOWNLOADED_VERSION, PROGRAMS } from "./releases.ts";

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
  if (binaries === undefined) throw new Fault("BINARIES_MISSING", `${cache} was emptied by somebody: run again`);
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
