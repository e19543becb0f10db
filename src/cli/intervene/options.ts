import type { Command } from "commander";
import { CREDENTIALS, DIRECT } from "../commonOptions.ts";
import { parseInstant } from "../promote/options.ts";
import type { InterveneArguments } from "./request.ts";

/** The options of `hold`, `unhold` and `withdraw`, as they are read. */
export interface InterveneOptions {
  readonly channel?: string;
  readonly reason: string;
  readonly until?: string;
  readonly by?: string;
  readonly direct?: true;
  readonly dryRun?: true;
}

/** Gives `command` the description, the argument and the options of `hold`. */
export function describeHold(command: Command): Command {
  return described(
    command,
    "Keeps a version out: it is not promoted, not carried to further landscapes, and not accepted in a change. Clusters are never changed.",
  )
    .option("--channel <channel>", "the channel that the version may not enter (default: all)")
    .option("--until <instant>", "when the hold ends by itself", (text: string) =>
      new Date(parseInstant(text)).toISOString().replace(".000Z", "Z"),
    );
}

/** Gives `command` the description, the argument and the options of `unhold`. */
export function describeUnhold(command: Command): Command {
  return described(command, "Lifts what holds a version, a decrease by hand among it.").option(
    "--channel <channel>",
    "only the hold on this channel (default: all)",
  );
}

/** Gives `command` the description, the argument and the options of `withdraw`. */
export function describeWithdraw(command: Command): Command {
  return described(
    command,
    "Holds what a channel serves, puts the version before it back, and says which clusters that protects and which need a higher version.",
  ).requiredOption("--channel <channel>", "the channel");
}

function described(command: Command, description: string): Command {
  return command
    .description(description)
    .argument("<module@version>", "the version")
    .requiredOption("--reason <text>", "why; it stays in the repository")
    .option("--by <login>", "who decides it (default: $GITHUB_ACTOR, or git config github.user)")
    .option(...DIRECT)
    .option("--dry-run", "show what would be proposed, and propose nothing")
    .addHelpText("after", CREDENTIALS);
}

/** What was asked for. */
export function interveneArguments(
  kind: InterveneArguments["kind"],
  subject: string,
  options: InterveneOptions,
): InterveneArguments {
  const { channel, reason, until, by, direct = false, dryRun = false } = options;
  return { kind, subject, channel, reason, until, by, direct, dryRun };
}
