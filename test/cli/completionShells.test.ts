import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { SCRIPTS } from "../../src/cli/completion/scripts.ts";
import { siteOf } from "./promoting.ts";
import { folderWith, mainFile, run } from "./program.ts";

/** Completes as the program does, and otherwise says with what it was called. */
const PROGRAM = `#!/bin/sh
case "$1" in
__complete) exec "${process.execPath}" "${mainFile}" "$@" ;;
esac
printf RAN
printf ' <%s>' "$@"
echo .
`;

/** What is typed (a tab completes), and with what the program is called then. */
const LINES: readonly (readonly [typed: string, called: string])[] = [
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

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A catalogue, and the program on the PATH. */
function place(): Place {
  const bin = folderWith(new Map([["kyma-modules", PROGRAM]]));
  chmodSync(join(bin, "kyma-modules"), 0o755);
  for (const [shell, script] of Object.entries(SCRIPTS)) writeScript(bin, shell, script);
  const path = `${bin}:${process.env["PATH"] ?? ""}`;
  return { cwd: siteOf().path, env: { ...process.env, PATH: path, SCRIPTS: bin, TERM: "dumb", HOME: bin } };
}

function writeScript(folder: string, shell: string, script: string): void {
  execFileSync("sh", ["-c", `cat > "${join(folder, shell)}"`], { input: `${script}\n` });
}

function isThere(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}

/** Types `lines` into an interactive shell on a terminal of its own; gives with what the program was called. */
async function typed(shell: string, setUp: string, { cwd, env }: Place): Promise<string> {
  const child = spawn("script", ["--quiet", "--return", "--command", shell, "/dev/null"], { cwd, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let shown = "";
  const ended = new Promise((resolve) => child.on("close", resolve));
  child.stdout.on("data", (chunk: Buffer) => (shown += chunk.toString()));
  child.stdin.write(`${setUp}\r`);
  for (const [index, [line]] of LINES.entries()) {
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

const SHELLS: readonly (readonly [program: string, command: string, setUp: string])[] = [
  ["bash", "bash --norc --noprofile -i", 'set -u; source "$SCRIPTS/bash"'],
  ["zsh", "zsh -f -i", 'autoload -Uz compinit; compinit -u -D; source "$SCRIPTS/zsh"'],
];

describe("completion", () => {
  it.for(SHELLS)("in %s completes what is typed on a terminal", async ([program, command, setUp], context) => {
    const missing = ["script", program].find((name) => !isThere(name));
    if (missing !== undefined) return context.skip(`there is no ${missing}`);
    const shown = await typed(command, setUp, place());

    expect(callsIn(shown)).toEqual(LINES.map(([, called]) => called));
    expect(shown).not.toMatch(/not found|error|readonly/);
    return undefined;
  });

  it("in fish offers the same, with descriptions", (context: TestContext) => {
    if (!isThere("fish")) return context.skip("there is no fish");
    const { cwd, env } = place();
    const offered = (line: string): string =>
      execFileSync("fish", ["-N", "-c", `source $SCRIPTS/fish; complete -C '${line}'`], { cwd, env }).toString();

    expect(offered("kyma-modules prom")).toMatch(/^promote\tShows whether each module can be promoted now\n$/);
    expect(offered("kyma-modules hold sample@1.0")).toMatch(/^sample@1\.0\.0\s*\n$/);
    expect(offered("kyma-modules status --channel reg")).toMatch(/^regular\s*\n$/);
    expect(offered("kyma-modules status --channel=reg")).toMatch(/^--channel=regular\s*\n$/);
    expect(offered("kyma-modules simulate --policy channels/reg")).toContain("channels/regular.yaml");
    expect(offered("kyma-modules check --repo mod")).toContain("modules/");
    expect(offered("kyma-modules nope no")).toBe("");
    return undefined;
  });
});

describe("kyma-modules completion", () => {
  it.each(["bash", "zsh", "fish"])("prints the script of %s, which the shell accepts", async (shell) => {
    const { code, stdout, stderr } = await run(["completion", shell]);

    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("__complete -- ");
    if (isThere(shell)) execFileSync(shell, ["-n", join(folderWith(new Map([["script", stdout]])), "script")]);
  });

  it("refuses another shell, and names the known ones", async () => {
    expect(await run(["completion", "tcsh"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Allowed choices are bash, zsh, fish.") as string,
    });
  });

  it("prints nothing and succeeds without a catalogue", async () => {
    for (const words of [
      ["plan", ""],
      ["hold", "x@"],
      ["status", "--repo", "/nowhere", ""],
    ])
      expect(await run(["__complete", "--", ...words])).toMatchObject({ code: 0, stderr: "" });
  });
});
