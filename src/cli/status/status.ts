import { Option } from "@commander-js/extra-typings";
import { CREDENTIALS, EVIDENCE, reporting, revisionOption, type CliCommand } from "../command.ts";

/** `kyma-modules status`. */
export const status: CliCommand = {
  name: "status",
  examples: [
    "kyma-modules status",
    "kyma-modules status certificates --channel regular --format json",
    "kyma-modules status dev",
    "kyma-modules status --landscapes certificates",
  ],
  define: (command, session) => {
    reporting(command)
      .description(
        "How every module stands in every channel: what it serves and since when, what may come, holds, open promotions, what is owed for hot-fixes. It is what the repository says; what clusters run may lag behind. With a landscape, or --landscapes: how control planes stand, and how many clusters have what they serve, by looks that write nothing.",
      )
      .argument("[module...]", "only these modules; or one landscape, unless a module has that name")
      .option("--landscape <landscape>", "a landscape, whatever modules are called")
      .addOption(new Option("--landscapes", "all landscapes").default(false).conflicts("landscape"))
      .option("--channel <channel>", "only this channel")
      .addOption(EVIDENCE)
      .addOption(revisionOption("as of this Git revision"))
      .option(
        "--offline",
        "ask no forge and no registry: times are those of the committers' clocks, and open promotions are not known",
        false,
      )
      .option("--watch", "of landscapes: tell again whenever something changes, until Ctrl-C", false)
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
