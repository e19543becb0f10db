import { once } from "node:events";
import { getSystemErrorName } from "node:util";
import { Fault, type FaultCode, type Run } from "../../ports.ts";
import type { Variables } from "../environment.ts";
import { problemText } from "../errno.ts";
import { isFolder, type CommandOutput } from "../process.ts";

/** A Git command. */
export interface GitCommand {
  readonly directory: string;
  /** Its whole environment. */
  readonly variables: Variables;
  readonly args: readonly string[];
}

/** How a Git command is run. */
export interface GitOptions {
  /** What it reads from its standard input. */
  readonly input?: string;
  /** Exit codes that are answers and no failures. */
  readonly accepted?: readonly number[];
  /** The code of the Fault when it fails. */
  readonly fault?: FaultCode;
  /** Who may take how long to answer, and the code of the Fault after that. */
  readonly deadline?: { readonly ms: number; readonly who: string; readonly fault: FaultCode };
}

/** No command may run longer. */
const DEADLINE_MS = 120_000;

/** Runs Git, whatever the user has configured; an abort ends it. Throws a Fault with what Git says when it fails. */
export async function runGit(
  command: GitCommand,
  { input = "", accepted = [], fault = "GIT_FAILED", deadline = { ms: DEADLINE_MS, who: "git", fault } }: GitOptions,
  run: Run,
): Promise<CommandOutput> {
  const { directory, args } = command;
  const late = AbortSignal.timeout(deadline.ms);
  const end = await endOf(command, input, AbortSignal.any([run.signal, late]));
  run.signal.throwIfAborted();
  if (late.aborted) {
    const message = `${deadline.who} did not answer within ${deadline.ms / 1_000} s. Check the network, then run the command again.`;
    throw new Fault(deadline.fault, message, { retry: true });
  }
  if ("cause" in end) {
    const { cause } = end;
    if (!isFolder(directory))
      throw new Fault("CONFIGURATION", `There is no folder ${directory}. Name another: --repo DIR.`, { cause });
    throw new Fault(fault, `git could not be run in ${directory}: ${problemText(cause)}.`, { cause });
  }
  if (end.code === 0 || accepted.includes(end.code)) return end;
  throw new Fault(fault, withoutPasswords(`git ${args.join(" ")} failed (${end.code}): ${end.stderr.trim()}`));
}

/** A text as it may be shown: addresses in it lose their credentials. */
export function withoutPasswords(text: string): string {
  // To the last @: a password may have one, and a slash.
  return text.replaceAll(/:\/\/[^\s'"]*@/g, "://");
}

/** What a user's configuration could change about the output that is read here. */
const SETTINGS = ["core.quotePath=false", "log.showRoot=true", "log.showSignature=false"];

/** What simple-git keeps from programs that pass on what strangers write (decision 0025). */
const UNSAFE = Object.fromEntries(
  [
    ...["Alias", "AskPass", "CommandBinaries", "ConfigEnvCount", "ConfigPaths", "CredentialHelper", "DiffExternal"],
    ...["DiffTextConv", "Editor", "Exec", "Filter", "FsMonitor", "GitProxy", "GpgProgram", "HooksPath", "Include"],
    ...["MergeDriver", "Pack", "Pager", "ProtocolOverride", "SshCommand", "Submodule", "TemplateDir", "UrlRewrite"],
  ].map((what) => [`allowUnsafe${what}`, true]),
);

/** What Git printed, or why it was not run. */
type GitEnd = CommandOutput | { readonly cause: unknown };

/** Lets simple-git run a command to its end, whatever that is, or until `signal` is aborted. */
async function endOf({ directory, variables, args }: GitCommand, input: string, signal: AbortSignal): Promise<GitEnd> {
  // Not every command asks Git, and this takes longer to load than those that do not.
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
      input: () => Buffer.from(input),
      // What a process printed may still be on its way when it exits.
      completion: { onExit: false },
      errors: (_error, { exitCode, stdOut, stdErr }) => {
        // Taken out, so that it is not decoded as well: blobs are not text, and may be longer than one can be.
        const [stdout, stderr] = [Buffer.concat(stdOut.splice(0)), Buffer.concat(stdErr).toString()];
        end = exitCode < 0 ? { cause: spawnError(exitCode) } : { code: exitCode, stdout, stderr };
        return undefined;
      },
    });
    // What Git started may outlive it, with its pipes: an abort does not wait for their end.
    const aborted = once(signal, "abort", { signal: over.signal });
    await Promise.race([
      client
        .env(variables)
        .outputHandler(speakUp)
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

/** Where nothing was printed, simple-git waits another 50 ms for it: an empty piece at the end is printed as well. */
function speakUp(_command: string, stdout: NodeJS.ReadableStream): void {
  stdout.once("end", () => stdout.emit("data", Buffer.of()));
}

/** As Node says that a program could not be started. */
function spawnError(errno: number): Error {
  return Object.assign(new Error("spawn git"), {
    errno,
    code: getSystemErrorName(errno),
    syscall: "spawn",
    path: "git",
  });
}
