import { Command, Option } from "commander";
import type { BumpArguments } from "./bump/command.ts";
import { common, shared, type CommonOptions } from "./commonOptions.ts";
import { bumpArguments, describeBump, type BumpOptions } from "./bump/options.ts";
import { checkArguments, contradictionIn, describeCheck, type CheckOptions } from "./check/options.ts";
import type { CheckArguments } from "./check/command.ts";
import { addCompletion, type CompletionCommands } from "./completion/options.ts";
import { examplesText } from "./examples.ts";
import type { InitArguments } from "./init/command.ts";
import { describeInit, initArguments, type InitOptions } from "./init/options.ts";
import { addPromotion, type PromotionCommands } from "./programPromotion.ts";
import { addSync, type SyncCommands } from "./sync/options.ts";

/** What carries a command out; `run` gives it output and context, and turns what it gives into the exit code. */
export interface Commands extends PromotionCommands, SyncCommands, CompletionCommands {
  /** Makes a new catalogue. */
  init(arguments_: InitArguments, common: CommonOptions): Promise<void>;
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
    .showHelpAfterError("Run 'kyma-modules --help'.")
    .addHelpText("afterAll", ({ command }) => EXIT_CODES + examplesText(command.name()));
  describeInit(common(program.command("init"))).action((options: CommonOptions & InitOptions) =>
    commands.init(initArguments(options.repo, options), options),
  );
  describeCheck(program.command("check")).action((paths: string[], options: CheckOptions, command: Command) => {
    const problem = contradictionIn(paths, options);
    if (problem !== undefined) command.error(`error: ${problem}`);
    return commands.check(checkArguments(paths, options, version), options);
  });
  describeBump(common(program.command("bump"))).action((subject: string, options: CommonOptions & BumpOptions) =>
    commands.bump(bumpArguments(subject, options, version), options),
  );
  addPromotion(program, commands);
  addSync(program, commands);
  addImport(program, commands);
  addDemo(program, commands);
  addCompletion(program, commands);
  for (const command of program.commands) command.showHelpAfterError(`Run 'kyma-modules ${command.name()} --help'.`);
  return program;
}

const EXIT_CODES = `
Exit codes: 0 fine; 1 findings, or an entry or object refused or contested, or an act failed; 2 usage or configuration;
3 the world failed (unreachable, refused, timed out); 130 and 143 interrupted.`;

function addImport(program: Command, commands: Commands): void {
  common(program.command("import"))
    .description("Makes a catalogue out of existing ModuleTemplates and ModuleReleaseMetas.")
    .argument("[path...]", "files, or folders with YAML files")
    .option("--context <name>", "import what this context of your kubeconfig serves")
    .addOption(new Option("--prefer <which>", "which of different contents for one place is taken").choices(["newest"]))
    .action(
      (
        paths: string[],
        options: CommonOptions & { readonly context?: string; readonly prefer?: "newest" },
        command: Command,
      ) => {
        const { context, prefer } = options;
        if (paths.length === 0 && context === undefined)
          command.error("error: Name what to import: files, folders, or --context NAME.");
        return commands.import({ paths, context, prefer }, options);
      },
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
