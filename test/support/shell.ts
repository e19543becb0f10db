import { spawn, spawnSync } from "node:child_process";
import { fstatSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellWord } from "../../src/document/shellWord.ts";

/** A program to run to its end. */
export interface Task {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment but for the PATH, which is that of the tests. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: Buffer | string | undefined;
}

/** What a finished task left. */
export interface TaskOutcome {
  /** 128 + n when signal n ended it. */
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * Runs `task` in a shell that stays, and waits for it. To start a process means to copy the page tables of the one that
 * starts it: that takes a process of the tests 10 ms of both their cores, and this shell less than one.
 */
export function runInShell(task: Task): TaskOutcome {
  shell ??= new Shell();
  return shell.run(task);
}

let shell: Shell | undefined;

class Shell {
  readonly #script: number;
  readonly #statuses: number;
  readonly #stdout: number;
  readonly #stderr: number;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "kyma-modules-shell-"));
    const at = (name: string): string => join(folder, name);
    try {
      spawnSync("mkfifo", [at("script"), at("statuses")]);
      [this.#stdout, this.#stderr] = [openSync(at("stdout"), "a+"), openSync(at("stderr"), "a+")];
      const read = 'exec sh <"$0/script" >"$0/statuses"';
      const env = { PATH: process.env["PATH"] };
      spawn("sh", ["-c", read, folder], {
        env,
        stdio: ["ignore", "ignore", "inherit", this.#stdout, this.#stderr],
      }).unref();
      // Each waits until the shell has opened the other end. It ends when this process closes its own.
      this.#script = openSync(at("script"), "w");
      this.#statuses = openSync(at("statuses"), "r");
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  run({ program, args, cwd, env, input }: Task): TaskOutcome {
    const file = input === undefined ? undefined : writtenFile(input);
    const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
    const words = [...variables, "exec", ...[program, ...args].map(shellWord)].join(" ");
    const line = `(cd ${shellWord(cwd)} && ${words} <${shellWord(file ?? "/dev/null")} >&3 2>&4 3>&- 4>&-); echo $?\n`;
    try {
      writeSync(this.#script, line);
      const status = Number(this.#nextLine());
      return { status, stdout: taken(this.#stdout), stderr: taken(this.#stderr).toString() };
    } finally {
      if (file !== undefined) rmSync(file);
    }
  }

  #nextLine(): string {
    const buffer = Buffer.alloc(16);
    let line = "";
    while (!line.endsWith("\n")) {
      const length = readSync(this.#statuses, buffer);
      if (length === 0) throw new Error("the shell of the tests ended");
      line += buffer.toString("latin1", 0, length);
    }
    return line;
  }
}

function writtenFile(content: Buffer | string): string {
  const file = join(tmpdir(), `kyma-modules-input-${process.pid}`);
  writeFileSync(file, content);
  return file;
}

/** The content of a file, which is empty then. */
function taken(file: number): Buffer {
  const content = Buffer.alloc(fstatSync(file).size);
  if (content.length > 0) {
    readSync(file, content, { position: 0 });
    ftruncateSync(file);
  }
  return content;
}
