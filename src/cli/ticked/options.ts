import type { Command } from "commander";
import { CREDENTIALS } from "../commonOptions.ts";
import { EVIDENCE } from "../promote/options.ts";

/** The arguments of `ticked`. */
export interface TickedArguments {
  /** A file with GitHub's event. */
  readonly event: string;
  /** Paths of files. */
  readonly evidence: readonly string[];
}

/** Gives `command` the description, the argument and the options of `ticked`. */
export function describeTicked(command: Command): Command {
  return command
    .description(
      "Carries out what a person ticked on the dashboard, if that person may write to the repository: the workflow `dashboard` calls it.",
    )
    .argument("<event>", "a file with GitHub's event issues: edited ($GITHUB_EVENT_PATH in a workflow)")
    .addOption(EVIDENCE)
    .addHelpText("after", CREDENTIALS);
}
