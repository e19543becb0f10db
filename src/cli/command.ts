import { InvalidArgumentError, Option, type Command } from "@commander-js/extra-typings";
import { durationMs } from "../catalogue/policy.ts";
import type { Run } from "../ports.ts";
import { type FormatTarget, formatTargetsAmong, PRINTED_TEXT, RESULT_FORMATS } from "./terminal/formats.ts";
import type { ColorWhen, Output } from "./terminal/output.ts";

/** A command in one value: what it is called, what it takes, what its help says, and what it runs. */
export interface CliCommand {
  readonly name: string;
  /** They end its help, and work on the sample catalogue: test/cli/examples.test.ts runs them. */
  readonly examples: readonly string[];
  /** Only scripts call it. */
  readonly isHidden?: boolean;
  /** Gives `command` its description, arguments, options and action. What the action needs is loaded when it is called. */
  readonly define: (command: Command, session: Session) => void;
}

/** One run of the program. */
export interface Session {
  /** The version of this program. */
  readonly version: string;
  /** Runs a command with what it reports to and the context of the run, and takes its exit code. */
  readonly carryOut: (options: SessionOptions, work: (output: Output, run: Run) => Promise<number>) => Promise<void>;
  /** Prints a result for scripts, as it is. */
  readonly print: (text: string) => void;
  /** Aborted when the user interrupts the program. */
  readonly signal: AbortSignal;
}

/** The options that decide how a command reports and for how long it runs. */
export interface SessionOptions {
  readonly color: ColorWhen;
  readonly verbose: boolean;
  /** Absent where a command offers no choice: text, printed. */
  readonly format?: readonly FormatTarget[] | undefined;
  /** Limits the command as a whole. Milliseconds. */
  readonly timeout?: number | undefined;
  /** Whether it comes to its end also when nobody reads what it says, since it writes to the world. */
  readonly finishesUnheard?: boolean;
}

/** The options that every command has. */
export type SharedOptions = Pick<SessionOptions, "color" | "verbose"> & { readonly repo: string };

/** Gives `command` the options that every command has. */
export function shared(command: Command): Command<[], SharedOptions> {
  return command
    .option("--repo <dir>", "the repository with the catalogue", ".")
    .addOption(
      new Option("--color <when>", "whether to use colours; auto: FORCE_COLOR, NO_COLOR, TERM=dumb, then on a terminal")
        .choices(["auto", "always", "never"])
        .default("auto"),
    )
    .option("--verbose", "say more on stderr", false);
}

/** Gives `command` the options of a command that prints a result as text or JSON. */
export function reporting(command: Command): Command<[], SharedOptions & { readonly format: readonly FormatTarget[] }> {
  return shared(command).addOption(formatOption(RESULT_FORMATS, "text,json=FILE"));
}

/** An option with a value, of which `Value` is made. */
type Valued<Flags extends string, Value> = Option<Flags, undefined, Value, Value>;

/** The option that says in which of `formats` a command reports, and into which files. */
export function formatOption(
  formats: readonly string[],
  example: string,
): Valued<"--format <formats>", readonly FormatTarget[]> {
  return new Option("--format <formats>", `how to report, with commas between; each may go into a file: ${example}`)
    .choices(formats)
    .argParser((text): readonly FormatTarget[] => formatTargetsAmong(formats, text))
    .default(PRINTED_TEXT, "text");
}

const NO_FILES: readonly string[] = [];

/** Files with observations of versions. */
export const EVIDENCE: Valued<"--evidence <file>", readonly string[]> = new Option(
  "--evidence <file>",
  "observations of versions, as schemas/evidence.schema.json says; may be repeated",
)
  .argParser(collect)
  .default(NO_FILES, "none");

/** The commit that a command decides on. */
export function revisionOption(description: string): Valued<"--revision <rev>", string> {
  return new Option("--revision <rev>", description).argParser(String).default<string>("HEAD", "HEAD");
}

/** Collects an option that may be repeated. */
export function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** How a commit without a forge goes to the base branch itself. */
export const DIRECT =
  "without a forge: commit to the base branch itself, at its upstream; refused where it has none and is checked out";

/** Who acts at GitHub, and where to read with which rights. */
export const CREDENTIALS = `
On GitHub: GITHUB_TOKEN or GH_TOKEN, or KYMA_MODULES_APP_ID and KYMA_MODULES_APP_PRIVATE_KEY (PEM, or the path of a file).
Rights: https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/operations.md#tokens-and-rights`;

/** The parts of `a, b`. */
export function splitCommas(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Reads a duration of the command line. Gives milliseconds. */
export function parseDuration(text: string): number {
  if (!/^\d{1,6}[smhd]$/.test(text)) throw new InvalidArgumentError("It must be a duration such as 30s, 5m or 1h.");
  return durationMs(text);
}
