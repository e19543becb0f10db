import { shared, type CliCommand } from "../command.ts";

/** `kyma-modules demo`. */
export const demo: CliCommand = {
  name: "demo",
  examples: ["kyma-modules demo", "kyma-modules demo --once"],
  define: (command, session) => {
    shared(command)
      .description(
        "Serves the catalogue on real control planes of its own on this machine, and follows every saved change.",
      )
      .option("--once", "end after the first sync", false)
      .option("--crds <path...>", "install the CustomResourceDefinitions of these files or folders instead of our own")
      .option("--data <dir>", "keep the data of the control planes in this folder")
      .action((options) =>
        session.carryOut(options, async (...to) =>
          (await import("./command.ts")).demoCommand(options.repo, options, ...to),
        ),
      );
  },
};
