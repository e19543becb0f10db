import { readYaml } from "../../document/yaml/read.ts";
import { PROGRAM_NAME, type PackageSpec } from "./packageSpec.ts";

/** The program that a catalogue pins. */
export interface Program {
  readonly spec: PackageSpec;
  /** The tarball itself, for a spec that is a file: it comes along, so that every clone can install it. */
  readonly tarball: { readonly name: string; readonly content: Uint8Array } | undefined;
  /** The version of npm's own Node that runs the program here; `undefined` where another Node does. */
  readonly node: string | undefined;
}

/** Files by their path in the catalogue. */
export type NewFiles = ReadonlyMap<string, string | Uint8Array>;

/** What npm made of a package.json. */
export type Locking =
  | { readonly kind: "locked"; readonly text: string }
  /** It could not be asked, or could ask nobody: the same may succeed elsewhere, or later. `why` is a sentence. */
  | { readonly kind: "unavailable"; readonly why: string }
  /** It refuses: what is asked for does not exist, or is not a package. `why` is npm's own. */
  | { readonly kind: "refused"; readonly why: string };

/** What npm reads. */
export const MANIFEST_PATH = "package.json";
/** What npm locks. */
export const LOCK_PATH = "package-lock.json";

/** Where a tarball lies in the catalogue: among what CODEOWNERS leaves to the release managers. */
export function tarballPath(name: string): string {
  return `.ci/${name}`;
}

/** The files that npm makes a lock file of. */
export function manifestFiles({ spec, tarball, node }: Program): NewFiles {
  const manifest = {
    // Without a name npm takes that of the folder, which differs from clone to clone.
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

/** Whether `lock` locks what `manifest` asks for: npm's own words for the same dependencies. */
export function isLockOf(lock: string, manifest: string): boolean {
  const wanted = (JSON.parse(manifest) as LockedPackage).dependencies;
  const { [""]: root, [`node_modules/${PROGRAM_NAME}`]: program } = packagesOf(lock);
  return JSON.stringify(root?.dependencies) === JSON.stringify(wanted) && program?.bin?.[PROGRAM_NAME] !== undefined;
}

interface LockFile {
  readonly packages?: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** JSON is YAML, too. */
function packagesOf(lock: string): Readonly<Record<string, LockedPackage | undefined>> {
  const reading = readYaml(LOCK_PATH, { kind: "bytes", bytes: new TextEncoder().encode(lock) });
  const value = reading.kind === "read" ? (reading.file.value as LockFile | null) : undefined;
  return value?.packages ?? {};
}
