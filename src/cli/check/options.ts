import { InvalidArgumentError, Option, type Command } from "commander";
import { FACT_NAMES, type FactName } from "../../check/required.ts";
import { formatOption, shared, splitCommas, type CommonOptions } from "../commonOptions.ts";
import { CHECK_FORMATS } from "../terminal/formatTargets.ts";
import type { CheckArguments } from "./command.ts";

/** The options of `check`. */
export interface CheckOptions extends CommonOptions {
  readonly base?: string;
  readonly loose?: true;
  readonly offline?: true;
  readonly server?: string;
  readonly fix?: true;
  readonly strict?: true;
  readonly quiet?: true;
  readonly prove?: string;
  readonly require?: readonly FactName[];
  readonly explain?: string | true;
  readonly rule?: readonly string[];
  readonly author?: string;
  readonly approvedBy?: readonly string[];
  readonly teams?: string;
}

/** Describes `check`. */
export function describeCheck(command: Command): Command {
  return shared(command)
    .description("Everything that is wrong with a change, or with the whole repository, on the line where it is wrong.")
    .argument("[path...]", "judge only these files and folders")
    .option("--base <rev>", "judge what changed since this Git revision, against what it serves")
    .option("--loose", "the paths are raw ModuleTemplates outside of a catalogue")
    .option("--fix", "first mend what has one right value; comments and order stay")
    .option("--strict", "warnings are errors, too")
    .option("--quiet", "print errors only, and the line that counts")
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
    .option("--offline", "ask neither the registry nor any other server; what they alone know is listed as not run")
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
export function contradictionIn(paths: readonly string[], options: CheckOptions): string | undefined {
  const { loose, base, fix, explain, format = [] } = options;
  const other = format.find((target) => target.format !== "text");
  if (explain !== undefined) return other && `--explain is there as text only: leave out --format ${other.format}.`;
  if (loose === undefined)
    return base !== undefined && paths.length > 0
      ? "Name paths or --base REF, not both: a change is judged as a whole."
      : undefined;
  if (paths.length === 0) return "--loose needs files: kyma-modules check --loose FILE…";
  if (base !== undefined) return "--loose files stand outside of a catalogue, so there is no --base to compare with.";
  return fix && "--fix mends files of a catalogue. Import loose templates first: kyma-modules import FILE…";
}

/** The arguments of `check`, as it was called. */
export function checkArguments(paths: readonly string[], options: CheckOptions, version: string): CheckArguments {
  const { loose = false, offline = false, fix = false, strict = false } = options;
  const {
    base,
    server,
    prove,
    explain,
    rule: rules = [],
    require: required = [],
    author,
    approvedBy = [],
    teams,
  } = options;
  const who = { author: author?.replace(/^@/, ""), approvedBy, teams };
  const detail = detailOf(options);
  return { paths, base, loose, offline, server, fix, strict, detail, required, prove, explain, rules, ...who, version };
}

function detailOf({ quiet, verbose }: CheckOptions): CheckArguments["detail"] {
  if (quiet) return "quiet";
  return verbose ? "verbose" : "usual";
}

function parseServer(text: string): string {
  if (text === "embedded" || /^context:./.test(text)) return text;
  throw new InvalidArgumentError("It must be embedded, or context:NAME with a context of your kubeconfig.");
}

function parseFacts(text: string): readonly FactName[] {
  return splitCommas(text).map((part) => {
    const name = FACT_NAMES.find((known) => known === part);
    if (name === undefined) throw new InvalidArgumentError(`${part} is no fact. There are: ${FACT_NAMES.join(", ")}.`);
    return name;
  });
}
