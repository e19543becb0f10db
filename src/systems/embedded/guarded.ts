import { spawn, type ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { Fault } from "../../ports.ts";
import { errorCode, problemText } from "../errno.ts";
import type { Variables } from "../environment.ts";
import type { Belongings, GuardedProgram, GuardOrder, GuardReport } from "./guard.ts";

/** The end of a program that was not stopped. */
export interface Ended {
  readonly name: string;
  /** Whether it ended with code 0. */
  readonly ok: boolean;
  /** A predicate to the name, such as `ended with code 1`. */
  readonly outcome: string;
  /** The end of its output. */
  readonly tail: string;
}

/** Programs that run until `stop`, and never longer than this process, even if it is killed. */
export interface Guarded {
  /** Starts programs in this order; `stop` uses the reverse order. A program that ended may be started again. */
  start(programs: readonly GuardedProgram[]): void;
  /** The first program that ended by itself. Never settles when none does. */
  readonly ended: Promise<Ended>;
  /** Every program that ended by itself, including those before the iteration began. The guard is the last one. */
  readonly ends: AsyncIterable<Ended, undefined>;
  /** Ends all programs and resolves when they and their belongings are gone. May be called again. */
  stop(): Promise<void>;
}

/** The guard has the same extension as this file: `.ts` in a clone, `.js` in the packed program. */
const GUARD = join(import.meta.dirname, `guard${extname(import.meta.filename)}`);

/** The guard gives every program 5 s to end; if it takes longer, it is killed itself. */
const STOP_DEADLINE_MS = 20_000;

const GUARD_NAME = "the guard process";
const COMPLAINT_LENGTH = 2_000;

/** Starts a guard that removes `belongings` at the end. `variables` is the complete environment of its programs. */
export function startGuard(belongings: Belongings, variables: Variables): Guarded {
  // Detached: Ctrl-C in the terminal reaches only this process, which then decides what ends when.
  const env = { ...variables, NODE_OPTIONS: undefined }; // the user's options are not meant for the guard
  const guard = spawn(process.execPath, [GUARD], { stdio: "pipe", detached: true, env });
  const { promise: ended, resolve } = Promise.withResolvers<Ended>();
  const ends = new PassThrough({ objectMode: true });
  const end = (one: Ended): void => {
    resolve(one);
    ends.write(one);
  };
  const { promise: gone, resolve: leave } = Promise.withResolvers<undefined>();
  let complaint = "";
  let isClean = false;
  const endOfGuard = (outcome: string): void => {
    end({ name: GUARD_NAME, ok: false, outcome, tail: complaint });
  };
  guard.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_LENGTH);
  });
  guard.once("error", (error) => {
    endOfGuard(`could not be started: ${problemText(error)}`);
    leave(undefined);
  });
  guard.once("close", (code, signal) => {
    if (!isClean) cleanUpAfter(guard, belongings);
    endOfGuard(`ended with ${signal ?? `code ${String(code)}`}`);
    ends.end();
    leave(undefined);
  });
  // A broken pipe means that the guard is dead; `close` reports that.
  guard.stdin.on("error", () => undefined);
  const tell = (order: GuardOrder): void => {
    guard.stdin.write(`${JSON.stringify(order)}\n`);
  };
  tell({ order: "own", belongings });
  createInterface({ input: guard.stdout }).on("line", (line) => {
    // `guard.ts` writes these lines, so the type is known.
    const report = JSON.parse(line) as GuardReport;
    if (report.event === "cleaned") isClean = true;
    else end(report);
  });
  return {
    ended,
    ends,
    start: (programs) => {
      tell({ order: "start", programs });
    },
    stop: () => stop(guard, gone),
  };
}

async function stop(guard: ChildProcess, gone: Promise<undefined>): Promise<void> {
  guard.stdin?.end();
  const impatience = setTimeout(() => guard.kill("SIGKILL"), STOP_DEADLINE_MS);
  await gone;
  clearTimeout(impatience);
}

/** Cleans up after a guard that was killed. Its programs are in its process group. */
function cleanUpAfter(guard: ChildProcess, belongings: Belongings): void {
  try {
    if (guard.pid !== undefined) process.kill(-guard.pid, "SIGKILL");
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
  for (const path of [belongings.temporaryFolder, belongings.lock]) {
    if (path !== undefined) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The fault for a program that ended by itself, with the end of its log. */
export function endedFault({ name, outcome, tail }: Ended): Fault {
  const words = lastWords(tail);
  return new Fault("PROCESS_FAILED", `${name} ${outcome}${words === "" ? "" : `; the end of its log:\n${words}`}`);
}

const LINES = 12;
const LINE_LENGTH = 400;

/** The end of a log for a message: its last lines, or for a Go panic, the lines that say why. */
export function lastWords(log: string): string {
  const lines = log.trim().split("\n");
  const panic = lines.findIndex((line) => /^(panic|fatal error):/.test(line));
  const words = panic === -1 ? lines.slice(-LINES) : lines.slice(Math.max(0, panic - 2), panic + 1);
  return words.map((line) => line.slice(0, LINE_LENGTH)).join("\n");
}
