import { runToEnd } from "./wholeProcess.ts";

/** Runs Git in `folder` with settings of its own, and gives what it printed; throws when it fails. */
export function gitIn(folder: string, signal: AbortSignal): (...args: readonly string[]) => Promise<string> {
  const settings = {
    "user.name": "bench",
    "user.email": "bench@example.org",
    "commit.gpgsign": "false",
    // Packed by ourselves, once: Git would otherwise begin with it in the background, and still be at it while we measure.
    "gc.auto": "0",
    "maintenance.auto": "false",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return (...args) => runToEnd({ program: "git", args: [...flags, ...args], cwd: folder }, signal);
}

/** Commits all of `folder`, which becomes a repository if it is none, and packs it. */
export async function commitAll(folder: string, signal: AbortSignal): Promise<void> {
  const git = gitIn(folder, signal);
  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=Sample");
  await git("repack", "-a", "-d", "--quiet");
}
