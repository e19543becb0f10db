import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Installed } from "../catalogue/init/packageSpec.ts";
import type { Run } from "../ports.ts";
import { directorySource } from "./files/files.ts";

/** The root of this program's package. The packed program has `dist/` in place of `src/`. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** The text of the files that a new catalogue starts from: workflows, channels, modules. Throws FILE_UNREADABLE. */
export async function ownFiles(run: Run): Promise<ReadonlyMap<string, string>> {
  const { files } = await directorySource(ROOT).snapshot(
    (path) => /^(channels|modules|\.github\/workflows)\//.test(path),
    run,
  );
  const decoder = new TextDecoder();
  return new Map(
    [...files].flatMap(([path, file]) => (file.kind === "bytes" ? [[path, decoder.decode(file.bytes)]] : [])),
  );
}

/** The version and source from which npm installed this program, a file with its full path; `undefined` in a clone. */
export function installedPackage(): Installed | undefined {
  const [packages, name] = [dirname(ROOT), basename(ROOT)];
  const lock = join(packages, ".package-lock.json");
  if (basename(packages) !== "node_modules" || !existsSync(lock)) return undefined;
  const { packages: locked = {} } = JSON.parse(readFileSync(lock, "utf8")) as HiddenLock;
  const { version, resolved } = locked[`node_modules/${name}`] ?? {};
  if (version === undefined) return undefined;
  const [, file] = /^file:(.*)$/.exec(resolved ?? "") ?? [];
  return { version, resolved: file === undefined ? resolved : `file:${resolve(dirname(packages), file)}` };
}

interface HiddenLock {
  readonly packages?: Readonly<Record<string, { readonly version?: string; readonly resolved?: string } | undefined>>;
}

/** The version of the Node that npm installed, if this program runs on it: the machine's Node may be too old. */
export function packagedNode(): string | undefined {
  const folders = process.execPath.split(/[\\/]/).slice(0, -1);
  const isPackaged = folders.slice(-3).join("/") === "node_modules/node/bin";
  return isPackaged ? process.versions.node : undefined;
}
