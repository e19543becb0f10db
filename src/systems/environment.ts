import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { DownloadSource } from "./embedded/releases.ts";

/** Environment variables as a value: only the command line reads the real ones. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Where the binaries of a control plane may come from, and with what the outside is reached. */
export interface Environment {
  /** `KUBEBUILDER_ASSETS`: a folder that holds `etcd` and `kube-apiserver`. */
  readonly assets?: string;
  /** The user's cache folder, shared by all clones; ours is a folder `kyma-modules` in it. */
  readonly cacheDir: string;
  /** `PATH`, proxies, settings of Go: what a child process that talks to the outside gets. */
  readonly variables: Variables;
  /** Where the archive is downloaded from; unset means the official place. */
  readonly source?: DownloadSource;
}

/** The environment that the variables describe: `KUBEBUILDER_ASSETS`, `XDG_CACHE_HOME`, `HOME`, `PATH`, proxies. */
export function environmentFrom(variables: Variables): Environment {
  const assets = variables["KUBEBUILDER_ASSETS"];
  return { ...(assets ? { assets } : {}), cacheDir: cacheDirOf(variables), variables };
}

/** The full path of a program on the `PATH`, or `undefined`. */
export async function findOnPath(program: string, variables: Variables): Promise<string | undefined> {
  for (const folder of (variables["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, program);
    if (isAbsolute(folder) && (await isExecutable(path))) return path;
  }
  return undefined;
}

/** Whether the path is a file that this user may run. */
export async function isExecutable(path: string): Promise<boolean> {
  return (
    (await stat(path).then((found) => found.isFile(), absent)) &&
    (await access(path, constants.X_OK).then(present, absent))
  );
}

function cacheDirOf(variables: Variables): string {
  const configured = variables["XDG_CACHE_HOME"];
  // The XDG specification: a relative path is to be ignored.
  if (configured && isAbsolute(configured)) return configured;
  const home = variables["HOME"] ?? homedir();
  return process.platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
}

const present = (): boolean => true;

/** A file that cannot be looked at is as good as none here: the caller says what it looked for. */
const absent = (): boolean => false;
