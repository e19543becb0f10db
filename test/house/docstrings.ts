// Checks that every export has a docstring, unless the sources passed before as they are, with the same settings.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./clone.ts";
import { checkOnce, filesBelow, sha256 } from "./passed.ts";

/** Files that the verdict depends on, besides the sources. */
const SETTINGS = ["typedoc.json", "tsconfig.json", "package.json", "package-lock.json", "test/house/docstrings.ts"];

const sources = filesBelow(join(root, "src")).filter((path) => path.endsWith(".ts"));
const paths = [...SETTINGS, ...sources.map((path) => join("src", path)).toSorted()];
const key = sha256(paths.flatMap((path) => [path, readFileSync(join(root, path), "utf8")]));

await checkOnce("docstrings", new Map([["src", key]]), () => {
  const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
  const { status } = spawnSync(process.execPath, [typedoc, "--logLevel", "Warn"], { cwd: root, stdio: "inherit" });
  return Promise.resolve(new Set(status === 0 ? [] : ["src"]));
});
