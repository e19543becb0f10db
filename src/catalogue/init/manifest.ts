import { readYaml } from "../../document/yaml/read.ts";
import { PROGRAM_NAME, type PackageSpec } from "./packageSpec.ts";

/** The program that a catalogue pins. */
export interface Program {
  readonly spec: PackageSpec;
  /** The tarball itself, for a spec that is a file: it is part of the catalogue, so that every clone can install it. */
  readonly tarball: { readonly name: string; readonly content: Uint8Array } | undefined;
  /** The version of the package `node`, when that runs the program here; `undefined` for any other Node. */
  readonly node: string | undefined;
}

/** Files by their path in the catalogue. */
export type NewFiles = ReadonlyMap<string, string | Uint8Array>;

/** The result of locking a package.json with npm. */
export type Locking =
  | { readonly kind: "locked"; readonly text: string }
  /** npm or the registry was not available: a retry, or another machine, may succeed. `why` is a sentence. */
  | { readonly kind: "unavailable"; readonly why: string }
  /** npm refuses: the package does not exist, or is not valid. `why` is npm's own text. */
  | { readonly kind: "refused"; readonly why: string };

/** The manifest of npm. */
export const MANIFEST_PATH = "package.json";
/** The lock file of npm. */
export const LOCK_PATH = "package-lock.json";

/** The path of a tarball in the catalogue: in a folder that the release managers own. */
function tarballPath(name: string): string {
  return `.ci/${name}`;
}

/** The files from which npm creates a lock file. */
export function manifestFiles({ spec, tarball, node }: Program): NewFiles {
  const manifest = {
    // Without a name, npm uses that of the folder, which differs from clone to clone.
    name: "module-catalogue",
    private: true,
    dependencies: { [PROGRAM_NAME]: dependency(spec, tarball?.name) },
    ...(node !== undefined && { devDependencies: { node }, allowScripts: { node: true } }),
  };
  const files: [string, string | Uint8Array][] = [[MANIFEST_PATH, `${JSON.stringify(manifest, null, 2)}\n`]];
  if (tarball !== undefined) files.push([tarballPath(tarball.name), tarball.content]);
  return new Map(files);
}

function dependency(spec: PackageSpec, tarball = ""): string {
  switch (spec.kind) {
    case "version":
      return spec.version;
    case "address":
      return spec.address;
    case "file":
      return `file:${tarballPath(tarball)}`;
  }
}

/** Whether `lock` locks the dependencies of `manifest`, and the program in it has its command. */
export function isLockFile(lock: string, manifest: string): boolean {
  const wanted = (JSON.parse(manifest) as LockedPackage).dependencies;
  // JSON is also YAML.
  const reading = readYaml(LOCK_PATH, { kind: "bytes", bytes: new TextEncoder().encode(lock) });
  const file = reading.kind === "read" ? (reading.file.value as LockFile | null) : undefined;
  const { [""]: root, [`node_modules/${PROGRAM_NAME}`]: program } = file?.packages ?? {};
  return JSON.stringify(root?.dependencies) === JSON.stringify(wanted) && program?.bin?.[PROGRAM_NAME] !== undefined;
}

interface LockFile {
  readonly packages?: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}
