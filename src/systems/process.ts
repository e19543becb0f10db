import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { Fault, type FaultCode, type Run } from "../ports.ts";
import { problemText } from "./errno.ts";

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input?: string;
  /** Exit codes besides 0 that are not failures. */
  readonly accepted?: readonly number[];
  /** The code of the fault if it fails. */
  readonly fault: FaultCode;
}

/** The output of a command. */
export interface CommandOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const DEADLINE_MS = 120_000;

/** Runs a command; an abort kills it. Throws a fault with its error output if it cannot be started or fails. */
export async function execute(command: Command, run: Run): Promise<CommandOutput> {
  const { program, args, cwd, input = "", accepted = [], fault } = command;
  const late = AbortSignal.timeout(DEADLINE_MS);
  const signal = AbortSignal.any([run.signal, late]);
  const output = await new Promise<CommandOutput>((resolve, reject) => {
    const child = spawn(program, args, { cwd, signal, stdio: ["pipe", "pipe", "pipe"] });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code: code ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() });
    });
    // A command that ends before it has read all input closes the pipe: its exit code tells what happened.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  }).catch((cause: unknown) => {
    run.signal.throwIfAborted();
    // If the folder is missing, Node reports the program as missing.
    if (!isFolder(cwd)) throw new Fault("CONFIGURATION", `There is no folder ${cwd}. Name one that exists.`, { cause });
    if (late.aborted) throw new Fault(fault, `${program} did not end within ${DEADLINE_MS / 1000} s.`, { cause });
    throw new Fault(fault, `${program} could not be run in ${cwd}: ${problemText(cause)}.`, { cause });
  });
  if (output.code === 0 || accepted.includes(output.code)) return output;
  throw new Fault(fault, `${program} ${args.join(" ")} failed (${output.code}): ${output.stderr.trim()}`);
}

/** Whether there is a folder at `path`. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** An identity of this process that is unique across machines: `<host>_<pid>_<start>`. */
export function processIdentity(): string {
  return `${hostname()}_${process.pid}_${Math.round(performance.timeOrigin).toString(36)}`;
}

/** The user that this process runs as; its number if it has no name, as in a container. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${String(process.getuid?.() ?? "unknown")}`;
  }
}
