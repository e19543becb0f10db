import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { parsePackageSpec, SPEC_RULE, type PackageSpec } from "../../catalogue/init/packageSpec.ts";
import { parseGitHubName, type GitHubName } from "../../catalogue/init/settings.ts";
import { reporting, type CliCommand } from "../command.ts";

/** `kyma-modules init`. */
export const init: CliCommand = {
  name: "init",
  examples: [
    "kyma-modules init --sample --repo my-catalogue",
    "kyma-modules init --github my-org/my-catalogue --package ./kyma-modules-0.1.0.tgz --repo my-catalogue",
  ],
  define: (command, session) => {
    reporting(command)
      .description("Makes a new catalogue in an empty folder, and prints what leads to the first synced module.")
      .option("--sample", "begin with a few modules that are made up", false)
      .addOption(
        new Option("--github <org/name>", "the repository of GitHub that it will be: sets forge and owners").argParser(
          readName,
        ),
      )
      .addOption(
        new Option("--package <spec>", `the program that it pins: ${SPEC_RULE} (default: this very program)`).argParser(
          readSpec,
        ),
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
A tarball on this machine is copied into the catalogue. Nothing is ever overwritten; .git, README.md, a LICENSE and a
.gitignore that leaves out node_modules/ may be there. Killed, or without a network, it is completed by running it again.`;

function readName(text: string): GitHubName {
  const name = parseGitHubName(text);
  if (name === undefined) throw new InvalidArgumentError("Expected ORG/NAME, such as my-org/module-catalogue.");
  return name;
}

function readSpec(text: string): PackageSpec {
  const spec = parsePackageSpec(text);
  if (spec === undefined) throw new InvalidArgumentError(`Expected ${SPEC_RULE}.`);
  return spec;
}
