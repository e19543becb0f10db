import { Option, type Command } from "commander";
import type { ColorWhen } from "./terminal/color.ts";
import { formatTargetsAmong, RESULT_FORMATS, type FormatTarget } from "./terminal/formatTargets.ts";

/** The options that every command has. */
export interface CommonOptions {
  readonly repo: string;
  /** Absent where a command offers no choice: text, printed. */
  readonly format?: readonly FormatTarget[];
  readonly color: ColorWhen;
  readonly verbose: boolean;
}

/** Gives `command` the options of a command that prints a result. */
export function common(command: Command): Command {
  return shared(command).addOption(formatOption(RESULT_FORMATS, "text,json=FILE"));
}

/** The option that says in which of `formats` a command reports, and into which files. */
export function formatOption(formats: readonly string[], example: string): Option {
  return new Option("--format <formats>", `how to report, with commas between; each may go into a file: ${example}`)
    .choices(formats)
    .argParser((text) => formatTargetsAmong(formats, text))
    .default([{ format: "text", file: undefined }], "text");
}

/** Gives `command` the options that every command has. */
export function shared(command: Command): Command {
  return command
    .option("--repo <dir>", "the repository with the catalogue", ".")
    .addOption(
      new Option("--color <when>", "whether to use colours; auto: FORCE_COLOR, NO_COLOR, TERM=dumb, then on a terminal")
        .choices(["auto", "always", "never"])
        .default("auto"),
    )
    .option("--verbose", "say more on stderr", false);
}

/** How a commit without a forge goes to the base branch itself. */
export const DIRECT: readonly [flags: string, description: string] = [
  "--direct",
  "without a forge: commit to the base branch itself, at its upstream; refused where it has none and is checked out",
];

/** Who acts at GitHub; the README says with which rights. */
export const CREDENTIALS = `
On GitHub: GITHUB_TOKEN or GH_TOKEN, or KYMA_MODULES_APP_ID and KYMA_MODULES_APP_PRIVATE_KEY (PEM, or the path of a file).
README.md says which rights they need.`;

/** The parts of `a, b`. */
export function splitCommas(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
