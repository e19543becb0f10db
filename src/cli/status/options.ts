import type { Command } from "commander";
import { CREDENTIALS } from "../commonOptions.ts";
import { EVIDENCE } from "../promote/options.ts";
import type { StatusArguments } from "./command.ts";

/** The options of `status`, as they are read. */
export interface StatusOptions {
  readonly channel?: string;
  readonly evidence: readonly string[];
  readonly revision?: string;
  readonly offline?: true;
}

/** Gives `command` the description, the argument and the options of `status`. */
export function describeStatus(command: Command): Command {
  return command
    .description(
      "How every module stands in every channel: what it serves and since when, what may come, holds, open promotions, what is owed for hot-fixes. It is what the repository says; what clusters run may lag behind.",
    )
    .argument("[module...]", "only these modules")
    .option("--channel <channel>", "only this channel")
    .addOption(EVIDENCE)
    .option("--revision <rev>", "as of this Git revision (default: HEAD)")
    .option("--offline", "ask no forge: times are those of the committers' clocks, and open promotions are not known")
    .addHelpText("after", CREDENTIALS);
}

/** What was asked for. */
export function statusArguments(modules: readonly string[], options: StatusOptions): StatusArguments {
  const { channel, evidence, revision = "HEAD", offline = false } = options;
  return { modules, channel, evidence, revision, offline };
}
