import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "../../src/systems/environment.ts";
import { writeImage } from "./image.ts";

const SOURCE = join(import.meta.dirname, "manager");
const BUILD = ["build", "-trimpath", "-ldflags", "-s -w"];

/**
 * Builds the manager of sample modules, and writes an archive of its image into `folder`, under all these names. Gives the
 * path of the archive, or why it cannot be built here.
 */
export async function writeManagerImage(
  folder: string,
  names: readonly string[],
): Promise<string | { readonly skipped: string }> {
  const go = await findOnPath("go", process.env);
  if (go === undefined) return { skipped: "there is no go on the PATH to build the manager of sample modules with" };
  const files = join(folder, "manager");
  mkdirSync(files);
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  execFileSync(go, [...BUILD, "-o", join(files, "manager"), "."], { cwd: SOURCE, env, stdio: "pipe" });
  return writeImage(files, { names, entrypoint: ["/manager"], user: "65532:65532" });
}
