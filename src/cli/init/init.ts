import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { parsePackageSpec, SPEC_RULE } from "../../catalogue/init/packageSpec.ts";
import { parseGitHubName } from "../../catalogue/init/settings.ts";
import { reporting, type CliCommand } from "../command.ts";

/** `kyma-modules init`. */
export const init: CliCommand = {
  name: "init",
  reader: "everyone",
  summary: "makes a new catalogue in an empty folder",
  examples: [
    "kyma-modules init --sample --repo my-catalogue",
    "kyma-modules init --github my-org/my-catalogue --package ./kyma-modules-0.1.0.tgz --repo my-catalogue",
  ],
  define: (command, session) => {
    reporting(command)
      .description("Makes a new catalogue in an empty folder, and prints the steps to the first synced module.")
      .option("--sample", "add a few sample modules", false)
      .addOption(
        new Option("--github <org/name>", "its future repository on GitHub: sets forge and owners").argParser(
          (text) => {
            const name = parseGitHubName(text);
            if (name !== undefined) return name;
            throw new InvalidArgumentError("Expected ORG/NAME, such as my-org/module-catalogue.");
          },
        ),
      )
      .addOption(
        new Option(
          "--package <spec>",
          `the program that it pins: ${SPEC_RULE} (default: the running program)`,
        ).argParser((text) => {
          const spec = parsePackageSpec(text);
          if (spec !== undefined) return spec;
          throw new InvalidArgumentError(`Expected ${SPEC_RULE}.`);
        }),
      )
      .addHelpText("after", WHAT_IT_LEAVES)
      .action((options) =>
        session.carryOut(options, async (...to) => {
          const [{ initCommand }, { openInit }] = await Promise.all([
            import("./command.ts"),
            import("../compose/init.ts"),
          ]);
          const { sample, github, package: spec } = options;
          return initCommand(
            { folder: options.repo, request: { sample, github }, spec },
            openInit(options.repo),
            ...to,
          );
        }),
      );
  },
};

const WHAT_IT_LEAVES = `
A tarball on this machine is copied into the catalogue. Existing files are never overwritten. The folder may contain
.git, README.md, a LICENSE, and a .gitignore with node_modules/. After an interruption, run the command again to complete.`;
