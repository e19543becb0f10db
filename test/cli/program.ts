import { spawn, type ChildProcessByStdio } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { json } from "node:stream/consumers";
import { inject, onTestFinished, type RunnerTestCase, type TestContext, TestRunner } from "vitest";
import { COMPILE_CACHE } from "../support/compileCache.ts";

/** The file that runs the program. */
export const mainFile: string = join(import.meta.dirname, "../../src/cli/main.ts");

/** What a finished run of the program left. */
export interface Ended {
  /** `null` when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program is started with. */
export interface Job {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

declare module "vitest" {
  /** What `globalSetup.ts` provides: `inject("programs")`. */
  interface ProvidedContext {
    /** The address of a {@link ProgramPool}. */
    programs: string;
  }
}

/** A running program. */
export interface Running {
  readonly ended: Promise<Ended>;
  readonly signal: (name: NodeJS.Signals) => void;
  /**
   * Resolves with what was printed so far, on either stream, as soon as `pattern` is in it, beginning with the character
   * number `from`. Rejects when the program ends before.
   */
  readonly says: (pattern: RegExp, from?: number) => Promise<string>;
}

/** Starts the program as a user would; it is killed with the test. */
export function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Running {
  const running = launch(args, environment);
  onTestFinished(() => {
    running.signal("SIGKILL");
  });
  return running;
}

/** The same; the caller ends it. */
export function launch(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Running {
  const { env } = jobOf(args, environment);
  return follow(spawn(process.execPath, [mainFile, ...args], { env, stdio: ["ignore", "pipe", "pipe"] }));
}

/** The program on a terminal of 100 columns, and a way to press keys there; skips the test where `script` makes none. */
export function startOnTerminal(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  context: TestContext,
): Running & { readonly press: (keys: string) => void } {
  if (process.platform !== "linux" || !existsSync("/usr/bin/script")) context.skip("there is no script of util-linux");
  const env = { ...jobOf([], environment).env, NO_COLOR: "", TERM: "xterm" };
  const words = [process.execPath, mainFile, ...args].map((word) => `'${word}'`);
  const line = `stty cols 100 rows 40; exec ${words.join(" ")}`;
  const child = spawn("/usr/bin/script", ["-qefc", line, "/dev/null"], { env, stdio: "pipe" });
  const running = follow(child);
  context.onTestFinished(() => {
    running.signal("SIGKILL");
  });
  return { ...running, press: (keys) => void child.stdin.write(keys) };
}

function follow(child: ChildProcessByStdio<Writable | null, Readable, Readable>): Running {
  const said = { stdout: "", stderr: "" };
  const heard = new EventEmitter();
  let all = "";
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text;
      all += text;
      heard.emit("more");
    });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, ...said });
    });
  });
  const says = async (pattern: RegExp, from = 0): Promise<string> => {
    while (!pattern.test(all.slice(from))) {
      const more = await Promise.race([ended, once(heard, "more")]);
      if ("code" in more && !pattern.test(all.slice(from)))
        throw new Error(`it ended without saying ${String(pattern)}:\n${all}`);
    }
    return all.slice(from);
  };
  return { ended, says, signal: (name) => child.kill(name) };
}

/** Runs the program to its end; in a process that has it loaded, unless Node is told something at its start. */
export async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const socketPath = inject("programs");
  if (Object.keys(environment).some((name) => name.startsWith("NODE_"))) return start(args, environment).ended;
  // A connection that is kept may end while a test blocks this process.
  const asked = request({ socketPath, method: "POST", agent: false });
  // A hook has no end to wait for: what it runs may go on for as long as the hook.
  if (TestRunner.getCurrentTest<RunnerTestCase | undefined>() !== undefined)
    onTestFinished(() => {
      asked.destroy();
    });
  asked.end(JSON.stringify(jobOf(args, environment)));
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  return (await json(response)) as Ended;
}

function jobOf(args: readonly string[], environment: Readonly<Record<string, string>>): Job {
  const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1", ...COMPILE_CACHE, NODE_V8_COVERAGE: "" };
  return { args, cwd: process.cwd(), env: { ...env, ...environment } };
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
