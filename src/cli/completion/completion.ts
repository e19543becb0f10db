import { Argument } from "@commander-js/extra-typings";
import type { CliCommand } from "../command.ts";

/** `kyma-modules completion`. */
export const completion: CliCommand = {
  name: "completion",
  reader: "everyone",
  summary: "prints a script with which a shell completes commands and names",
  examples: [
    "source <(kyma-modules completion bash)",
    "kyma-modules completion zsh > ~/.zfunc/_kyma-modules",
    "kyma-modules completion fish > ~/.config/fish/completions/kyma-modules.fish",
  ],
  define: (command, { print }) => {
    command
      .description(
        "Prints a script with which a shell completes commands, options, and the names of modules, versions, channels, landscapes and rules. It reads the files of the catalogue, and contacts no server.",
      )
      .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]))
      .action(async (shell) => {
        print(`${(await import("./scripts.ts")).SCRIPTS[shell]}\n`);
      });
  },
};

/** The hidden command that the scripts call on each press of the Tab key. */
export const complete: CliCommand = {
  name: "__complete",
  examples: [],
  define: (command, { print, signal }) => {
    command.argument("[word...]").action(async (words) => {
      const [{ completeLine }, { openSource }] = await Promise.all([
        import("./command.ts"),
        import("../compose/compose.ts"),
      ]);
      const program = command.parent ?? command;
      print(await completeLine(program, words, (folder) => openSource(folder, undefined), signal));
    });
  },
};
