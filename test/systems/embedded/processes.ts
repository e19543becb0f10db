import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The command lines of all processes that have `text` in theirs. */
export function processesWith(text: string): readonly string[] {
  return commandLines().filter((line) => line.includes(text));
}

function commandLines(): readonly string[] {
  if (!existsSync("/proc/self/cmdline")) return execFileSync("ps", ["-axo", "args="], { encoding: "utf8" }).split("\n");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine);
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
