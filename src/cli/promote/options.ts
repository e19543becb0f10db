import { InvalidArgumentError, Option, type Command } from "commander";
import { isInstant } from "../../document/schema/formats.ts";
import { CREDENTIALS, DIRECT, splitCommas } from "../commonOptions.ts";
import type { HotfixArguments, PromoteArguments } from "./command.ts";

/** The options of `promote`, as they are read. */
export interface PromoteOptions {
  readonly channel?: string;
  readonly explain?: true;
  readonly at?: number;
  readonly apply?: true;
  readonly direct?: true;
  readonly evidence: readonly string[];
  readonly revision?: string;
  readonly offline?: true;
  readonly exitCode?: true;
  readonly hotfix?: string;
  readonly incident?: string;
  readonly alsoFixedIn?: readonly string[];
  readonly template?: string;
  readonly by?: string;
}

/** An instant as ISO 8601 writes it, with seconds and zone. Gives Unix milliseconds. */
export function parseInstant(text: string): number {
  if (!isInstant(text)) throw new InvalidArgumentError("It must be an instant such as 2026-12-18T08:30:00Z.");
  return Date.parse(text);
}

/** Collects an option that may be repeated. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Files with observations of versions. */
export const EVIDENCE: Option = new Option(
  "--evidence <file>",
  "observations of versions, as schemas/evidence.schema.json says; may be repeated",
)
  .argParser(collect)
  .default([], "none");

/** Gives `command` the description, the argument and the options of `promote`. */
export function describePromote(command: Command): Command {
  return command
    .description(
      "Says of every module in every channel that follows another: promote now, wait until when and why, or blocked and what unblocks it. --apply carries exactly that out.",
    )
    .argument("[module...]", "only these modules")
    .option("--channel <channel>", "only this channel")
    .option("--explain", "every candidate and every reason, with its source")
    .addOption(
      new Option("--at <instant>", "decide as of then, on what was merged by then")
        .argParser(parseInstant)
        .conflicts("apply"),
    )
    .option("--apply", "open, update, merge and close pull requests; branches where no forge is")
    .option(DIRECT[0], `with --apply, ${DIRECT[1]}`)
    .addOption(EVIDENCE)
    .option("--revision <rev>", "decide on this Git revision (default: HEAD)")
    .option("--offline", "ask no forge: times are those of the committers' clocks")
    .option("--exit-code", "exit 1 when there is something to promote, to wait for, or to decide")
    .option(
      "--hotfix <module@version>",
      "the hot-fix lane: a patch of what the channel serves, past soak, windows, freezes and needs",
    )
    .option("--incident <url>", "why; a hot-fix needs one")
    .addOption(
      new Option(
        "--also-fixed-in <versions>",
        "versions of newer lines with the same repair, with commas between",
      ).argParser(splitCommas),
    )
    .option(
      "--template <file>",
      "the template of the hot-fix, a file here (download it first); without it what the repository knows of the version",
    )
    .option("--by <login>", "who asks for the hot-fix (default: $GITHUB_ACTOR, or git config github.user)")
    .addHelpText("after", CREDENTIALS);
}

/** What makes no sense together, for people; `undefined` where all does. */
export function problemOf(modules: readonly string[], options: PromoteOptions): string | undefined {
  const { hotfix, apply, direct } = options;
  if (direct === true && apply !== true) return "option '--direct' says how --apply does it: give both, or none";
  if (hotfix !== undefined) {
    const [module] = modules;
    return module === undefined ? undefined : `'--hotfix ${hotfix}' names its module already: leave '${module}' out`;
  }
  const [stray] = HOTFIX_OPTIONS.filter(([key]) => options[key] !== undefined);
  return stray && `option '${stray[1]}' belongs to a hot-fix: --hotfix MODULE@VERSION --incident URL`;
}

const HOTFIX_OPTIONS = [
  ["incident", "--incident"],
  ["alsoFixedIn", "--also-fixed-in"],
  ["template", "--template"],
  ["by", "--by"],
] as const satisfies readonly (readonly [keyof PromoteOptions, string])[];

/** What was asked for. */
export function promoteArguments(modules: readonly string[], options: PromoteOptions): PromoteArguments {
  const { channel, at, evidence, revision = "HEAD" } = options;
  return {
    modules,
    channel,
    only: undefined,
    explain: options.explain ?? false,
    atMs: at,
    apply: options.apply ?? false,
    direct: options.direct ?? false,
    evidence,
    revision,
    offline: options.offline ?? false,
    exitCode: options.exitCode ?? false,
    hotfix: options.hotfix === undefined ? undefined : hotfixArguments(options.hotfix, options),
  };
}

function hotfixArguments(
  subject: string,
  { incident, alsoFixedIn = [], template, by }: PromoteOptions,
): HotfixArguments {
  return { subject, incident, alsoFixedIn, template, by };
}
