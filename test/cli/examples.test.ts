import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { emptyRepository } from "../systems/repository.ts";
import { COMPILE_CACHE } from "../support/compileCache.ts";
import { binariesForTests } from "../support/controlPlane.ts";
import { mainFile, run } from "./program.ts";

const ROOT = join(import.meta.dirname, "../..");
const CATALOGUE = ["kyma-modules.yaml", "channels", "modules", ".github"];

/**
 * There is no control plane to plan for, nothing before the only commit to withdraw to, no event, no report of a smoke
 * test, and a clone does not know by which package a catalogue gets the program: they say so.
 */
const REFUSED: Readonly<Record<string, number>> = {
  plan: 2,
  sync: 2,
  rollout: 2,
  observe: 2,
  withdraw: 1,
  ticked: 2,
  init: 2,
  evidence: 2,
};

/** The exit code that says that the example did what it says. */
function codeOf(command: string, example: string): number {
  if (example.includes("--context") || /^kyma-modules status (dev|--landscapes)/.test(example)) return 2;
  return example.includes("--exit-code") ? 1 : (REFUSED[command] ?? 0);
}

/** What control planes are made of: in the home of an example, they would be built. */
const found = await binariesForTests();
const binaries = "skipped" in found ? undefined : found;

/** Runs an example as a shell does, in a clone of the sample whose branch is pushed nowhere. */
function tryOut(example: string, cwd: string): { readonly status: number | null; readonly said: string } {
  const script = `kyma-modules() { "${process.execPath}" "${mainFile}" "$@"; }\nmkdir -p ~/.zfunc ~/.config/fish/completions\n${example}`;
  const assets = binaries === undefined ? {} : { KUBEBUILDER_ASSETS: dirname(binaries.etcd) };
  const env = { ...process.env, HOME: cwd, KUBECONFIG: "/nowhere", NODE_V8_COVERAGE: "", ...COMPILE_CACHE, ...assets };
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { cwd, env, encoding: "utf8" });
  return { status, said: stdout + stderr };
}

function sample(): string {
  const repository = emptyRepository();
  for (const name of CATALOGUE) cpSync(join(ROOT, name), join(repository.path, name), { recursive: true });
  repository.git("config", "user.name", "Person");
  repository.git("config", "user.email", "person@example.com");
  repository.commit();
  return repository.path;
}

describe("the examples in the help", () => {
  const all = COMMANDS.flatMap(({ name, examples }) => examples.map((example) => [name, example] as const));
  const lastOf = new Map(all);

  it.for(all.filter(([command]) => command !== "demo"))(
    "of %s work on the sample catalogue: %s",
    ([command, example], context) => {
      if (example.includes("--cluster") && "skipped" in found) context.skip(found.skipped);
      const { status, said } = tryOut(example, sample());

      expect([status, said]).toEqual([codeOf(command, example), expect.not.stringContaining("--help'.") as string]);
    },
  );

  it("end the help of every command", async () => {
    const { stdout } = await run(["--help"]);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?= .* {2})/gm)].map(([, name]) => name ?? "");

    expect(commands).toContain("promote");
    for (const name of commands.filter((command) => command !== "help")) {
      const help = (await run([name, "--help"])).stdout;
      expect([name, help.trimEnd().endsWith(lastOf.get(name) ?? "an example")]).toEqual([name, true]);
    }
  });
});

describe("a wrong call", () => {
  it.each([
    [["--nope"], "kyma-modules --help"],
    [["nope"], "kyma-modules --help"],
    [["promote", "--nope"], "kyma-modules promote --help"],
    [["promote", "--direct"], "kyma-modules promote --help"],
    [["status", "--format", "sarif"], "kyma-modules status --help"],
    [["hold"], "kyma-modules hold --help"],
    [["hold", "a@1.0.0"], "kyma-modules hold --help"],
    [["sync", "--now"], "kyma-modules sync --help"],
    [["check", "--explain", "--format", "json"], "kyma-modules check --help"],
    [["check", "--loose"], "kyma-modules check --help"],
    [["check", "--loose", "--base", "HEAD", "x"], "kyma-modules check --help"],
    [["check", "--loose", "--fix", "x"], "kyma-modules check --help"],
    [["check", "--base", "HEAD", "x"], "kyma-modules check --help"],
    [["import"], "kyma-modules import --help"],
    [["completion", "tcsh"], "kyma-modules completion --help"],
  ])("names the help of that very command: %j", async (args, help) => {
    const { code, stdout, stderr } = await run(args);

    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(`Run '${help}'.`);
  });
});
