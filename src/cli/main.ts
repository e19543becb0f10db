import { getSystemErrorMessage } from "node:util";
import { CommanderError } from "@commander-js/extra-typings";
import manifest from "../../package.json" with { type: "json" };
import { Fault, type Run } from "../ports.ts";
import { PRINTED_TEXT } from "./terminal/formats.ts";
import { EXIT, exitCodeOf, openLog, openOutput, type Output } from "./terminal/output.ts";
import type { SessionOptions } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { buildProgram } from "./program.ts";

/** Two signals within this time are one Ctrl-C: npm and the shim pass it on, and the terminal sends it, too. */
const SAME_SIGNAL_MS = 500;

const abort = new AbortController();
let exitCode = EXIT.fine;

/** A command that writes to the world finishes also when nobody reads what it says: what it did is worth the same. */
let finishesUnheard = false;

process.stdout.on("error", (error: Error) => {
  if (!finishesUnheard || !isUnheard(error)) endUnheard(error);
});
process.stderr.on("error", (error: Error) => {
  // What is said beside the result may go unheard; the work, the result and the exit code are worth the same.
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

/** Runs a command, and writes what it reported into files. */
async function carryOut(options: SessionOptions, work: (output: Output, run: Run) => Promise<number>): Promise<void> {
  finishesUnheard = options.finishesUnheard ?? false;
  const { format: formats = PRINTED_TEXT, ...rest } = options;
  const output = openOutput(process, { ...rest, formats, variables: process.env });
  const run: Run = { signal: signalFor(options), log: openLog(output, options.verbose) };
  const paths = formats.flatMap(({ file }) => file ?? []);
  const codes = [
    await codeOf(output, async () => {
      if (paths.length > 0) (await import("./compose/compose.ts")).checkReportFiles(paths);
      return work(output, run);
    }),
    // A report that was made before something went wrong is kept.
    await codeOf(output, async () => {
      if (output.files().size > 0) await (await import("./compose/compose.ts")).writeReports(output.files(), run);
      return EXIT.fine;
    }),
  ];
  if (!abort.signal.aborted) exitCode = Math.max(...codes);
}

/** Aborted by a signal of the user, or when the time that was given is over. */
function signalFor({ timeout }: SessionOptions): AbortSignal {
  if (timeout === undefined) return abort.signal;
  const late = new AbortController();
  setTimeout(() => {
    const message = `The command took longer than ${timeout / 1000} s (--timeout). Run it again to complete it.`;
    late.abort(new Fault("CLUSTER_TIMEOUT", message));
  }, timeout).unref();
  return AbortSignal.any([abort.signal, late.signal]);
}

/** The exit code of `work`; what it throws becomes one sentence and an exit code, unless it is a bug. */
async function codeOf(output: Output, work: () => Promise<number>): Promise<number> {
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
  return exitCodeOf(error);
}

/** Whoever reads our result may have seen enough: head, less. Otherwise nobody learns the rest. */
function endUnheard(error: NodeJS.ErrnoException): never {
  if (isUnheard(error)) process.exit(exitCode);
  const why = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
  process.stderr.write(`error: The output cannot be written: ${why}. Make room, or print it elsewhere.\n`);
  process.exit(EXIT.world);
}

/** Whether nobody reads any more. */
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
