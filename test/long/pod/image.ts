import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findOnPath } from "../../../src/systems/environment.ts";
import { root } from "../../house/clone.ts";
import { copyFile, copyPrograms, writeImage } from "../../single-node/image.ts";
import { npmUnlessOffline, pack } from "../packed.ts";

/** The name of the controller's image. */
export const CONTROLLER_IMAGE = "docker.io/local/kyma-modules:1";

/**
 * Writes an archive of the controller's image into `folder`. It is like the image of .github/Dockerfile, but contains
 * the programs of this machine, and its user has no name. `authorities` are the certificates that it trusts. Returns
 * the path of the archive, or why that is not possible here.
 */
export async function writeControllerImage(
  folder: string,
  authorities: string,
): Promise<string | { readonly skipped: string }> {
  const files = join(folder, "controller");
  const reason = installProgram(join(files, "opt/kyma-modules"), folder);
  if (reason !== undefined) return { skipped: reason };
  const gitPrograms = execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim();
  copyPrograms(
    [...(await paths(["git", "cat"])), "/bin/sh", "/usr/bin/env", join(gitPrograms, "git-remote-https")],
    files,
  );
  copyPrograms([join(root, "node_modules/node/bin/node")], files, "usr/local/bin");
  write(join(files, "etc/passwd"), "root:x:0:0:root:/:/bin/sh\n");
  write(join(files, "etc/ssl/certs/ca-certificates.crt"), authorities);
  symlinkSync("/opt/kyma-modules/src/cli/kyma-modules.js", join(files, "usr/local/bin/kyma-modules"));
  return writeImage(files, { names: [CONTROLLER_IMAGE], entrypoint: ["kyma-modules"], user: "1000:1000" });
}

/** The program as npm packs it, with the packages in its lock file. */
function installProgram(target: string, folder: string): string | undefined {
  mkdirSync(target, { recursive: true });
  const unpack = ["--extract", "--gzip", "--strip-components=1", "--no-same-owner", "--directory", target];
  execFileSync("tar", [...unpack, "--file", pack(folder)]);
  copyFile(join(root, "package-lock.json"), join(target, "package-lock.json"));
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

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
