import { revisionOption, shared, type CliCommand } from "../command.ts";

/** `kyma-modules evidence`. */
export const evidence: CliCommand = {
  name: "evidence",
  reader: "release manager",
  summary: "publishes results of smoke tests, from which promote reads them",
  examples: [
    "kyma-modules evidence publish smoke/evidence.json",
    "kyma-modules evidence publish */evidence.json --remote https://github.com/ORG/NAME.git",
  ],
  define: (command, session) => {
    command.description("Publishes evidence about versions on the branch `evidence`, from which promote reads it.");
    shared(command.command("publish"))
      .description(
        "Adds the results of smoke tests to the branch `evidence`, in one commit. It runs no module code, and does not touch the working tree. Publishing again changes nothing.",
      )
      .argument("<file...>", "evidence.json files of smoke --report, or folders with them")
      .option(
        "--remote <remote>",
        "the remote of the branch: a name, an address or a path (default: origin if it exists, else this repository)",
      )
      .option("--module <module>", "refuse evidence of any other module, as for a job that tested this one")
      .addOption(revisionOption("the commit of the tested catalogue"))
      .action((files, options) =>
        session.carryOut({ ...options, finishesUnheard: true }, async (...to) => {
          const [{ publishCommand }, { openPublishing }] = await Promise.all([
            import("./command.ts"),
            import("../compose/publishing.ts"),
          ]);
          return publishCommand({ ...options, files }, openPublishing(options), ...to);
        }),
      );
  },
};
