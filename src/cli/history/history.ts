import { CREDENTIALS, EVIDENCE, reporting, revisionOption, type CliCommand } from "../command.ts";

/** `kyma-modules history`. */
export const history: CliCommand = {
  name: "history",
  examples: ["kyma-modules history certificates", "kyma-modules history certificates --channel fast --verify"],
  define: (command, session) => {
    reporting(command)
      .description(
        "The timeline of a module, newest first: what each channel served when, how it came there, how long it had soaked, and who held what. It is what the repository said; what clusters ran may have lagged behind.",
      )
      .argument("<module>", "the module")
      .option("--channel <channel>", "only this channel")
      .option(
        "--verify",
        "decide each promotion once more, on what was merged then; exit 1 when a verdict differs",
        false,
      )
      .addOption(EVIDENCE)
      .addOption(revisionOption("the history up to this Git revision"))
      .option("--offline", "ask no forge: times are those of the committers' clocks", false)
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
