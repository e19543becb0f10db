import { Argument, type Command } from "commander";

/** The shells that there is a script for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** One of `SHELLS`. */
export type Shell = (typeof SHELLS)[number];

/** What carries out `completion`, and what its scripts call. */
export interface CompletionCommands {
  /** Prints the script of a shell. */
  completion(shell: Shell): Promise<void>;
  /** Prints what the last of `words` can become. */
  complete(program: Command, words: readonly string[]): Promise<void>;
}

/** Adds `completion`, and the hidden command that its scripts call at each press of the Tab key. */
export function addCompletion(program: Command, commands: CompletionCommands): void {
  program
    .command("completion")
    .description(
      "Prints a script that lets a shell complete commands, options, and the names of modules, versions, channels, landscapes and rules. It reads the files of the catalogue, and asks no server.",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .action((shell: Shell) => commands.completion(shell));
  program
    .command("__complete", { hidden: true })
    .argument("[word...]")
    .action((words: string[]) => commands.complete(program, words));
}
