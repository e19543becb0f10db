import { Option } from "@commander-js/extra-typings";
import { CREDENTIALS, reporting, type CliCommand } from "../command.ts";

/** `kyma-modules bump`. */
export const bump: CliCommand = {
  name: "bump",
  examples: [
    "kyma-modules bump certificates@1.5.0 --channel fast --dry-run",
    "kyma-modules bump certificates@1.5.0 --channel fast --template channels/fast/certificates.yaml --offline",
  ],
  define: (command, session) => {
    reporting(command)
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
        )
          .default(false)
          .conflicts(["branch", "base"]),
      )
      .option("--offline", "the check asks neither the registry nor any other server", false)
      .option("--dry-run", "show what would be committed, and commit nothing", false)
      .addHelpText("after", CREDENTIALS)
      .action((subject, options) =>
        session.carryOut(options, async (...to) => {
          const [{ bumpCommand }, { openBump }] = await Promise.all([
            import("./command.ts"),
            import("../compose/promotion.ts"),
          ]);
          return bumpCommand({ ...options, subject, version: session.version }, openBump(options.repo), ...to);
        }),
      );
  },
};
