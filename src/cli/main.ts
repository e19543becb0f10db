import { getSystemErrorMessage } from "node:util";
import { CommanderError } from "@commander-js/extra-typings";
import manifest from "../../package.json" with { type: "json" };
import { Fault, type Run } from "../ports.ts";
import { EXIT, faultExitCode, openLog, openOutput, PRINTED_TEXT, type Output } from "./terminal/output.ts";
import type { SessionOptions } from "./command.ts";
import { buildProgram, COMMANDS } from "./commands.ts";

/** Two signals within this time are one Ctrl-C: npm and the shim pass it on, and the terminal sends it, too. */
const SAME_SIGNAL_MS = 500;

const abort = new AbortController();
let exitCode = EXIT.fine;

/** A command that writes to the world finishes even if the reader closes its output: its writes still count. */
let finishesUnheard = false;

process.stdout.on("error", (error: Error) => {
  if (!finishesUnheard || !isUnheard(error)) endUnheard(error);
});
process.stderr.on("error", (error: Error) => {
  // The reader may close stderr: the work, the result and the exit code do not depend on it.
  if (!isUnheard(error)) endUnheard(error);
});
listen("SIGINT", EXIT.interrupted);
listen("SIGTERM", EXIT.terminated);

const program = buildProgram(COMMANDS, {
  version: manifest.version,
  signal: abort.signal,
  carryOut,
  print: (text) => {
    process.stdout.write(text);
  },
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  exitCode = error.exitCode === 0 ? EXIT.fine : EXIT.usage;
}
process.exitCode = exitCode;

/** Runs a command, and writes its report files. */
async function carryOut(options: SessionOptions, work: (output: Output, run: Run) => Promise<number>): Promise<void> {
  finishesUnheard = options.finishesUnheard ?? false;
  const { format: formats = PRINTED_TEXT, ...rest } = options;
  const output = openOutput(process, { ...rest, formats, variables: process.env });
  const run: Run = { signal: signalFor(options), log: openLog(output, options.verbose) };
  const paths = formats.flatMap(({ file }) => file ?? []);
  const codes = [
    await finalExitCode(output, async () => {
      if (paths.length > 0) (await import("./compose/compose.ts")).checkReportFiles(paths);
      return work(output, run);
    }),
    // A report that was made before a failure is still written.
    await finalExitCode(output, async () => {
      if (output.files().size > 0) await (await import("./compose/compose.ts")).writeReports(output.files(), run);
      return EXIT.fine;
    }),
  ];
  if (!abort.signal.aborted) exitCode = Math.max(...codes);
}

/** Aborts on a signal of the user, or after the timeout. */
function signalFor({ timeout }: SessionOptions): AbortSignal {
  if (timeout === undefined) return abort.signal;
  const late = new AbortController();
  setTimeout(() => {
    const message = `The command took longer than ${timeout / 1000} s (--timeout). Run it again to complete it.`;
    late.abort(new Fault("CLUSTER_TIMEOUT", message));
  }, timeout).unref();
  return AbortSignal.any([abort.signal, late.signal]);
}

/** Runs `work`, and returns its exit code. A fault is printed as one sentence; a bug is thrown. */
async function finalExitCode(output: Output, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault || abort.signal.aborted) return explain(error, output);
    return explain((await import("./compose/compose.ts")).systemFault(error) ?? error, output);
  }
}

function explain(error: unknown, output: Output): number {
  if (abort.signal.aborted) {
    output.say(`${output.paint("change", "interrupted")}: run the command again`);
    return exitCode;
  }
  if (!(error instanceof Fault)) throw error;
  output.say(`${output.paint("bad", "error")}: ${error.message}`);
  return faultExitCode(error);
}

/** Ends the process: quietly if the reader closed the output (head, less), with an error if it cannot be written. */
function endUnheard(error: NodeJS.ErrnoException): never {
  if (isUnheard(error)) process.exit(exitCode);
  const why = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
  process.stderr.write(`error: The output cannot be written: ${why}. Make room, or print it elsewhere.\n`);
  process.exit(EXIT.world);
}

/** Whether the reader closed the stream. */
function isUnheard(error: Error): boolean {
  return "code" in error && error.code === "EPIPE";
}

/** The first signal stops the command between two writes; a second one ends the process at once. */
function listen(signal: "SIGINT" | "SIGTERM", code: number): void {
  let firstAt = Number.POSITIVE_INFINITY;
  process.on(signal, () => {
    const now = performance.now();
    if (now - firstAt > SAME_SIGNAL_MS) process.exit(code);
    if (firstAt !== Number.POSITIVE_INFINITY) return;
    firstAt = now;
    exitCode = code;
    abort.abort(new Error(`interrupted by ${signal}`));
  });
}
