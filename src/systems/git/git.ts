import { once } from "node:events";
import { getSystemErrorName } from "node:util";
import { nameBytes } from "../../document/fileName.ts";
import { withoutPasswords } from "../../document/printable.ts";
import { Fault, type FaultCode, type Run } from "../../ports.ts";
import type { Variables } from "../environment.ts";
import { problemText } from "../errno.ts";
import { isFolder, type CommandOutput } from "../process.ts";

interface GitCommand {
  readonly directory: string;
  /** Its complete environment. */
  readonly variables: Variables;
  readonly args: readonly string[];
}

/** Options of a Git command. */
export interface GitOptions {
  /** Its standard input; names in it are as `nameText` returns them. */
  readonly input?: string;
  /** Exit codes besides 0 that are not failures. */
  readonly accepted?: readonly number[];
  /** The code of the fault if it fails. */
  readonly fault?: FaultCode;
  /** The timeout, the name of the system that must answer, and the code of the fault. */
  readonly deadline?: Deadline;
}

interface Deadline {
  readonly ms: number;
  readonly who: string;
  readonly fault: FaultCode;
}

/** Timeout of a command that has no other one. */
export const DEADLINE_MS = 120_000;

/**
 * Runs Git, independent of the user's configuration; an abort ends it. Throws a fault with Git's message if it fails.
 */
export async function runGit(
  command: GitCommand,
  { input = "", accepted = [], fault = "GIT_FAILED", deadline = { ms: DEADLINE_MS, who: "git", fault } }: GitOptions,
  run: Run,
): Promise<CommandOutput> {
  const { directory, args } = command;
  const late = AbortSignal.timeout(deadline.ms);
  const end = await commandEnd(command, input, AbortSignal.any([run.signal, late]));
  run.signal.throwIfAborted();
  if (late.aborted) throw noAnswer(deadline);
  if ("cause" in end) throw notStarted(directory, fault, end.cause);
  if (end.code === 0 || accepted.includes(end.code)) return end;
  throw new Fault(fault, withoutPasswords(`git ${args.join(" ")} failed (${end.code}): ${end.stderr.trim()}`));
}

/** The fault for a deadline that has passed. */
export function noAnswer({ ms, who, fault }: Deadline): Fault {
  const message = `${who} did not answer within ${ms / 1_000} s. Check the network, then run the command again.`;
  return new Fault(fault, message, { retry: true });
}

/** The fault for a process that could not be started in a folder. */
export function notStarted(directory: string, fault: FaultCode, cause: unknown): Fault {
  if (!isFolder(directory))
    return new Fault("CONFIGURATION", `There is no folder ${directory}. Name another: --repo DIR.`, { cause });
  return new Fault(fault, `git could not be run in ${directory}: ${problemText(cause)}.`, { cause });
}

/** Overrides for user settings that would change the output. */
const SETTINGS = [
  "core.quotePath=false",
  "core.warnAmbiguousRefs=true",
  "log.showRoot=true",
  "log.showSignature=false",
];

/**
 * Options that simple-git blocks by default, as protection for programs that pass on untrusted input (decision 0025).
 */
const UNSAFE = Object.fromEntries(
  [
    ...["Alias", "AskPass", "CommandBinaries", "ConfigEnvCount", "ConfigPaths", "CredentialHelper", "DiffExternal"],
    ...["DiffTextConv", "Editor", "Exec", "Filter", "FsMonitor", "GitProxy", "GpgProgram", "HooksPath", "Include"],
    ...["MergeDriver", "Pack", "Pager", "ProtocolOverride", "SshCommand", "Submodule", "TemplateDir", "UrlRewrite"],
  ].map((what) => [`allowUnsafe${what}`, true]),
);

/** The output of Git, or the reason why it could not run. */
type GitEnd = CommandOutput | { readonly cause: unknown };

/** Runs a command with simple-git until it ends or `signal` is aborted. */
async function commandEnd(
  { directory, variables, args }: GitCommand,
  input: string,
  signal: AbortSignal,
): Promise<GitEnd> {
  // Loaded on demand: not every command needs Git, and loading it is slow.
  const { simpleGit } = await import("simple-git");
  const over = new AbortController();
  let end: GitEnd = { cause: undefined };
  try {
    const client = simpleGit({
      baseDir: directory,
      abort: signal,
      config: SETTINGS,
      allowEnvironment: Object.keys(variables),
      unsafe: { ...UNSAFE, allowAbbreviatedOptions: true },
      input: () => nameBytes(input),
      // Output may still be on its way when a process exits.
      completion: { onExit: false },
      errors: (_error, { exitCode, stdOut, stdErr }) => {
        // Removed from the array, so that simple-git does not decode it: blobs are not text, and may exceed the maximum
        // length of a string.
        const [stdout, stderr] = [Buffer.concat(stdOut.splice(0)), Buffer.concat(stdErr).toString()];
        end = exitCode < 0 ? { cause: spawnError(exitCode) } : { code: exitCode, stdout, stderr };
        return undefined;
      },
    });
    // Children of Git may outlive it and keep its pipes open: an abort does not wait for them.
    const aborted = once(signal, "abort", { signal: over.signal });
    await Promise.race([
      client
        .env(variables)
        // Emits an empty chunk at the end: without any output, simple-git would wait another 50 ms for it.
        .outputHandler((_command, stdout) => {
          stdout.once("end", () => stdout.emit("data", Buffer.of()));
        })
        .raw([...args]),
      aborted,
    ]);
    return end;
  } catch (cause) {
    return { cause };
  } finally {
    over.abort();
  }
}

/** The error of Node for a program that could not be started. */
function spawnError(errno: number): Error {
  return Object.assign(new Error("spawn git"), {
    errno,
    code: getSystemErrorName(errno),
    syscall: "spawn",
    path: "git",
  });
}
