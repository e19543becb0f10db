import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { DownloadSource } from "./embedded/releases.ts";

/** Environment variables as a value: only `cli` reads the real ones. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The sources of the binaries of a control plane, and the variables for access to the network. */
export interface Environment {
  /** `KUBEBUILDER_ASSETS`: a folder with `etcd` and `kube-apiserver`. */
  readonly assets?: string;
  /** The user's cache folder, shared by all clones. This program uses its subfolder `kyma-modules`. */
  readonly cacheDir: string;
  /** The environment of child processes that use the network: `PATH`, proxies, settings of Go. */
  readonly variables: Variables;
  /** The download source of the archive; the official one if unset. */
  readonly source?: DownloadSource;
}

/** Reads the environment from variables: `KUBEBUILDER_ASSETS`, `XDG_CACHE_HOME`, `HOME`, `PATH`, proxies. */
export function environmentFrom(variables: Variables): Environment {
  const assets = variables["KUBEBUILDER_ASSETS"];
  return { ...(assets ? { assets } : {}), cacheDir: userCacheDir(variables), variables };
}

/** The full path of a program on the `PATH`, or `undefined`. */
export async function findOnPath(program: string, variables: Variables): Promise<string | undefined> {
  for (const folder of (variables["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, program);
    if (isAbsolute(folder) && (await isExecutable(path))) return path;
  }
  return undefined;
}

/** Whether the path is a file that this user may execute. */
export async function isExecutable(path: string): Promise<boolean> {
  return (
    (await stat(path).then((found) => found.isFile(), absent)) &&
    (await access(path, constants.X_OK).then(() => true, absent))
  );
}

function userCacheDir(variables: Variables): string {
  const configured = variables["XDG_CACHE_HOME"];
  // The XDG specification demands that relative paths are ignored.
  if (configured && isAbsolute(configured)) return configured;
  const home = variables["HOME"] ?? homedir();
  return process.platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
}

/** Treats an unreadable file as absent: the caller reports what it looked for. */
const absent = (): boolean => false;
