import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SCRIPTS } from "../../src/cli/completion/scripts.ts";
import { folderWith, mainFile } from "./program.ts";
import { siteOf } from "./promoting.ts";

/** Completes as the program does, and otherwise says with what it was called. */
const PROGRAM = `#!/bin/sh
case "$1" in
__complete) exec "${process.execPath}" "${mainFile}" "$@" ;;
esac
printf RAN
printf ' <%s>' "$@"
echo .
`;

type Line = readonly [typed: string, called: string];

/** What is typed (a tab completes), and with what the program is called then. */
const LINES: readonly Line[] = [
  ["prom\t", "<promote>"],
  ["status --chan\treg\t", "<status> <--channel> <regular>"],
  ["status --channel=reg\t", "<status> <--channel=regular>"],
  ["hold sam\t1.0\t--reason x", "<hold> <sample@1.0.0> <--reason> <x>"],
  ["rollout sam\t", "<rollout> <sample>"],
  ["plan de\t", "<plan> <dev>"],
  ["render de\t", "<render> <dev>"],
  ["render sam\t1.0\t", "<render> <sample@1.0.0>"],
  ["sync --wait 5m de\t", "<sync> <--wait> <5m> <dev>"],
  ["sync pau\tde\tsam\t--reason x", "<sync> <pause> <dev> <sample> <--reason> <x>"],
  ["install de\t", "<install> <dev>"],
  ["check --rule crd-comp\t", "<check> <--rule> <crd-compatible>"],
  ["check --format text,js\t", "<check> <--format> <text,json>"],
  ["check --format=text,js\t", "<check> <--format=text,json>"],
  ["simulate --policy channels/regular.y\t", "<simulate> <--policy> <channels/regular.yaml>"],
  ["check --repo mod\tsample", "<check> <--repo> <modules/sample>"],
  ["nope no\t", "<nope> <no>"],
  ["hold '$(touch hacked)'@\t", "<hold> <$(touch hacked)@>"],
];

/** Where a shell is started, and with which environment. */
export interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A catalogue, and the program on the PATH. */
export function place(): Place {
  const bin = folderWith(new Map([["kyma-modules", PROGRAM]]));
  chmodSync(join(bin, "kyma-modules"), 0o755);
  for (const [shell, script] of Object.entries(SCRIPTS)) writeScript(bin, shell, script);
  const path = `${bin}:${process.env["PATH"] ?? ""}`;
  return { cwd: siteOf().path, env: { ...process.env, PATH: path, SCRIPTS: bin, TERM: "dumb", HOME: bin } };
}

function writeScript(folder: string, shell: string, script: string): void {
  execFileSync("sh", ["-c", `cat > "${join(folder, shell)}"`], { input: `${script}\n` });
}

/** Whether a program is on the PATH. */
export function isThere(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}

type Shell = readonly [program: string, command: string, setUp: string];

/** Types `lines` into an interactive shell on a terminal of its own; gives with what the program was called. */
async function typed(lines: readonly Line[], [, shell, setUp]: Shell, { cwd, env }: Place): Promise<string> {
  const child = spawn("script", ["--quiet", "--return", "--command", shell, "/dev/null"], { cwd, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let shown = "";
  const ended = new Promise((resolve) => child.on("close", resolve));
  child.stdout.on("data", (chunk: Buffer) => (shown += chunk.toString()));
  child.stdin.write(`${setUp}\r`);
  for (const [index, [line]] of lines.entries()) {
    child.stdin.write(`kyma-modules ${line}\r`);
    // To its end: the terminal echoes what is typed next into the middle of what is being printed.
    while (callsIn(shown).length <= index) {
      if (child.exitCode !== null) throw new Error(`${shell} ended:\n${shown}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  child.stdin.write("exit\r");
  await ended;
  return shown;
}

function callsIn(shown: string): readonly string[] {
  return [...shown.matchAll(/RAN (<.*>)\./g)].map(([, call]) => call ?? "");
}

const SHELLS: readonly Shell[] = [
  ["bash", "bash --norc --noprofile -i", 'set -u; source "$SCRIPTS/bash"'],
  ["zsh", "zsh -f -i", 'autoload -Uz compinit; compinit -u -D; source "$SCRIPTS/zsh"'],
];

/** Types some of the lines into each shell. */
export function testTyping(some: (lines: readonly Line[]) => readonly Line[]): void {
  const lines = some(LINES);
  it.for(SHELLS)("in %s completes what is typed on a terminal", async (shell, context) => {
    const missing = ["script", shell[0]].find((name) => !isThere(name));
    if (missing !== undefined) return context.skip(`there is no ${missing}`);
    const shown = await typed(lines, shell, place());

    expect(callsIn(shown)).toEqual(lines.map(([, called]) => called));
    expect(shown).not.toMatch(/not found|error|readonly/);
    return undefined;
  });
}
