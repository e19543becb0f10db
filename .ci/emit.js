// `prepack`, and `prepare` for who installs a commit of this repository: src/ as JavaScript in dist/, because Node strips no types below node_modules. dist/ lies beside src/, so
// that `../../schemas/…` and `../../package.json` lead to the same files from both.
// Only syntax is looked at here; `npm test` is what checks the types.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../src/cli/install.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const dist = join(root, "dist");

/** Emits the program. Gives the exit code. */
function emit() {
  rmSync(dist, { recursive: true, force: true });
  // what the program reads at run time; the shims run from where they are
  cpSync(join(root, "src"), dist, { recursive: true, filter: (path) => !/\.(ts|js)$/.test(path) });
  const args = [compiler, "--project", join(root, "tsconfig.build.json")];
  return spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] }).status ?? 1;
}

// npm runs `prepare` in every installation. In a clone nothing needs it: the program runs as it lies there.
if (process.argv.includes("--unless-clone")) process.exitCode = process.env.INIT_CWD === root ? 0 : emit();
else process.exitCode = install(root) || emit();
