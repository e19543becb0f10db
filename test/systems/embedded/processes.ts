import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The command lines of all processes that have `text` in theirs. */
export function processesWith(text: string): readonly string[] {
  return processes().flatMap(({ line }) => (line.includes(text) ? [line] : []));
}

/** Kills the one process of `program` that has `text` in its command line. */
export function kill(program: string, text: string): void {
  signal("SIGKILL", program, text);
}

/** Sends a signal to the one process of `program` that has `text` in its command line. */
export function signal(name: NodeJS.Signals, program: string, text: string): void {
  const found = processes().filter(({ line }) => line.split(" ")[0]?.endsWith(`/${program}`) && line.includes(text));
  if (found.length !== 1) throw new Error(`${found.length} processes of ${program} have ${text} in their command line`);
  for (const { pid } of found) process.kill(pid, name);
}

interface Process {
  readonly pid: number;
  readonly line: string;
}

function processes(): readonly Process[] {
  if (existsSync("/proc/self/cmdline"))
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => ({ pid: Number(pid), line: commandLine(pid) }));
  const lines = execFileSync("ps", ["-axo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return lines.map((text) => {
    const [, pid = "", line = ""] = /^ *(\d+) (.*)$/.exec(text) ?? [];
    return { pid: Number(pid), line };
  });
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch (error) {
    // It ended between the two looks.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return "";
    throw error;
  }
}
