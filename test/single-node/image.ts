import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What a container starts, as a Dockerfile says it. */
export interface ImageConfig {
  /** Each with a tag. */
  readonly names: readonly string[];
  readonly entrypoint: readonly string[];
  readonly user: string;
}

/** Writes an archive of an image with one layer, which has the files of a folder, as `docker save` does. Gives its path. */
export function writeImage(files: string, { names, entrypoint, user }: ImageConfig): string {
  mkdirSync(join(files, "tmp"), { recursive: true });
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
  writeFileSync(join(image, "config.json"), JSON.stringify(config));
  const manifest = [{ Config: "config.json", RepoTags: names, Layers: ["layer.tar"] }];
  writeFileSync(join(image, "manifest.json"), JSON.stringify(manifest));
  const archive = `${image}.tar`;
  tar(archive, image);
  return archive;
}

/** Copies programs to the paths that they have here, or into `place`, and the libraries that they load beside them. */
export function copyPrograms(programs: readonly string[], files: string, place?: string): void {
  const libraries = programs.flatMap((program) => {
    const listed = execFileSync("ldd", [program], { encoding: "utf8" });
    return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  });
  const placed = (path: string): string => (place === undefined ? path : join(place, basename(path)));
  for (const path of programs) copyFile(path, join(files, placed(path)));
  for (const path of new Set(libraries)) copyFile(path, join(files, path));
}

/** Copies a file into a folder that may not exist yet. */
export function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function tar(file: string, files: string): void {
  const owner = ["--numeric-owner", "--owner=0", "--group=0"];
  execFileSync("tar", ["--create", ...owner, "--file", file, "--directory", files, "."]);
}

function digestOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
