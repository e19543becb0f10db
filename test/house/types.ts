// Checks the types of the project and of the browser's files, unless both passed before as they are.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./clone.ts";
import { checkWholeOnce, filesBelow } from "./passed.ts";

const tsc = join(root, "node_modules/typescript/bin/tsc");
/** Keeps what tsc found of unchanged files. */
const REMEMBERING = ["--incremental", "--tsBuildInfoFile", "node_modules/.cache/kyma-modules/types.tsbuildinfo"];
const PROJECTS = [
  ["--project", ".", ...REMEMBERING],
  ["--project", "src/dashboard/islands"],
];

// Also the settings, the installed packages, and the data that the sources import.
const paths = filesBelow(root).filter((path) => /\.(?:ts|json)$/.test(path));

await checkWholeOnce("types", paths, () =>
  PROJECTS.every((args) => spawnSync(process.execPath, [tsc, ...args], { cwd: root, stdio: "inherit" }).status === 0),
);
