import { revisionOption, shared, type CliCommand } from "../command.ts";

/** `kyma-modules observe`. */
export const observe: CliCommand = {
  name: "observe",
  examples: ["kyma-modules observe dev --evidence dev.json", "kyma-modules observe dev --publish"],
  define: (command, session) => {
    shared(command)
      .description(
        "What landscapes serve, how long clusters ran it in order, and how many are in order now, as evidence for promote. The time comes from the controller; without one there is a look at this moment, which adds none.",
      )
      .argument("[landscape...]", "the landscapes to observe; without names, all")
      .option("--evidence <file>", "write what was observed into this file, as schemas/evidence.schema.json says")
      .option(
        "--publish",
        "add it to the branch `evidence` once a policy finds otherwise by it, else once a day",
        false,
      )
      .option(
        "--remote <remote>",
        "where the branch is: a name, an address or a path (default: origin; where there is none, this repository)",
      )
      .addOption(revisionOption("the landscapes and the catalogue of this Git revision"))
      .action((landscapes, options) =>
        session.carryOut({ ...options, finishesUnheard: options.publish }, async (...to) =>
          (await import("./command.ts")).observeCommand({ ...options, landscapes }, ...to),
        ),
      );
  },
};
