// Checks that every export has a docstring, unless the sources passed before as they are, with the same settings.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./clone.ts";
import { checkWholeOnce, filesBelow } from "./passed.ts";

/** Files that the verdict depends on, besides the sources. */
const SETTINGS = ["typedoc.json", "tsconfig.json", "package.json", "package-lock.json", "test/house/docstrings.ts"];

const sources = filesBelow(join(root, "src")).filter((path) => path.endsWith(".ts"));

await checkWholeOnce("docstrings", [...SETTINGS, ...sources.map((path) => join("src", path))], () => {
  const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
  return spawnSync(process.execPath, [typedoc, "--logLevel", "Warn"], { cwd: root, stdio: "inherit" }).status === 0;
});
