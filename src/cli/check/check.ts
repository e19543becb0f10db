import { InvalidArgumentError, Option, type Command } from "@commander-js/extra-typings";
import { FACT_NAMES, type FactName } from "../../check/required.ts";
import { formatOption, shared, splitCommas, type CliCommand } from "../command.ts";
import type { CheckPorts } from "../compose/compose.ts";
import { CHECK_FORMATS } from "../terminal/formats.ts";
import type { FormatTarget } from "../terminal/output.ts";
import type { CheckArguments } from "./command.ts";

/** `kyma-modules check`. */
export const check: CliCommand = checkWith(async (repository) => {
  const [{ openCheck }, { openRepository }] = await Promise.all([
    import("../compose/compose.ts"),
    import("../compose/systems.ts"),
  ]);
  return openCheck(openRepository(repository));
});

/** `kyma-modules check` with the ports that `open` returns for a repository. */
export function checkWith(open: (repository: string) => Promise<CheckPorts>): CliCommand {
  return {
    name: "check",
    reader: "team",
    summary: "checks a change: each problem with its file, line and remedy",
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
    .description("Checks a change, or the whole repository, and reports each problem with its file and line.")
    .argument("[path...]", "check only these files and folders")
    .option("--base <rev>", "check the commits since this Git revision, compared with what that revision serves")
    .option("--worktree", "with --base: check the working tree, also what is not committed", false)
    .option("--loose", "check the paths as raw ModuleTemplates outside of a catalogue", false)
    .option("--fix", "first fix problems that have only one solution; keeps comments and order", false)
    .option("--strict", "treat warnings as errors", false)
    .option("--quiet", "print only errors and their count", false)
    .addOption(
      new Option("--require <facts>", "fail if these facts are unknown, comma-separated")
        .choices(FACT_NAMES)
        .argParser(parseFacts),
    )
    .option(
      "--prove <finding>",
      "reproduce the proven break at FILE:LINE on a local API server, and write the files for it",
    )
    .option("--explain [rule]", "explain a rule, with examples; without a name, list all rules")
    .addOption(new Option("--rule <rules>", "check only these rules, comma-separated").argParser(splitCommas))
    .option("--offline", "do not contact any server; rules that need one are reported as not run", false)
    .addOption(
      new Option("--server <which>", "also ask an API server: embedded, or context:NAME").argParser((text) => {
        if (text === "embedded" || /^context:./.test(text)) return text;
        throw new InvalidArgumentError("It must be embedded, or context:NAME with a context of your kubeconfig.");
      }),
    )
    .option("--author <login>", "the author of the change")
    .addOption(
      new Option("--approved-by <logins>", "who approved its head commit, comma-separated").argParser(splitCommas),
    )
    .option("--head-branch <name>", "the branch of the change; that of a proposal changes only the files of its kind")
    .option(
      "--teams <file>",
      "the members of teams: a YAML map from @org/team to logins, such as .github/teams.yaml of the base",
    )
    .addOption(formatOption(CHECK_FORMATS, "text,sarif=check.sarif"));
}

/** Why the options contradict each other; `undefined` if they do not. */
function contradictionIn(arguments_: CheckArguments, formats: readonly FormatTarget[]): string | undefined {
  const { paths, loose, base, fix, explain } = arguments_;
  const other = formats.find((target) => target.format !== "text");
  if (explain !== undefined) return other && `--explain prints text only: omit --format ${other.format}.`;
  if (!loose) return base === undefined ? undefined : contradictionWithBase(arguments_);
  if (paths.length === 0) return "--loose needs files: kyma-modules check --loose FILE…";
  if (base !== undefined) return "--loose checks files outside of a catalogue, which have no --base to compare with.";
  return fix
    ? "--fix changes only files of a catalogue. Import loose templates first: kyma-modules import FILE…"
    : undefined;
}

function contradictionWithBase({ paths, fix, worktree }: CheckArguments): string | undefined {
  if (paths.length > 0) return "Name paths or --base REF, not both: a change is judged as a whole.";
  return fix && !worktree
    ? "--fix changes the working tree, and --base REF judges commits. Add --worktree to judge and fix the working tree."
    : undefined;
}

function parseFacts(text: string): readonly FactName[] {
  return splitCommas(text).map((part) => {
    const name = FACT_NAMES.find((known) => known === part);
    if (name === undefined)
      throw new InvalidArgumentError(`${part} is not a fact. There are: ${FACT_NAMES.join(", ")}.`);
    return name;
  });
}
