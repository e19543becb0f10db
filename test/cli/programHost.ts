// Runs the program for tests, again and again in one process: what it loads stays loaded, which is most of a start.
// `programPool.ts` starts it, and tells what to run.
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Ended, Job } from "./program.ts";

const MAIN = pathToFileURL(join(import.meta.dirname, "../../src/cli/main.ts")).href;
/** What a command listens for, until it ends. */
const HEARD = [
  [process, ["SIGINT", "SIGTERM"]],
  [process.stdout, ["error"]],
  [process.stderr, ["error"]],
] as const;
/** As long as a command that is done may still wait for something, such as a connection that it did not close. */
const LINGERS_MS = 30_000;

const said = { stdout: "", stderr: "" };
for (const stream of ["stdout", "stderr"] as const)
  process[stream].write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    said[stream] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    const done = rest.at(-1);
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
process.on("uncaughtException", (error) => {
  process.send?.({ ...said, code: 1, stderr: `${said.stderr}${error.stack ?? error.message}\n` }, () =>
    process.exit(1),
  );
});

for (let jobs = 1; ; jobs++) {
  const [job] = (await once(process, "message")) as [Job];
  process.send?.(await carryOut(job, jobs));
}

/** Runs the program as a process of its own would: own arguments, environment, name and end. */
async function carryOut({ args, cwd, env }: Job, jobs: number): Promise<Ended> {
  for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, MAIN, ...args];
  process.exitCode = undefined;
  // A lease or a file that one run leaves is not the next one's.
  Object.defineProperty(process, "pid", { value: process.ppid * 1000 + jobs, configurable: true });
  Object.assign(said, { stdout: "", stderr: "" });
  const before = held();
  await import(`${MAIN}?job=${jobs}`);
  await untilFree(before);
  for (const [emitter, events] of HEARD) for (const event of events) emitter.removeAllListeners(event);
  return { ...said, code: Number(process.exitCode) };
}

/** A process ends when nothing is left that it waits for. */
async function untilFree(before: number): Promise<void> {
  const deadline = performance.now() + LINGERS_MS;
  for (let ms = 1; held() > before; ms = Math.min(ms * 2, 50)) {
    if (performance.now() > deadline)
      throw new Error(`it does not end: ${process.getActiveResourcesInfo().join(", ")}`);
    await pause(ms);
  }
}

/** How many things keep this process alive. */
function held(): number {
  return process.getActiveResourcesInfo().filter((name) => name !== "Immediate").length;
}
