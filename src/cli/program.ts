import { Command, Help, Option } from "@commander-js/extra-typings";
import type { CliCommand, Session } from "./command.ts";

/** Builds the command line: names, options and help of `commands`. */
export function buildProgram(commands: readonly CliCommand[], session: Session): Command {
  const examplesOf = (name: string): readonly string[] => commands.find((one) => one.name === name)?.examples ?? [];
  const program = new Command("kyma-modules")
    .description("Manages which version of each Kyma module a release channel serves, and syncs it to control planes.")
    .version(session.version)
    // Subcommands inherit it, so that this program chooses the exit code of a usage error.
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError("Run 'kyma-modules --help'.")
    .configureHelp({ optionDescription: (option) => HELP.optionDescription(withoutFalse(option)) })
    .addHelpText("afterAll", ({ command }) => EXIT_CODES + examplesText(examplesOf(command.name())));
  for (const { name, isHidden = false, define } of commands) {
    const command = program.command(name, { hidden: isHidden });
    define(command, session);
    command.showHelpAfterError(`Run 'kyma-modules ${name} --help'.`);
  }
  return program;
}

const HELP = new Help();

/** The default `false` of a switch is obvious, so the help does not print it. */
function withoutFalse(option: Option): Option {
  return option.defaultValue === false ? new Option(option.flags, option.description) : option;
}

const EXIT_CODES = `
Exit codes: 0 success; 1 findings, or something was refused, contested or failed; 2 wrong usage or configuration;
3 a file, process or server failed (unreachable, refused, timed out); 130 and 143 interrupted.`;

function examplesText(examples: readonly string[]): string {
  return examples.length === 0 ? "" : ["", "Examples:", ...examples.map((example) => `  ${example}`)].join("\n");
}
