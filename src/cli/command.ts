import { InvalidArgumentError, Option, type Command } from "@commander-js/extra-typings";
import { durationMs } from "../catalogue/policy.ts";
import type { Run } from "../ports.ts";
import { formatTargetsAmong, RESULT_FORMATS } from "./terminal/formats.ts";
import { PRINTED_TEXT, type FormatTarget } from "./terminal/output.ts";
import type { ColorWhen, Output } from "./terminal/output.ts";

/** A command of the program: its name, help, options and action. */
export interface CliCommand {
  readonly name: string;
  /** For whom the help of the program lists it; `undefined`: it leaves it out, because only scripts call it. */
  readonly reader?: CommandReader;
  /** What it does, for the help of the program: less than 65 characters. */
  readonly summary?: string;
  /** The last lines of its help. They work on the sample catalogue: test/cli/examples.test.ts runs them. */
  readonly examples: readonly string[];
  /**
   * Adds the description, arguments, options and action to `command`. The action imports what it needs when it runs.
   */
  readonly define: (command: Command, session: Session) => void;
}

/** Who mostly uses a command. */
export type CommandReader = "team" | "release manager" | "SRE" | "everyone";

/** One run of the program. */
export interface Session {
  /** The version of this program. */
  readonly version: string;
  /** Runs a command with an output and a run context, and keeps its exit code. */
  readonly carryOut: (options: SessionOptions, work: (output: Output, run: Run) => Promise<number>) => Promise<void>;
  /** Prints a result for scripts, unchanged. */
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
  /** Whether the command finishes even if the reader closes its output, because it writes to the world. */
  readonly finishesUnheard?: boolean;
}

/** The options that every command has. */
type SharedOptions = Pick<SessionOptions, "color" | "verbose"> & { readonly repo: string };

/** Adds the options that every command has. */
export function shared(command: Command): Command<[], SharedOptions> {
  return command
    .option("--repo <dir>", "the repository with the catalogue", ".")
    .addOption(
      new Option(
        "--color <when>",
        "when to use colours; auto: on a terminal, unless FORCE_COLOR, NO_COLOR or TERM=dumb decide",
      )
        .choices(["auto", "always", "never"])
        .default("auto"),
    )
    .option("--verbose", "print details to stderr", false);
}

/** Adds the options of a command that reports as text or JSON. */
export function reporting(command: Command): Command<[], SharedOptions & { readonly format: readonly FormatTarget[] }> {
  return shared(command).addOption(formatOption(RESULT_FORMATS, "text,json=FILE"));
}

/** An option whose value is parsed into `Value`. */
type Valued<Flags extends string, Value> = Option<Flags, undefined, Value, Value>;

/** The `--format` option: some of `formats`, each printed or written into a file. */
export function formatOption(
  formats: readonly string[],
  example: string,
): Valued<"--format <formats>", readonly FormatTarget[]> {
  return new Option("--format <formats>", `output formats, comma-separated; each may go into a file: ${example}`)
    .choices(formats)
    .argParser((text): readonly FormatTarget[] => formatTargetsAmong(formats, text))
    .default(PRINTED_TEXT, "text");
}

const NO_FILES: readonly string[] = [];

/** The `--evidence` option. */
export const EVIDENCE: Valued<"--evidence <file>", readonly string[]> = new Option(
  "--evidence <file>",
  "a file with evidence (schemas/evidence.schema.json); may be repeated",
)
  .argParser(collect)
  .default(NO_FILES, "none");

/** The `--revision` option: the commit that a command reads. */
export function revisionOption(description: string): Valued<"--revision <rev>", string> {
  return new Option("--revision <rev>", description).argParser(String).default<string>("HEAD", "HEAD");
}

/** Collects an option that may be repeated. */
export function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** The description of `--direct`. */
export const DIRECT =
  "without a forge: commit directly to the base branch of the upstream; refused if the branch has no upstream and is checked out";

/** The credentials for GitHub, and where their permissions are documented. */
export const CREDENTIALS = `
GitHub credentials: GITHUB_TOKEN or GH_TOKEN, or KYMA_MODULES_APP_ID and KYMA_MODULES_APP_PRIVATE_KEY (PEM, or the path of a file).
Permissions: https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/operations.md#tokens-and-rights`;

/** The parts of `a, b`. */
export function splitCommas(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Parses a duration such as `5m`. Returns milliseconds. */
export function parseDuration(text: string): number {
  if (!/^\d{1,6}[smhd]$/.test(text)) throw new InvalidArgumentError("It must be a duration such as 30s, 5m or 1h.");
  return durationMs(text);
}

/** Parses a whole number of things. */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
