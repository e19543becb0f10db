import { revisionOption, shared, type CliCommand } from "../command.ts";

/** `kyma-modules observe`. */
export const observe: CliCommand = {
  name: "observe",
  reader: "SRE",
  summary: "makes evidence of how long clusters ran a version in order",
  examples: ["kyma-modules observe dev --evidence dev.json", "kyma-modules observe dev --publish"],
  define: (command, session) => {
    shared(command)
      .description(
        "Makes evidence for promote: which versions landscapes serve, how long clusters ran them healthily, and how many clusters are healthy now. The controller measures the time; without a controller, observe looks once and adds no time.",
      )
      .argument("[landscape...]", "the landscapes to observe (default: all)")
      .option("--evidence <file>", "write the evidence into this file (schemas/evidence.schema.json)")
      .option("--publish", "add it to the branch `evidence` if it changes a verdict, else at most once a day", false)
      .option(
        "--remote <remote>",
        "the remote of the branch: a name, an address or a path (default: origin if it exists, else this repository)",
      )
      .addOption(revisionOption("use the landscapes and the catalogue of this Git revision"))
      .action((landscapes, options) =>
        session.carryOut({ ...options, finishesUnheard: options.publish }, async (...to) =>
          (await import("./command.ts")).observeCommand({ ...options, landscapes }, ...to),
        ),
      );
  },
};
