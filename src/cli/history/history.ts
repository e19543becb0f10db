import { CREDENTIALS, EVIDENCE, reporting, revisionOption, type CliCommand } from "../command.ts";

/** `kyma-modules history`. */
export const history: CliCommand = {
  name: "history",
  reader: "everyone",
  summary: "prints the timeline of a module",
  examples: ["kyma-modules history certificates", "kyma-modules history certificates --channel fast --verify"],
  define: (command, session) => {
    reporting(command)
      .description(
        "Prints the timeline of a module, newest first: which version each channel served, how it got there, how long it had soaked, and holds. It reads the repository; clusters may have followed later.",
      )
      .argument("<module>", "the module")
      .option("--channel <channel>", "only this channel")
      .option("--verify", "decide each promotion again, on the state of that time; exit 1 if a verdict differs", false)
      .addOption(EVIDENCE)
      .addOption(revisionOption("show the history up to this Git revision"))
      .option("--offline", "do not contact the forge; times come from the committers' clocks", false)
      .addHelpText("after", CREDENTIALS)
      .action((module, options) =>
        session.carryOut(options, async (...to) => {
          const [{ historyCommand }, { openReading }] = await Promise.all([
            import("./command.ts"),
            import("../compose/promotion.ts"),
          ]);
          return historyCommand({ ...options, module }, openReading(options), ...to);
        }),
      );
  },
};
