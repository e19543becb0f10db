import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";

/** How long a stopped or ended program has until it is killed with all that it started. Milliseconds. */
const GRACE_MS = 10_000;
const POLL_MS = 50;
const LABEL_WIDTH = 11;

/** A program of Node that speaks under a label. */
export interface Labelled {
  readonly label: string;
  /** The script and its arguments. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Prints one line under a label. */
export function say(label: string, line: string): void {
  console.log(`${label.padEnd(LABEL_WIDTH)}| ${line}`);
}

/** Sends `signal` to the process group of `pid`; 0 only asks. Gives whether anything of it was there. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

/** Waits until `isOver`, at most the grace time. Gives whether it came true. */
async function within(isOver: () => boolean): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < GRACE_MS; waitedMs += POLL_MS) {
    if (isOver()) return true;
    await pause(POLL_MS);
  }
  return isOver();
}

/** Ends whatever the program left running, and gives the complaint about it. */
async function sweep(pid: number, child: ChildProcess, closed: () => boolean): Promise<string | undefined> {
  if (!(await within(() => !signalGroup(pid, 0)))) {
    signalGroup(pid, "SIGKILL");
    return "left processes running; they were killed";
  }
  if (await within(closed)) return undefined;
  child.stdout?.destroy();
  child.stderr?.destroy();
  return "left a process running that still holds its output open";
}

async function echo(label: string, stream: Readable): Promise<void> {
  for await (const line of createInterface({ input: stream })) say(label, line);
}

/**
 * Runs a program in a process group of its own, every line of its output under its label.
 *
 * Gives its exit code: 1 as well when it left processes behind, or was ended by a signal. When `signal` aborts, the
 * group gets SIGTERM, and SIGKILL 10 s later.
 */
export async function runLabelled(program: Labelled, signal: AbortSignal): Promise<number> {
  const { label, args, cwd, env } = program;
  const child = spawn(process.execPath, args, {
    cwd,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${process.execPath} does not start`);
  let isClosed = false;
  void Promise.all([echo(label, child.stdout), echo(label, child.stderr)]).then(() => (isClosed = true));
  const stop = (): void => {
    signalGroup(pid, "SIGTERM");
    setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS).unref();
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const [code] = (await once(child, "exit")) as [number | null];
  const complaint = await sweep(pid, child, () => isClosed);
  signal.removeEventListener("abort", stop);
  if (complaint !== undefined) say(label, complaint);
  return complaint === undefined ? (code ?? 1) : 1;
}
