import { Command, Help, Option } from "@commander-js/extra-typings";
import { bump } from "./bump/bump.ts";
import { check } from "./check/check.ts";
import type { CliCommand, CommandReader, Session } from "./command.ts";
import { complete, completion } from "./completion/completion.ts";
import { dashboard } from "./dashboard/dashboard.ts";
import { demo } from "./demo/demo.ts";
import { evidence } from "./evidence/evidence.ts";
import { history } from "./history/history.ts";
import { importing } from "./import/import.ts";
import { init } from "./init/init.ts";
import { install } from "./install/install.ts";
import { hold, unhold, withdraw } from "./intervene/intervene.ts";
import { observe } from "./observe/observe.ts";
import { promote } from "./promote/promote.ts";
import { render } from "./render/render.ts";
import { rollout } from "./rollout/rollout.ts";
import { simulate } from "./simulate/simulate.ts";
import { smoke } from "./smoke/smoke.ts";
import { status } from "./status/status.ts";
import { plan, sync } from "./sync/sync.ts";
import { ticked } from "./ticked/ticked.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly CliCommand[] = [
  ...[check, bump, smoke],
  ...[promote, simulate, hold, unhold, withdraw, evidence, ticked],
  ...[plan, sync, rollout, observe, install],
  ...[status, history, render, dashboard, init, importing, demo, completion, complete],
];

const HEADINGS: Readonly<Record<CommandReader, string>> = {
  team: "For module teams:",
  "release manager": "For release managers:",
  SRE: "For those who operate control planes:",
  everyone: "For everyone:",
};

/** Builds the command line: names, options and help of `commands`. */
export function buildProgram(commands: readonly CliCommand[], session: Session): Command {
  const program = new Command("kyma-modules")
    .description("Manages which version of each Kyma module a release channel serves, and syncs it to control planes.")
    .version(session.version)
    // Subcommands inherit it, so that this program chooses the exit code of a usage error.
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError("Run 'kyma-modules --help'.")
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      optionDescription: (option) => {
        // The default `false` of a switch is obvious, so the help does not print it.
        const shown = option.defaultValue === false ? new Option(option.flags, option.description) : option;
        return HELP.optionDescription(shown);
      },
    })
    .addHelpText("afterAll", ({ command }) => {
      const examples = commands.find(({ name }) => name === command.name())?.examples ?? [];
      const lines = examples.length === 0 ? [] : ["", "Examples:", ...examples.map((example) => `  ${example}`)];
      return EXIT_CODES + lines.join("\n");
    });
  const help = new Command("help").summary("shows the help of a command").helpGroup(HEADINGS.everyone);
  help.argument("[command]");
  program.addHelpCommand(help);
  for (const { name, reader, summary = "", define } of commands) {
    const command = program.command(name, { hidden: reader === undefined }).summary(summary);
    if (reader !== undefined) command.helpGroup(HEADINGS[reader]);
    define(command, session);
    command.showHelpAfterError(`Run 'kyma-modules ${name} --help'.`);
  }
  return program;
}

const HELP = new Help();

const EXIT_CODES = `
Exit codes: 0 success; 1 findings, or something was refused, contested or
failed; 2 wrong usage or configuration; 3 a file, process or server failed
(unreachable, refused, timed out); 130 and 143 interrupted.`;
