import { CREDENTIALS, EVIDENCE, reporting, revisionOption, type CliCommand } from "../command.ts";

/** `kyma-modules status`. */
export const status: CliCommand = {
  name: "status",
  examples: [
    "kyma-modules status",
    "kyma-modules status certificates --channel regular --format json",
    "kyma-modules status dev",
  ],
  define: (command, session) => {
    reporting(command)
      .description(
        "How every module stands in every channel: what it serves and since when, what may come, holds, open promotions, what is owed for hot-fixes. It is what the repository says; what clusters run may lag behind. With a landscape: how its control plane stands, by one look that writes nothing.",
      )
      .argument("[module...]", "only these modules; or one landscape, unless a module has that name")
      .option("--landscape <landscape>", "a landscape, whatever modules are called")
      .option("--channel <channel>", "only this channel")
      .addOption(EVIDENCE)
      .addOption(revisionOption("as of this Git revision"))
      .option(
        "--offline",
        "ask no forge and no registry: times are those of the committers' clocks, and open promotions are not known",
        false,
      )
      .addHelpText("after", CREDENTIALS)
      .action((modules, options) =>
        session.carryOut(options, async (...to) => {
          const { landscapeNamed, landscapeStatusCommand } = await import("./landscape.ts");
          const landscape = options.landscape ?? (await landscapeNamed(modules, options, to[1]));
          if (landscape !== undefined) return landscapeStatusCommand({ ...options, landscape, modules }, ...to);
          const [{ statusCommand }, { openReading }] = await Promise.all([
            import("./command.ts"),
            import("../compose/promotion.ts"),
          ]);
          return statusCommand({ ...options, modules }, openReading(options), ...to);
        }),
      );
  },
};
