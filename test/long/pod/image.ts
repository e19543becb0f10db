import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findOnPath } from "../../../src/systems/environment.ts";
import { root } from "../../house/clone.ts";
import { npmUnlessOffline, pack } from "../packed.ts";

/** The name of the controller's image. */
export const CONTROLLER_IMAGE = "docker.io/local/kyma-modules:1";
/** The image that the container runtime of a single node keeps a pod's network with. */
const PAUSE_IMAGE = "docker.io/local/pause:1";

/** What a container starts, as the Dockerfile says it. */
interface ImageConfig {
  readonly name: string;
  readonly entrypoint: readonly string[];
  readonly user: string;
}

/**
 * Writes the archives of two images into `folder`: the controller's, like that of .github/Dockerfile but from the
 * programs of this machine and without a name for the user, and that of a pod's pause container.
 * `authorities` are the certificates that it trusts. Gives why that cannot be done here.
 */
export async function writeImages(folder: string, authorities: string): Promise<string | undefined> {
  const files = join(folder, "controller");
  const reason = installProgram(join(files, "opt/kyma-modules"), folder);
  if (reason !== undefined) return reason;
  const gitPrograms = execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim();
  copyPrograms(
    [...(await paths(["git", "cat"])), "/bin/sh", "/usr/bin/env", join(gitPrograms, "git-remote-https")],
    files,
  );
  copyPrograms([join(root, "node_modules/node/bin/node")], files, "usr/local/bin");
  write(join(files, "etc/passwd"), "root:x:0:0:root:/:/bin/sh\n");
  write(join(files, "etc/ssl/certs/ca-certificates.crt"), authorities);
  symlinkSync("/opt/kyma-modules/src/cli/kyma-modules.js", join(files, "usr/local/bin/kyma-modules"));
  writeArchive(folder, files, { name: CONTROLLER_IMAGE, entrypoint: ["kyma-modules"], user: "1000:1000" });
  const pause = join(folder, "pause");
  copyPrograms(await paths(["sleep"]), pause);
  writeArchive(folder, pause, { name: PAUSE_IMAGE, entrypoint: ["sleep", "infinity"], user: "65535:65535" });
  return undefined;
}

/** The program as npm packs it, with the packages that its lock file names. */
function installProgram(target: string, folder: string): string | undefined {
  mkdirSync(target, { recursive: true });
  const unpack = ["--extract", "--gzip", "--strip-components=1", "--no-same-owner", "--directory", target];
  execFileSync("tar", [...unpack, "--file", pack(folder)]);
  copy(join(root, "package-lock.json"), join(target, "package-lock.json"));
  return npmUnlessOffline(["ci", "--omit=dev", "--ignore-scripts"], target);
}

async function paths(programs: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    programs.map(async (program) => {
      const path = await findOnPath(program, process.env);
      if (path === undefined) throw new Error(`there is no ${program} on the PATH`);
      return path;
    }),
  );
}

/** Copies programs to the paths that they have here, or into `place`, and the libraries that they load beside them. */
function copyPrograms(programs: readonly string[], files: string, place?: string): void {
  const libraries = programs.flatMap((program) => {
    const listed = execFileSync("ldd", [program], { encoding: "utf8" });
    return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  });
  const placed = (path: string): string => (place === undefined ? path : join(place, basename(path)));
  for (const path of programs) copy(path, join(files, placed(path)));
  for (const path of new Set(libraries)) copy(path, join(files, path));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Writes an archive with one layer, as `docker save` does. */
function writeArchive(folder: string, files: string, { name, entrypoint, user }: ImageConfig): void {
  mkdirSync(join(files, "tmp"));
  const image = `${files}-image`;
  mkdirSync(image);
  tar(join(image, "layer.tar"), files);
  const config = {
    ...{ architecture: process.arch === "x64" ? "amd64" : process.arch, os: "linux" },
    config: {
      ...{ Entrypoint: entrypoint, User: user, WorkingDir: "/tmp" },
      Env: ["PATH=/usr/local/bin:/usr/bin:/bin"],
    },
    rootfs: { type: "layers", diff_ids: [`sha256:${digestOf(join(image, "layer.tar"))}`] },
  };
  write(join(image, "config.json"), JSON.stringify(config));
  const manifest = [{ Config: "config.json", RepoTags: [name], Layers: ["layer.tar"] }];
  write(join(image, "manifest.json"), JSON.stringify(manifest));
  tar(join(folder, "archives", `${basename(files)}.tar`), image);
}

function tar(file: string, files: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const owner = ["--numeric-owner", "--owner=0", "--group=0"];
  execFileSync("tar", ["--create", ...owner, "--file", file, "--directory", files, "."]);
}

function digestOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
