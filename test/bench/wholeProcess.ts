import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "../../src/systems/environment.ts";
import type { Sample } from "./figures.ts";

/** A program with its arguments; `env` is added to ours. `exitCodes` are those of a success, 0 unless it says others. */
export interface Program {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly exitCodes?: readonly number[];
}

/** What a whole process cost, when it ran (Unix milliseconds), and what it printed. */
export interface WholeProcess extends Omit<Sample, "details"> {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly stdout: string;
}

/** Measures whole processes: from the start to the exit, start-up included. */
export type Measure = (program: Program) => Promise<WholeProcess>;

/**
 * A measure that keeps its notes in `folder`. CPU time and memory come from GNU time, which hears them from the kernel;
 * where there is none, they are `null`. A process that fails is an error: it did not do what was to be measured.
 */
export async function openMeasure(folder: string, signal: AbortSignal): Promise<Measure> {
  const time = process.platform === "linux" ? await findOnPath("time", process.env) : undefined;
  const notes = join(folder, "time.txt");
  return async (program) => {
    const timed = time === undefined ? program : underTime(time, notes, program);
    const startedMs = Date.now();
    const startedAt = performance.now();
    const stdout = await runToEnd(timed, signal);
    const wallSeconds = (performance.now() - startedAt) / 1000;
    const usage = time === undefined ? { cpuSeconds: null, peakMiB: null } : readUsage(notes);
    return { wallSeconds, ...usage, startedMs, endedMs: Date.now(), stdout };
  };
}

/** Runs a program to its end and gives what it printed; throws with its last words when it fails. */
export async function runToEnd(
  { program, args, cwd, env, exitCodes = [0] }: Program,
  signal: AbortSignal,
): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    signal,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== null && exitCodes.includes(code)) return Buffer.concat(stdout).toString();
  const words = Buffer.concat([...stderr, ...stdout])
    .toString()
    .slice(-2000);
  throw new Error(`${program} ${args.join(" ")} ended with ${code ?? "a signal"}:\n${words}`);
}

function underTime(time: string, notes: string, { program, args, ...rest }: Program): Program {
  return { program: time, args: ["-o", notes, "-f", "%U %S %M", program, ...args], ...rest };
}

function readUsage(notes: string): Pick<Sample, "cpuSeconds" | "peakMiB"> {
  const [user = 0, system = 0, peakKiB = 0] = readFileSync(notes, "utf8").trim().split(" ").map(Number);
  rmSync(notes);
  return { cpuSeconds: user + system, peakMiB: peakKiB / 1024 };
}
