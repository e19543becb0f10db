import { InvalidArgumentError, Option, type Command } from "commander";
import { parsePackageSpec, SPEC_RULE, type PackageSpec } from "../../catalogue/init/packageSpec.ts";
import { parseGitHubName, type GitHubName } from "../../catalogue/init/settings.ts";
import type { InitArguments } from "./command.ts";

/** The options of `init`, as they are read. */
export interface InitOptions {
  readonly sample?: true;
  readonly github?: GitHubName;
  readonly package?: PackageSpec;
}

/** Gives `command` the description and the options of `init`. */
export function describeInit(command: Command): Command {
  return command
    .description("Makes a new catalogue in an empty folder, and prints what leads to the first synced module.")
    .option("--sample", "begin with a few modules that are made up")
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
    .addHelpText("after", EXAMPLES);
}

const EXAMPLES = `
Examples:
  kyma-modules init --repo catalogue --sample
  kyma-modules init --repo catalogue --github my-org/module-catalogue --package kyma-modules-0.1.0.tgz

A tarball on this machine is copied into the catalogue. Nothing is ever overwritten; .git, README.md, a LICENSE and a
.gitignore that leaves out node_modules/ may be there. Killed, or without a network, it is completed by running it again.`;

/** What was asked for. */
export function initArguments(folder: string, options: InitOptions): InitArguments {
  const { sample = false, github, package: spec } = options;
  return { folder, request: { sample, github }, spec };
}

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
