#!/usr/bin/env node
// Plain JavaScript for Node >= 20: the program itself needs Node 24, which the npm package `node` brings along.
// Node refuses to strip types below `node_modules`, so an installed package runs the JavaScript that `prepack` made.
import { existsSync } from "node:fs";
import module from "node:module";
import v8 from "node:v8";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const WANTED_MAJOR = 24;
const source = new URL("./main.ts", import.meta.url);
const emitted = new URL("../../dist/cli/main.js", import.meta.url);
const isClone = existsSync(source);

/** The Node 24 of the npm package `node`, or `undefined` when it has no program for this machine. */
function packagedNode() {
  try {
    const manifest = module.createRequire(import.meta.url).resolve("node/package.json");
    const program = join(dirname(manifest), "bin", "node");
    return [program, `${program}.exe`].find((path) => existsSync(path));
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Says why there is no Node 24, and gives the exit code for a configuration that does not fit. */
function explain(detail) {
  process.stderr.write(
    `kyma-modules: needs Node ${WANTED_MAJOR}, but this is ${process.version}, and ${detail}. ` +
      "Let npm run the install script of that package (`npm install-scripts approve node`, then " +
      `\`npm rebuild node --ignore-scripts=false\`), or run with Node ${WANTED_MAJOR} or newer\n`,
  );
  return 2;
}

/** Runs this file again on `program`, and gives its exit code (128 + n when signal n ended it). */
async function runAgainOn(program) {
  const { spawn } = await import("node:child_process");
  const { constants } = await import("node:os");
  const child = spawn(program, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  // This process outlives its child, so the shell gets the prompt back after the last line. A terminal signals both;
  // a signal that was meant for this process alone must still arrive, so it is always passed on.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on("error", () => resolve(explain("the npm package `node` does not start here")));
    child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

async function start() {
  if (isClone) {
    const { install } = await import("./install.js");
    const code = install(fileURLToPath(new URL("../..", import.meta.url)));
    if (code !== 0) return code;
  }
  if (Number.parseInt(process.versions.node, 10) < WANTED_MAJOR) {
    const program = packagedNode();
    return program === undefined ? explain("the npm package `node` holds no program") : runAgainOn(program);
  }
  module.enableCompileCache();
  // V8 lets the space for short-lived objects grow to many times what it needs: a catalogue of ten thousand files took
  // 420 MiB with it, and takes 280 without, for some 5 % more CPU time.
  v8.setFlagsFromString("--semi-space-growth-factor=1");
  await import(isClone ? source.href : emitted.href);
  return undefined;
}

const code = await start();
if (code !== undefined) process.exitCode = code;
