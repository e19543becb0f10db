import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { npm, temporaryFolder } from "../../house/clone.ts";
import { folderAt } from "../../systems/repository.ts";

/** Path to content of all files below a folder, and when each was written. */
export function filesIn(folder: string): ReadonlyMap<string, { readonly content: string; readonly writtenMs: number }> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
  return new Map(
    paths.map((path) => [
      path,
      { content: readFileSync(join(folder, path), "latin1"), writtenMs: statSync(join(folder, path)).mtimeMs },
    ]),
  );
}

/** The content alone. */
export function contentsIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...filesIn(folder)].map(([path, { content }]) => [path, content]));
}

/** A package that has no dependencies, so that npm locks it without a network. Gives the tarball's path. */
export function packageOf(name: string): string {
  const folder = folderAt(temporaryFolder());
  afterAll(() => {
    folder.remove(".");
  });
  const manifest = { name, version: "0.1.0", bin: { [name]: "program.js" } };
  folder.write({ "package.json": JSON.stringify(manifest), "program.js": "#!/usr/bin/env node\n" });
  npm(["pack", "--silent"], folder.path);
  return join(folder.path, `${name}-0.1.0.tgz`);
}
