import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mainFile } from "../cli/program.ts";
import { plainEnvironment } from "../house/clone.ts";
import { COMPILE_CACHE } from "../support/compileCache.ts";

/** A shell in which commands are typed one after the other. */
export interface Terminal {
  /** Types a command, or waits for more of the one that runs; gives what is printed up to its end or the line of `until`. */
  readonly type: (command: string, until?: RegExp) => Promise<string>;
  /** Presses Ctrl-C; gives what is printed after it. */
  readonly interrupt: () => Promise<string>;
  /** Kills the shell and what runs in it. */
  readonly close: () => void;
}

/** In a clone, npm and npx run this very program; here without the second that they take. */
const PRELUDE = `
exec 2>&1
code=0
trap : INT
program() { "$NODE" "$PROGRAM" "$@"; }
npx() { if [ "$1" = kyma-modules ]; then program "\${@:2}"; else command npx "$@"; fi; }
npm() { if [ "$1" = start ]; then program demo "\${@:3}"; else command npm "$@"; fi; }
`;
/** No command prints this character. */
const END = "\u001e";

const ENVIRONMENT = {
  NODE: process.execPath,
  PROGRAM: mainFile,
  KUBECONFIG: "/nowhere",
  NO_COLOR: "1",
  FORCE_COLOR: undefined,
  ...COMPILE_CACHE,
  NODE_V8_COVERAGE: "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Octo Cat",
  GIT_AUTHOR_EMAIL: "octocat@example.com",
  GIT_COMMITTER_NAME: "Octo Cat",
  GIT_COMMITTER_EMAIL: "octocat@example.com",
};

/** Opens a shell in `folder`, as a person has it there. */
export function openTerminal(folder: string, environment: Readonly<Record<string, string>>): Terminal {
  const env = { ...plainEnvironment(), ...ENVIRONMENT, ...environment };
  // a group of its own, so that Ctrl-C reaches the shell and what runs in it
  const shell = spawn("bash", { cwd: folder, env, detached: true, stdio: ["pipe", "pipe", "inherit"] });
  const heard = new EventEmitter();
  let unread = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => {
    unread += text;
    heard.emit("more");
  });
  shell.on("close", () => {
    unread += END;
    heard.emit("more");
  });
  const readTo = async (end: RegExp): Promise<string> => {
    for (;;) {
      const found = end.exec(unread);
      if (found !== null) {
        const read = unread.slice(0, found.index + found[0].length);
        unread = unread.slice(read.length);
        return read.replace(END, "");
      }
      await once(heard, "more");
    }
  };
  shell.stdin.write(PRELUDE);
  return {
    type: (command, until) => {
      if (command !== "") shell.stdin.write(`{ (exit $code)\n${command}\n} </dev/null\ncode=$?\nprintf '${END}'\n`);
      return readTo(until === undefined ? new RegExp(END) : new RegExp(`(?:${until.source}).*\\n|${END}`));
    },
    interrupt: () => {
      signal("SIGINT");
      return readTo(new RegExp(END));
    },
    close: () => {
      signal("SIGKILL");
    },
  };

  function signal(name: NodeJS.Signals): void {
    if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, name);
  }
}
