import { Option } from "@commander-js/extra-typings";
import { CREDENTIALS, reporting, type CliCommand } from "../command.ts";

/** `kyma-modules bump`. */
export const bump: CliCommand = {
  name: "bump",
  reader: "team",
  summary: "checks a version, and proposes it for a channel",
  examples: [
    "kyma-modules bump certificates@1.5.0 --channel fast --dry-run",
    "kyma-modules bump certificates@1.5.0 --channel fast --template channels/fast/certificates.yaml --offline",
  ],
  define: (command, session) => {
    reporting(command)
      .description(
        "Writes the channel file of a version, checks it, and commits it to a branch, or opens or updates its pull request. It is the last step of a team's pipeline. It does not touch the working tree, the index and HEAD.",
      )
      .argument("<module@version>", "the version that the channel should serve")
      .requiredOption("--channel <channel>", "the channel to change")
      .option("--template <file|url>", "the template of the version (default: the one in the repository)")
      .option("--branch <name>", "the branch (default: bump/<channel>/<module>-<version>)")
      .option("--base <rev>", "the start of a new branch (default: HEAD)")
      .addOption(
        new Option(
          "--pull-request",
          "open or update the pull request on the forge of kyma-modules.yaml, into its base branch (default: main)",
        )
          .default(false)
          .conflicts(["branch", "base"]),
      )
      .option("--offline", "the check does not contact the registry or any other server", false)
      .option("--dry-run", "show the change without committing it", false)
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
