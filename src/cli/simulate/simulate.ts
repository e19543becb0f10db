import { Option } from "@commander-js/extra-typings";
import { CREDENTIALS, EVIDENCE, formatOption, revisionOption, shared, type CliCommand } from "../command.ts";
import { parseInstant } from "../instant.ts";
import { PAGE_FORMATS } from "../terminal/formats.ts";

/** `kyma-modules simulate`. */
export const simulate: CliCommand = {
  name: "simulate",
  examples: [
    "kyma-modules simulate",
    "kyma-modules simulate --policy channels/regular.yaml --format text,html=simulation.html",
  ],
  define: (command, session) => {
    shared(command)
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
      .addOption(revisionOption("replay the history up to this Git revision"))
      .option("--offline", "ask no forge: times are those of the committers' clocks", false)
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
