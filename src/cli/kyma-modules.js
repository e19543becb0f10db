#!/usr/bin/env node
// Plain JavaScript for Node >= 20: the program itself needs Node 24. Where this is an older one, it goes over to that of
// the npm package `node`, if that is installed beside this package, as it is in a clone.
// Node refuses to strip types below `node_modules`, so an installed package runs the JavaScript that `prepack` made.
import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import v8 from "node:v8";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const WANTED_MAJOR = 24;
const source = new URL("./main.ts", import.meta.url);
const emitted = new URL("../../dist/cli/main.js", import.meta.url);
const isClone = existsSync(source);

/**
 * glibc keeps what a large catalogue took while it was read: it raises the threshold for giving memory back with the
 * largest block that it ever freed, unless the environment sets one (here to its default), and keeps memory for each
 * thread. That is 70 MiB of a controller.
 */
const MEMORY_VARIABLES = { MALLOC_TRIM_THRESHOLD_: "131072", MALLOC_ARENA_MAX: "1" };

const NOT_INSTALLED = "Install Node 24, or that of npm beside this package: `npm install --save-dev node@24`";
const NOT_COMPLETE =
  "The npm package `node` beside this package holds no program: let npm run its install script " +
  "(`npm install-scripts approve node`, then `npm rebuild node --ignore-scripts=false`), or install Node 24";

/** The Node 24 of the npm package `node`, or what to do where there is none for this machine. */
function packagedNode() {
  try {
    const manifest = module.createRequire(import.meta.url).resolve("node/package.json");
    const { version } = JSON.parse(readFileSync(manifest, "utf8"));
    // An older one would look for a newer one here again, and so on.
    if (majorOf(version) < WANTED_MAJOR) return { remedy: NOT_INSTALLED };
    const path = join(dirname(manifest), "bin", "node");
    const program = [path, `${path}.exe`].find((file) => existsSync(file));
    return program === undefined ? { remedy: NOT_COMPLETE } : { program };
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return { remedy: NOT_INSTALLED };
    throw error;
  }
}

function majorOf(version) {
  return Number.parseInt(version, 10);
}

/** Says why there is no Node 24, and gives the exit code for a configuration that does not fit. */
function explain(remedy) {
  process.stderr.write(
    `kyma-modules: needs Node ${WANTED_MAJOR} or newer, and this is ${process.version}. ${remedy}\n`,
  );
  return 2;
}

/** Runs this file again on `program`, and gives its exit code (128 + n when signal n ended it). */
async function runAgainOn(program) {
  const { spawn } = await import("node:child_process");
  const { constants } = await import("node:os");
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(program, args, { stdio: "inherit", env: { ...MEMORY_VARIABLES, ...process.env } });
  // This process outlives its child, so the shell gets the prompt back after the last line. A terminal signals both;
  // a signal that was meant for this process alone must still arrive, so it is always passed on.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on("error", () => resolve(explain("The npm package `node` does not start here")));
    child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

async function start() {
  if (isClone) {
    const { install } = await import("./install.js");
    const code = install(fileURLToPath(new URL("../..", import.meta.url)));
    if (code !== 0) return code;
  }
  if (majorOf(process.versions.node) < WANTED_MAJOR) {
    const { program, remedy } = packagedNode();
    return program === undefined ? explain(remedy) : runAgainOn(program);
  }
  module.enableCompileCache();
  // V8 lets the space for short-lived objects grow to many times what it needs: a catalogue of ten thousand files took
  // 420 MiB with it, and takes 280 without, for some 5 % more CPU time.
  v8.setFlagsFromString("--semi-space-growth-factor=1");
  // And the rest by what is in use before it collects, where it would let it grow fourfold: 20 % less at the peak.
  v8.setFlagsFromString("--heap-growing-percent=100");
  await import(isClone ? source.href : emitted.href);
  return undefined;
}

const code = await start();
if (code !== undefined) process.exitCode = code;
