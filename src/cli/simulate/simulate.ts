import { Option } from "@commander-js/extra-typings";
import { CREDENTIALS, EVIDENCE, formatOption, revisionOption, shared, type CliCommand } from "../command.ts";
import { parseInstant } from "../instant.ts";
import { PAGE_FORMATS } from "../terminal/formats.ts";

/** `kyma-modules simulate`. */
export const simulate: CliCommand = {
  name: "simulate",
  reader: "release manager",
  summary: "replays the history under a policy",
  examples: [
    "kyma-modules simulate",
    "kyma-modules simulate --policy channels/regular.yaml --format text,html=simulation.html",
  ],
  define: (command, session) => {
    shared(command)
      .description(
        "Replays the history under a policy: when the policy would have allowed each promotion, and which promotions it would have made.",
      )
      .option("--policy <file>", "use this channel policy instead of the one in the catalogue")
      .option("--channel <channel>", "only this channel; with --policy, the channel of that policy")
      .addOption(
        new Option(
          "--since <instant>",
          "start the replay then, with the versions that channels served at that time",
        ).argParser(parseInstant),
      )
      .addOption(EVIDENCE)
      .option("--history-csv <file>", "replay this table of changes instead of the repository's history")
      .addOption(revisionOption("replay the history up to this Git revision"))
      .option("--offline", "do not contact the forge; times come from the committers' clocks", false)
      .addOption(formatOption(PAGE_FORMATS, "text,html=FILE"))
      .addHelpText("after", CREDENTIALS)
      .action((options) =>
        session.carryOut(options, async (...to) => {
          const [{ simulateCommand }, { openReading }] = await Promise.all([
            import("./command.ts"),
            import("../compose/promotion.ts"),
          ]);
          return simulateCommand({ ...options, sinceMs: options.since }, openReading(options), ...to);
        }),
      );
  },
};
