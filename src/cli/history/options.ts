import type { Command } from "commander";
import { CREDENTIALS } from "../commonOptions.ts";
import type { HistoryArguments } from "./command.ts";
import { EVIDENCE } from "../promote/options.ts";

/** The options of `history`, as they are read. */
export interface HistoryOptions {
  readonly channel?: string;
  readonly verify?: true;
  readonly evidence: readonly string[];
  readonly revision?: string;
  readonly offline?: true;
}

/** Gives `command` the description, the argument and the options of `history`. */
export function describeHistory(command: Command): Command {
  return command
    .description(
      "The life of a module, newest first: what each channel served when, how it came there, how long it had soaked, and who held what. It is what the repository said; what clusters ran may have lagged behind.",
    )
    .argument("<module>", "the module")
    .option("--channel <channel>", "only this channel")
    .option("--verify", "decide each promotion once more, on what was merged then; exit 1 when a verdict differs")
    .addOption(EVIDENCE)
    .option("--revision <rev>", "the history up to this Git revision (default: HEAD)")
    .option("--offline", "ask no forge: times are those of the committers' clocks")
    .addHelpText("after", CREDENTIALS);
}

/** What was asked for. */
export function historyArguments(module: string, options: HistoryOptions): HistoryArguments {
  const { channel, verify = false, evidence, revision = "HEAD", offline = false } = options;
  return { module, channel, verify, evidence, revision, offline };
}
