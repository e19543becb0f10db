import { Option, type Command } from "commander";
import type { Format } from "./output.ts";

/** The options that every command has. */
export interface CommonOptions {
  readonly repo: string;
  /** Text where a command offers no choice. */
  readonly format?: Format;
  readonly color: "auto" | "always" | "never";
  readonly verbose: boolean;
}

/** Gives `command` the options of a command that prints a result. */
export function common(command: Command): Command {
  const format = new Option("--format <format>", "how the result is printed").choices(["text", "json"]).default("text");
  return shared(command).addOption(format);
}

/** Gives `command` the options that every command has. */
export function shared(command: Command): Command {
  return command
    .option("--repo <dir>", "the repository with the catalogue", ".")
    .addOption(
      new Option("--color <when>", "whether to use colours").choices(["auto", "always", "never"]).default("auto"),
    )
    .option("--verbose", "say more on stderr", false);
}

/** The parts of `a, b`. */
export function splitCommas(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
