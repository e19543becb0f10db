import { Command, Help, Option } from "@commander-js/extra-typings";
import type { CliCommand, Session } from "./command.ts";

/** The command line: the names, options and help of `commands`. */
export function buildProgram(commands: readonly CliCommand[], session: Session): Command {
  const examplesOf = (name: string): readonly string[] => commands.find((one) => one.name === name)?.examples ?? [];
  const program = new Command("kyma-modules")
    .description(
      "Says which version of which Kyma module every release channel serves, and makes control planes serve it.",
    )
    .version(session.version)
    // Subcommands inherit it: the exit code of a wrong call is ours to choose.
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

/** That a switch is off unless it is given goes without saying. */
function withoutFalse(option: Option): Option {
  return option.defaultValue === false ? new Option(option.flags, option.description) : option;
}

const EXIT_CODES = `
Exit codes: 0 fine; 1 findings, or an entry or object refused or contested, or an act failed; 2 usage or configuration;
3 the world failed (unreachable, refused, timed out); 130 and 143 interrupted.`;

function examplesText(examples: readonly string[]): string {
  return examples.length === 0 ? "" : ["", "Examples:", ...examples.map((example) => `  ${example}`)].join("\n");
}
