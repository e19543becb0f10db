import { InvalidArgumentError, Option, type Command } from "@commander-js/extra-typings";
import { FACT_NAMES, type FactName } from "../../check/required.ts";
import { formatOption, shared, splitCommas, type CliCommand } from "../command.ts";
import type { CheckPorts } from "../compose/compose.ts";
import { CHECK_FORMATS, type FormatTarget } from "../terminal/formats.ts";
import type { CheckArguments } from "./command.ts";

/** `kyma-modules check`. */
export const check: CliCommand = checkWith(async (repository) =>
  (await import("../compose/compose.ts")).openCheck(repository),
);

/** `kyma-modules check`, asking what `open` gives for a repository. */
export function checkWith(open: (repository: string) => Promise<CheckPorts>): CliCommand {
  return {
    name: "check",
    examples: [
      "kyma-modules check",
      "kyma-modules check --base main --strict",
      "kyma-modules check --explain crd-compatible",
      "kyma-modules check channels/fast --offline --format text,sarif=check.sarif",
    ],
    define: (command, session) => {
      described(command).action((paths, options) => {
        const request = { ...options, paths, version: session.version };
        const problem = contradictionIn(request, options.format);
        if (problem !== undefined) command.error(`error: ${problem}`);
        return session.carryOut(options, async (...to) => {
          const [{ checkCommand }, ports] = await Promise.all([import("./command.ts"), open(options.repo)]);
          return checkCommand(request, ports, ...to);
        });
      });
    },
  };
}

function described(command: Command) {
  return shared(command)
    .description("Everything that is wrong with a change, or with the whole repository, on the line where it is wrong.")
    .argument("[path...]", "judge only these files and folders")
    .option("--base <rev>", "judge what changed since this Git revision, against what it serves")
    .option("--loose", "the paths are raw ModuleTemplates outside of a catalogue", false)
    .option("--fix", "first mend what has one right value; comments and order stay", false)
    .option("--strict", "warnings are errors, too", false)
    .option("--quiet", "print errors only, and the line that counts", false)
    .addOption(
      new Option("--require <facts>", "what has to be known, with commas between")
        .choices(FACT_NAMES)
        .argParser(parseFacts),
    )
    .option(
      "--prove <finding>",
      "show FILE:LINE, a break that is proven, on an API server of our own, and write its files",
    )
    .option("--explain [rule]", "say what a rule demands and why, with examples; without a name list all rules")
    .addOption(
      new Option("--rule <rules>", "hold only these rules against it, with commas between").argParser(splitCommas),
    )
    .option("--offline", "do not contact any server; rules that need one are reported as not run", false)
    .addOption(
      new Option("--server <which>", "ask an API server as well: embedded, or context:NAME").argParser(parseServer),
    )
    .option("--author <login>", "who wants the change")
    .addOption(
      new Option("--approved-by <logins>", "who approved its head commit, with commas between").argParser(splitCommas),
    )
    .option(
      "--teams <file>",
      "the members of teams: a YAML map of @org/team to logins, such as the base's .github/teams.yaml",
    )
    .addOption(formatOption(CHECK_FORMATS, "text,sarif=check.sarif"));
}

/** What makes no sense together, for people; `undefined` where all does. */
function contradictionIn(
  { paths, loose, base, fix, explain }: CheckArguments,
  formats: readonly FormatTarget[],
): string | undefined {
  const other = formats.find((target) => target.format !== "text");
  if (explain !== undefined) return other && `--explain is there as text only: leave out --format ${other.format}.`;
  if (!loose)
    return base !== undefined && paths.length > 0
      ? "Name paths or --base REF, not both: a change is judged as a whole."
      : undefined;
  if (paths.length === 0) return "--loose needs files: kyma-modules check --loose FILE…";
  if (base !== undefined) return "--loose files stand outside of a catalogue, so there is no --base to compare with.";
  return fix ? "--fix mends files of a catalogue. Import loose templates first: kyma-modules import FILE…" : undefined;
}

function parseServer(text: string): string {
  if (text === "embedded" || /^context:./.test(text)) return text;
  throw new InvalidArgumentError("It must be embedded, or context:NAME with a context of your kubeconfig.");
}

function parseFacts(text: string): readonly FactName[] {
  return splitCommas(text).map((part) => {
    const name = FACT_NAMES.find((known) => known === part);
    if (name === undefined)
      throw new InvalidArgumentError(`${part} is not a fact. There are: ${FACT_NAMES.join(", ")}.`);
    return name;
  });
}
