import { Command, InvalidArgumentError, Option } from "commander";
import type { BumpArguments } from "./bump.ts";
import { common, formatOption, shared, splitCommas, type CommonOptions } from "./commonOptions.ts";
import { bumpArguments, describeBump, type BumpOptions } from "./bumpOptions.ts";
import type { CheckArguments } from "./check.ts";
import { addPromotion, type PromotionCommands } from "./programPromotion.ts";
import { addSync, type SyncCommands } from "./programSync.ts";
import { CHECK_FORMATS } from "./formatTargets.ts";

/** What carries a command out; `run` gives it output and context, and turns what it gives into the exit code. */
export interface Commands extends PromotionCommands, SyncCommands {
  /** What is wrong with a change. */
  check(arguments_: CheckArguments, common: CommonOptions): Promise<void>;
  /** Puts another version into a channel file, on a branch. */
  bump(arguments_: BumpArguments, common: CommonOptions): Promise<void>;
  /** Serves the catalogue on control planes of its own. */
  demo(options: DemoOptions, common: CommonOptions): Promise<void>;
  /** Makes a catalogue of what exists. */
  import(arguments_: ImportArguments, common: CommonOptions): Promise<void>;
}

/** The options of `demo`. */
export interface DemoOptions {
  readonly once: boolean;
  /** Files or folders with CustomResourceDefinitions to install instead of our own. */
  readonly crds: readonly string[];
  /** Where the control planes keep their data; a temporary folder when undefined. */
  readonly data: string | undefined;
}

/** The arguments of `import`. */
export interface ImportArguments {
  readonly paths: readonly string[];
  readonly context: string | undefined;
  readonly prefer: "newest" | undefined;
}

/** The command line: names, options and help. */
export function buildProgram(version: string, commands: Commands): Command {
  const program = new Command("kyma-modules")
    .description(
      "Says which version of which Kyma module every release channel serves, and makes control planes serve it.",
    )
    .version(version)
    // Subcommands inherit it: the exit code of a wrong call is ours to choose.
    .exitOverride()
    .showHelpAfterError("(kyma-modules --help shows all commands)")
    .addHelpText("afterAll", EXIT_CODES);
  addCheck(program, version, commands);
  describeBump(common(program.command("bump"))).action((subject: string, options: CommonOptions & BumpOptions) =>
    commands.bump(bumpArguments(subject, options, version), options),
  );
  addPromotion(program, commands);
  addSync(program, commands);
  addImport(program, commands);
  addDemo(program, commands);
  return program;
}

const EXIT_CODES = `
Exit codes: 0 fine; 1 findings, or an entry or object refused or contested, or an act failed; 2 usage or configuration;
3 the world failed (unreachable, refused, timed out); 130 and 143 interrupted.`;

interface CheckOptions extends CommonOptions {
  readonly base?: string;
  readonly loose?: true;
  readonly offline?: true;
  readonly server?: string;
  readonly fix?: true;
  readonly strict?: true;
  readonly explain?: string | true;
  readonly rule?: readonly string[];
  readonly author?: string;
  readonly approvedBy?: readonly string[];
  readonly teams?: string;
}

function addCheck(program: Command, version: string, commands: Commands): void {
  shared(program.command("check"))
    .description("Everything that is wrong with a change, or with the whole repository, on the line where it is wrong.")
    .argument("[path...]", "judge only these files and folders")
    .option("--base <rev>", "judge what changed since this Git revision, against what it serves")
    .option("--loose", "the paths are raw ModuleTemplates outside of a catalogue")
    .option("--fix", "first mend what has one right value; comments and order stay")
    .option("--strict", "warnings are errors, too")
    .option("--explain [rule]", "say what a rule demands and why, with examples; without a name list all rules")
    .addOption(
      new Option("--rule <ids>", "hold only these rules against it, with commas between").argParser(splitCommas),
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
    .addOption(formatOption(CHECK_FORMATS, "text,sarif=check.sarif"))
    .action((paths: string[], options: CheckOptions) =>
      commands.check({ ...checkArguments(paths, options), version }, options),
    );
}

function checkArguments(paths: readonly string[], options: CheckOptions): Omit<CheckArguments, "version"> {
  return {
    paths,
    base: options.base,
    loose: options.loose ?? false,
    offline: options.offline ?? false,
    server: options.server,
    fix: options.fix ?? false,
    strict: options.strict ?? false,
    explain: options.explain,
    rules: options.rule ?? [],
    author: options.author?.replace(/^@/, ""),
    approvedBy: options.approvedBy ?? [],
    teams: options.teams,
  };
}

function parseServer(text: string): string {
  if (text === "embedded" || /^context:./.test(text)) return text;
  throw new InvalidArgumentError("It must be embedded, or context:NAME with a context of your kubeconfig.");
}

function addImport(program: Command, commands: Commands): void {
  common(program.command("import"))
    .description("Makes a catalogue out of existing ModuleTemplates and ModuleReleaseMetas.")
    .argument("[path...]", "files, or folders with YAML files")
    .option("--context <name>", "import what this context of your kubeconfig serves")
    .addOption(new Option("--prefer <which>", "which of different contents for one place is taken").choices(["newest"]))
    .action((paths: string[], options: CommonOptions & { readonly context?: string; readonly prefer?: "newest" }) =>
      commands.import({ paths, context: options.context, prefer: options.prefer }, options),
    );
}

function addDemo(program: Command, commands: Commands): void {
  shared(program.command("demo"))
    .description(
      "Serves the catalogue on real control planes of its own on this machine, and follows every saved change.",
    )
    .option("--once", "end after the first sync")
    .option("--crds <path...>", "install the CustomResourceDefinitions of these files or folders instead of our own")
    .option("--data <dir>", "keep the data of the control planes in this folder")
    .action((options: CommonOptions & { readonly once?: true; readonly crds?: string[]; readonly data?: string }) =>
      commands.demo({ once: options.once ?? false, crds: options.crds ?? [], data: options.data }, options),
    );
}
