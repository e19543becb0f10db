import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** The file that runs the program. */
export const mainFile: string = join(import.meta.dirname, "../../src/cli/main.ts");

/** What a finished run of the program left. */
export interface Ended {
  /** `null` when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program. */
export interface Running {
  readonly ended: Promise<Ended>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves with all that was printed so far, on either stream, as soon as `pattern` is in it. */
  readonly says: (pattern: RegExp) => Promise<string>;
}

/** Starts the program as a user would; it is killed with the test. */
export function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Running {
  // The compile cache that the program's own shim switches on: it halves the time of a start.
  const cache = join(tmpdir(), "node-compile-cache");
  const env = {
    ...process.env,
    FORCE_COLOR: undefined,
    NO_COLOR: "1",
    NODE_COMPILE_CACHE: cache,
    NODE_V8_COVERAGE: "",
    ...environment,
  };
  const child = spawn(process.execPath, [mainFile, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, ...said });
    });
  });
  const says = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const all = said.stdout + said.stderr;
      if (pattern.test(all)) return all;
      if (child.exitCode !== null) throw new Error(`it ended without saying ${String(pattern)}:\n${all}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { ended, says, signal: (name) => child.kill(name) };
}

/** Runs the program to its end. */
export function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return start(args, environment).ended;
}

/** A folder with these files. */
export function folderWith(files: ReadonlyMap<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kyma-modules-test-")));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
