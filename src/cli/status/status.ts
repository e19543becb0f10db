import { Option } from "@commander-js/extra-typings";
import { CREDENTIALS, EVIDENCE, reporting, revisionOption, type CliCommand } from "../command.ts";

/** `kyma-modules status`. */
export const status: CliCommand = {
  name: "status",
  reader: "everyone",
  summary: "shows what channels and landscapes serve, and what is pending",
  examples: [
    "kyma-modules status",
    "kyma-modules status certificates --channel regular --format json",
    "kyma-modules status dev",
    "kyma-modules status --landscapes certificates",
  ],
  define: (command, session) => {
    reporting(command)
      .description(
        "Shows the state of every module in every channel: the served version and its age, candidates, holds, open promotions, and debts of hot-fixes. It reads the repository; clusters may lag behind. With a landscape or --landscapes, shows the state of control planes, and how many clusters have the served versions. It writes nothing.",
      )
      .argument("[module...]", "only these modules; or one landscape, unless a module has the same name")
      .option("--landscape <landscape>", "the state of this landscape, even if a module has the same name")
      .addOption(new Option("--landscapes", "the state of all landscapes").default(false).conflicts("landscape"))
      .option("--channel <channel>", "only this channel")
      .addOption(EVIDENCE)
      .addOption(revisionOption("show the state as of this Git revision"))
      .option(
        "--offline",
        "do not contact the forge and the registry; times come from the committers' clocks, and open promotions are not known",
        false,
      )
      .option("--watch", "with landscapes: report again on every change, until Ctrl-C", false)
      .addHelpText("after", CREDENTIALS)
      .action((modules, options) =>
        session.carryOut(options, async (...to) => {
          const { landscapeNamed, landscapeStatusCommand } = await import("./landscape.ts");
          if (options.landscapes) return landscapeStatusCommand({ ...options, landscapes: [], modules }, ...to);
          const { landscape } = options;
          if (landscape !== undefined)
            return landscapeStatusCommand({ ...options, landscapes: [landscape], modules }, ...to);
          const named = await landscapeNamed(modules, options, to[1]);
          if (named !== undefined)
            return landscapeStatusCommand({ ...options, landscapes: [named], modules: [] }, ...to);
          const [{ statusCommand }, { openReading }] = await Promise.all([
            import("./command.ts"),
            import("../compose/promotion.ts"),
          ]);
          return statusCommand({ ...options, modules }, openReading(options), ...to);
        }),
      );
  },
};
