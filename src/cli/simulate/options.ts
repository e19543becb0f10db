import { Option, type Command } from "commander";
import { CREDENTIALS, formatOption } from "../commonOptions.ts";
import { SIMULATE_FORMATS } from "../terminal/formatTargets.ts";
import { EVIDENCE, parseInstant } from "../promote/options.ts";
import type { SimulateArguments } from "./command.ts";

/** The options of `simulate`, as they are read. */
export interface SimulateOptions {
  readonly policy?: string;
  readonly since?: number;
  readonly evidence: readonly string[];
  readonly historyCsv?: string;
  readonly channel?: string;
  readonly revision?: string;
  readonly offline?: true;
}

/** Gives `command` the description and the options of `simulate`. */
export function describeSimulate(command: Command): Command {
  return command
    .description(
      "Replays what happened against a policy: when it would have allowed each promotion, and which it would have made.",
    )
    .option("--policy <file>", "try this policy of a channel instead of the one in the catalogue")
    .option("--channel <channel>", "only this channel; with --policy, the channel that it is for")
    .addOption(
      new Option("--since <instant>", "replay only from then on; the channel begins with what it served").argParser(
        parseInstant,
      ),
    )
    .addOption(EVIDENCE)
    .option("--history-csv <file>", "replay this table of changes instead of the history of the repository")
    .option("--revision <rev>", "replay the history up to this Git revision (default: HEAD)")
    .option("--offline", "ask no forge: times are those of the committers' clocks")
    .addOption(formatOption(SIMULATE_FORMATS, "text,html=FILE"))
    .addHelpText("after", CREDENTIALS);
}

/** What was asked for. */
export function simulateArguments(options: SimulateOptions): SimulateArguments {
  return {
    policy: options.policy,
    channel: options.channel,
    sinceMs: options.since,
    evidence: options.evidence,
    historyCsv: options.historyCsv,
    revision: options.revision ?? "HEAD",
    offline: options.offline ?? false,
  };
}
