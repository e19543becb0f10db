/** The source from which npm installs the program. */
export type PackageSpec =
  /** An exact version of the registry. */
  | { readonly kind: "version"; readonly version: string }
  /** A tarball or a commit at an address. */
  | { readonly kind: "address"; readonly address: string }
  /** A tarball on this machine. */
  | { readonly kind: "file"; readonly path: string };

/** The name of the program's package. */
export const PROGRAM_NAME = "kyma-modules";

/** The values of `--package`, for messages. */
export const SPEC_RULE =
  "an exact version (0.1.0), a tarball (kyma-modules-0.1.0.tgz, or its https address), or a Git address with a tag or a commit (github:ORG/NAME#v0.1.0, git+https://…#COMMIT)";

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const TARBALL = /\.(tgz|tar\.gz)$/;
const GIT = /^(git\+(https|ssh|file):\/\/|git@[^\s:]+:|(github|gitlab|bitbucket):)[^\s#]+#[^\s#]+$/;

/** Reads a value of `--package`; `undefined` when it does not pin the program, such as a tag or a range. */
export function parsePackageSpec(text: string): PackageSpec | undefined {
  if (VERSION.test(text)) return { kind: "version", version: text };
  if (GIT.test(text)) return { kind: "address", address: text };
  if (!TARBALL.test(text)) return undefined;
  if (/^https:\/\/[^\s/]/.test(text)) return { kind: "address", address: text };
  return /^[a-z+]+:\/\//i.test(text) ? undefined : { kind: "file", path: text.replace(/^file:/, "") };
}

/** The installation of the running program, from npm's lock file. */
export interface Installed {
  readonly version: string;
  /** `undefined` when npm is configured to leave it out. */
  readonly resolved: string | undefined;
}

/** The spec that installs the same program again: from its file or address, else its version from the registry. */
export function specOfInstalled({ version, resolved = "" }: Installed): PackageSpec {
  const isOfRegistry = /^https?:/.test(resolved) && resolved.includes(`/${PROGRAM_NAME}/-/`);
  return (isOfRegistry ? undefined : parsePackageSpec(resolved)) ?? { kind: "version", version };
}
