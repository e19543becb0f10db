import { Option, type Command } from "commander";
import type { BumpArguments } from "./command.ts";
import { CREDENTIALS } from "../commonOptions.ts";

/** The options of `bump`, as they are read. */
export interface BumpOptions {
  readonly channel: string;
  readonly template?: string;
  readonly branch?: string;
  readonly base?: string;
  readonly pullRequest?: true;
  readonly offline?: true;
  readonly dryRun?: true;
}

/** Gives `command` the description, the argument and the options of `bump`. */
export function describeBump(command: Command): Command {
  return command
    .description(
      "The last step of a team's pipeline: writes the channel file of a version, checks it, and commits it to a branch, or opens or updates its pull request. The working tree, the index and HEAD are not touched.",
    )
    .argument("<module@version>", "what the channel is to serve")
    .requiredOption("--channel <channel>", "the channel")
    .option("--template <file|url>", "the version's template; without it what the repository knows of the version")
    .option("--branch <name>", "the branch (default: bump/<channel>/<module>-<version>)")
    .option("--base <rev>", "what a new branch starts from (default: HEAD)")
    .addOption(
      new Option(
        "--pull-request",
        "on the forge that kyma-modules.yaml names, into the base branch that it names (main where it names none): opens the pull request, or updates it",
      ).conflicts(["branch", "base"]),
    )
    .option("--offline", "the check asks neither the registry nor any other server")
    .option("--dry-run", "show what would be committed, and commit nothing")
    .addHelpText("after", CREDENTIALS);
}

/** What was asked for. */
export function bumpArguments(subject: string, options: BumpOptions, version: string): BumpArguments {
  const { channel, template, branch, base, pullRequest = false, offline = false, dryRun = false } = options;
  return { subject, channel, template, branch, base, pullRequest, offline, dryRun, version };
}
