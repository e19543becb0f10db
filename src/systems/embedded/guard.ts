// A separate process, started by `guarded.ts`. It runs programs as long as its standard input is open, that is, as long
// as its parent lives: the operating system closes the pipe even after a SIGKILL. Rejected alternatives: a signal at
// the
// parent's death exists on Linux only, and cleaning up at the next start leaves 300 MB of processes until then.
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync, rmSync, utimesSync } from "node:fs";
import { createInterface } from "node:readline";
import { problemAt, problemText } from "../errno.ts";

/** One program to run under guard. */
export interface GuardedProgram {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The file for its output. */
  readonly log: string;
  readonly folder?: string;
  /** How to stop it: `kill` at once, or `ask` with SIGTERM because its data is kept. */
  readonly stop: "kill" | "ask";
}

/** A message to a guard, as one line of JSON. Programs are stopped in reverse order. */
export type GuardOrder =
  | { readonly order: "start"; readonly programs: readonly GuardedProgram[] }
  | { readonly order: "own"; readonly belongings: Belongings };

/** Files to remove when the programs end. */
export interface Belongings {
  readonly temporaryFolder?: string;
  /** A lock file, which the guard keeps fresh until then. */
  readonly lock?: string;
}

/** A message from a guard, as one line of JSON. `tail` is the end of the program's output. */
export type GuardReport =
  | {
      readonly event: "ended";
      readonly name: string;
      readonly outcome: string;
      readonly ok: boolean;
      readonly tail: string;
    }
  /** All programs have ended and all belongings are gone. */
  | { readonly event: "cleaned" };

interface Running {
  readonly program: GuardedProgram;
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

const ASK_DEADLINE_MS = 5_000;
const HEARTBEAT_MS = 500;
const TAIL_BYTES = 16_384;

const running: Running[] = [];
let stopping: Promise<void> | undefined;
let belongings: Belongings = {};

function report(line: GuardReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function logTail(log: string): string {
  const file = openSync(log, "r");
  const { size } = fstatSync(file);
  const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(file, bytes, 0, bytes.length, size - bytes.length);
  closeSync(file);
  return bytes.toString("utf8");
}

function start(program: GuardedProgram): void {
  const output = openSync(program.log, "w", 0o600);
  const child = spawn(program.command, program.args, {
    stdio: ["ignore", output, output],
    ...(program.folder === undefined ? {} : { cwd: program.folder }),
  });
  closeSync(output);
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  const end = (outcome: string, ok: boolean): void => {
    if (stopping === undefined) report({ event: "ended", name: program.name, outcome, ok, tail: logTail(program.log) });
    resolve(undefined);
  };
  child.once("error", (error) => {
    end(`could not be started: ${problemText(error)}`, false);
  });
  child.once("exit", (code, signal) => {
    end(signal === null ? `ended with code ${String(code)}` : `was ended by ${signal}`, code === 0);
  });
  const place = running.findIndex((one) => one.program.name === program.name);
  running.splice(place === -1 ? running.length : place, 1, { program, child, ended });
}

async function stopAll(): Promise<void> {
  for (const { program, child, ended } of running.toReversed()) {
    child.kill(program.stop === "ask" ? "SIGTERM" : "SIGKILL");
    const impatience = setTimeout(() => child.kill("SIGKILL"), ASK_DEADLINE_MS);
    await ended;
    clearTimeout(impatience);
  }
  for (const path of [belongings.temporaryFolder, belongings.lock]) {
    if (path !== undefined) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
  report({ event: "cleaned" });
  killAll();
}

/** Also kills child processes of the programs, such as a compiler: the guard leads their process group. */
function killAll(): void {
  process.kill(-process.pid, "SIGKILL");
}

function stop(): void {
  stopping ??= stopAll();
}

function keepFresh(lock: string): void {
  const now = new Date();
  utimesSync(lock, now, now);
}

/** `guarded.ts` writes these lines, so the type is known. */
function parse(line: string): GuardOrder {
  return JSON.parse(line) as GuardOrder;
}

function obey(line: string): void {
  const order = parse(line);
  switch (order.order) {
    case "own":
      ({ belongings } = order);
      if (belongings.lock !== undefined) setInterval(keepFresh, HEARTBEAT_MS, belongings.lock);
      break;
    case "start":
      for (const program of order.programs) start(program);
      break;
  }
}

// No error here may leave programs behind. The parent reports it, and removes the belongings.
process.on("uncaughtException", (error) => {
  process.stderr.write(problemAt(error), killAll);
});
// The reader of the reports may be dead already; then standard input closes as well.
process.stdout.on("error", stop);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
createInterface({ input: process.stdin }).on("line", obey).on("close", stop);
