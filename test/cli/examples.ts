import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { configure, emptyRepository } from "../systems/repository.ts";
import { COMPILE_CACHE } from "../support/compileCache.ts";
import { binariesForTests } from "../support/controlPlane.ts";
import { mainFile } from "./program.ts";

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
  configure(repository, { user: "Person" });
  repository.commit();
  return repository.path;
}

const all = COMMANDS.flatMap(({ name, examples }) => examples.map((example) => [name, example] as const));
/** The last example of each command, by its name. */
export const lastExamples: ReadonlyMap<string, string> = new Map(all);

/** Whether `npm test` tries an example: the last one of the commands that a pull request and a release need most. */
export function isShort(command: string, example: string): boolean {
  return ["check", "promote", "sync"].includes(command) && lastExamples.get(command) === example;
}

/** The tests of the examples that `isChosen` chooses: they work on the sample. */
export function testExamples(isChosen: (command: string, example: string) => boolean): void {
  it.for(all.filter(([command, example]) => command !== "demo" && isChosen(command, example)))(
    "of %s work on the sample catalogue: %s",
    ([command, example], context) => {
      if (example.includes("--cluster") && "skipped" in found) context.skip(found.skipped);
      const { status, said } = tryOut(example, sample());

      expect([status, said]).toEqual([codeOf(command, example), expect.not.stringContaining("--help'.") as string]);
    },
  );
}
