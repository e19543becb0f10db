import { revisionOption, shared, type CliCommand } from "../command.ts";

/** `kyma-modules evidence`. */
export const evidence: CliCommand = {
  name: "evidence",
  examples: [
    "kyma-modules evidence publish smoke/evidence.json",
    "kyma-modules evidence publish */evidence.json --remote https://github.com/ORG/NAME.git",
  ],
  define: (command, session) => {
    command.description("Keeps what was observed of versions on the branch `evidence`, where promote reads it.");
    shared(command.command("publish"))
      .description(
        "Adds what smoke tests found to the branch `evidence`, in one commit. Nothing of a module is run, no working tree is touched, and what is known already changes nothing.",
      )
      .argument("<file...>", "evidence.json of smoke --report; or folders")
      .option(
        "--remote <remote>",
        "where the branch is: a name, an address or a path (default: origin; where there is none, this repository)",
      )
      .addOption(revisionOption("the commit whose catalogue was tested"))
      .action((files, options) =>
        session.carryOut({ ...options, finishesUnheard: true }, async (...to) => {
          const [{ publishCommand }, { openPublishing }] = await Promise.all([
            import("./command.ts"),
            import("../compose/promotion.ts"),
          ]);
          return publishCommand({ ...options, files }, openPublishing(options), ...to);
        }),
      );
  },
};
