import { join, resolve } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import { type Environment, findOnPath } from "../environment.ts";
import { build } from "./build.ts";
import { download, downloadSource } from "./download.ts";
import { programCache, fill, fillAlone, hasPrograms } from "./programCache.ts";
import {
  type Binaries,
  type BinariesProgress,
  BUILT_VERSION,
  DOWNLOADED_VERSION,
  platformName,
  PROGRAMS,
} from "./releases.ts";

/** The Go packages of both programs; they take about three minutes to build. */
const PACKAGES = ["k8s.io/kubernetes/cmd/kube-apiserver", "go.etcd.io/etcd/server/v3"];

/**
 * Finds etcd and kube-apiserver: in `KUBEBUILDER_ASSETS`, in the cache, by download, or by a build with Go, in this
 * order. A build takes about three minutes. Downloads and builds go to the cache, which all clones share. Throws
 * CONFIGURATION when `KUBEBUILDER_ASSETS` does not have them, BINARIES_MISSING when every way fails, DISK_FULL or
 * FILE_UNREADABLE when the cache cannot be written.
 */
export async function findBinaries(environment: Environment, progress: BinariesProgress, run: Run): Promise<Binaries> {
  if (environment.assets !== undefined) return fromAssets(environment.assets);
  const cache = programCache(environment);
  const cached = await cachedBinaries(cache);
  if (cached !== undefined) return cached;
  return fillAlone(
    cache,
    async () => (await cachedBinaries(cache)) ?? (await fillAnyhow(cache, environment, progress, run)),
    progress,
    run,
  );
}

async function fromAssets(assets: string): Promise<Binaries> {
  const binaries = await binariesIn(assets);
  if (binaries !== undefined) return binaries;
  const wanted = PROGRAMS.join(" and ");
  throw new Fault(
    "CONFIGURATION",
    `KUBEBUILDER_ASSETS is ${assets}, but that folder does not have both ${wanted} as executable files: ` +
      "put them there, or unset the variable to search elsewhere",
  );
}

async function fillAnyhow(
  cache: string,
  environment: Environment,
  progress: BinariesProgress,
  run: Run,
): Promise<Binaries> {
  const downloaded = await fill(programFolder(cache, DOWNLOADED_VERSION), PROGRAMS, (folder) =>
    download(folder, environment, progress, run),
  );
  if (!downloaded.made) {
    const canBuild = (await findOnPath("go", environment.variables)) !== undefined;
    progress(`no download of etcd and kube-apiserver: ${downloaded.why}${canBuild ? "; building them instead" : ""}`);
    const built = await fill(programFolder(cache, BUILT_VERSION), PROGRAMS, (folder) =>
      build({ packages: PACKAGES, folder }, environment, progress, run),
    );
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
    `no ${wanted} found to run a control plane: set KUBEBUILDER_ASSETS to a folder that has both, ` +
      `or put them into ${programFolder(cache, BUILT_VERSION)}, ` +
      `or allow the download from ${downloadSource(environment).base} (${whyNoDownload}), ` +
      `or install Go 1.26 or newer for a build (${whyNoBuild})`,
  );
}

/** The absolute paths of both programs in `folder`; `undefined` if one is missing. */
async function binariesIn(folder: string): Promise<Binaries | undefined> {
  if (!(await hasPrograms(folder, PROGRAMS))) return undefined;
  return { etcd: resolve(folder, "etcd"), apiServer: resolve(folder, "kube-apiserver") };
}

/** The programs that an earlier run of any clone put into the cache. */
async function cachedBinaries(cache: string): Promise<Binaries | undefined> {
  for (const version of [BUILT_VERSION, DOWNLOADED_VERSION]) {
    const binaries = await binariesIn(programFolder(cache, version));
    if (binaries !== undefined) return binaries;
  }
  return undefined;
}

/** The folder of one release for this platform. */
function programFolder(cache: string, version: string): string {
  return join(cache, `kubernetes-${version}-${platformName()}`);
}
