import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
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
  const env = {
    ...process.env,
    FORCE_COLOR: undefined,
    NO_COLOR: "1",
    ...COMPILE_CACHE,
    NODE_V8_COVERAGE: "",
    ...environment,
  };
  const child = spawn(process.execPath, [mainFile, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
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
