import { CommanderError } from "@commander-js/extra-typings";
import { checkWith } from "../../src/cli/check/check.ts";
import { openCheck, type CheckPorts } from "../../src/cli/compose/compose.ts";
import { openRepository } from "../../src/cli/compose/systems.ts";
import { faultExitCode, openOutput } from "../../src/cli/terminal/output.ts";
import { buildProgram } from "../../src/cli/commands.ts";
import { SAMPLE } from "../../src/check/example.ts";
import { Fault } from "../../src/ports.ts";
import { quietRun } from "../support/quietRun.ts";
import { emptyRepository, type Folder } from "../systems/repository.ts";
import { run, type Ended } from "./program.ts";

/** The sample catalogue of the rules' examples, committed. */
export function sampleRepository(): Folder {
  const repository = emptyRepository();
  repository.write(SAMPLE);
  repository.commit("sample");
  return repository;
}

/** `kyma-modules check ARGS --repo FOLDER`. */
export function checkIn(folder: string, args: readonly string[]): Promise<Ended> {
  return run(["check", ...args, "--repo", folder]);
}

/** The same in this process, from the parsing of the arguments to the exit code, with `other` ports than its own. */
export async function checkThrough(
  other: Partial<CheckPorts>,
  folder: string,
  args: readonly string[],
): Promise<Ended> {
  const said = { stdout: "", stderr: "" };
  const streams = {
    stdout: { write: (text: string) => (said.stdout += text) },
    stderr: { write: (text: string) => (said.stderr += text) },
  };
  let code: number | null = null;
  const quiet = quietRun();
  const open = (repository: string): Promise<CheckPorts> =>
    Promise.resolve({ ...openCheck(openRepository(repository)), ...other });
  const program = buildProgram([checkWith(open)], {
    version: "0.0.0",
    signal: quiet.signal,
    print: () => undefined,
    carryOut: async ({ format: formats = [] }, work) => {
      code = await work(openOutput(streams, { formats, color: "auto", variables: {} }), quiet);
    },
  });
  for (const command of program.commands) command.configureOutput({ writeErr: streams.stderr.write });
  try {
    await program.parseAsync(["check", ...args, "--repo", folder], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return { ...said, code: 2 };
    if (!(error instanceof Fault)) throw error;
    return { ...said, code: faultExitCode(error), stderr: `${said.stderr}${error.message}` };
  }
  return { ...said, code };
}

/** One finding, waived finding, rule that was not run, or the counts, of a report in JSON. */
export type Item = Readonly<Record<string, unknown>>;

/** What `check ARGS --offline` reports on a folder. */
export async function itemsIn(folder: string, args: readonly string[]): Promise<readonly Item[]> {
  const { stdout } = await checkIn(folder, [...args, "--offline", "--format", "json"]);
  return (JSON.parse(stdout) as { readonly items: readonly Item[] }).items;
}

/** `rule file:line` of every error and warning. */
export async function findingsIn(folder: string, args: readonly string[]): Promise<readonly string[]> {
  const items = await itemsIn(folder, args);
  return items
    .filter(({ kind, severity }) => kind === "finding" && severity !== "note")
    .map(({ rule, file, line }) => `${String(rule)} ${String(file)}:${String(line)}`);
}
