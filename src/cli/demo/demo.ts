import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { readModuleAtVersion } from "../arguments.ts";
import { shared, type CliCommand } from "../command.ts";

const MOST_CLUSTERS = 2_000;
const MOST_SPEED = 3_600;
const NONE: readonly string[] = [];

const CLUSTERS = `
With --clusters, the demo works on a clone of its own, which it prints: what you save is committed there, and nothing is written to
your repository. Its policies are open (no windows, no freezes, no reviews), its smoke tests are rehearsed and pass, waves and holds
count, and what has earned it is promoted. Only instants are fast: programs start, save and answer as ever, and commands in another
terminal go by the clock of this machine.`;

/** `kyma-modules demo`. */
export const demo: CliCommand = {
  name: "demo",
  examples: ["kyma-modules demo", "kyma-modules demo --once", "kyma-modules demo --clusters 200 --speed 600"],
  define: (command, session) => {
    shared(command)
      .description(
        "Serves the catalogue on real control planes of its own on this machine, and follows every saved change.",
      )
      .option("--once", "end after the first sync", false)
      .option("--crds <path...>", "install the CustomResourceDefinitions of these files or folders instead of our own")
      .option("--data <dir>", "keep the data of the control planes in this folder")
      .addOption(
        new Option("--clusters <n>", "so many made-up clusters a landscape, kept by a rehearsal of lifecycle-manager")
          .argParser((text) => wholeNumber(text, 1, MOST_CLUSTERS))
          .default(0)
          .conflicts(["crds", "data"]),
      )
      .addOption(
        new Option("--speed <n>", "with --clusters, so many seconds pass for the train in one: soak, waves and states")
          .argParser((text) => wholeNumber(text, 1, MOST_SPEED))
          .default(1),
      )
      .addOption(
        new Option("--failing <module@version>", "with --clusters, never starts on 3 % of them; may be repeated")
          .argParser(collect)
          .default(NONE, "none"),
      )
      .addHelpText("after", CLUSTERS)
      .action((options) => {
        const problem = options.clusters === 0 && (options.speed !== 1 || options.failing.length > 0);
        if (problem) command.error("error: options '--speed' and '--failing' need '--clusters'");
        return session.carryOut(options, async (...to) =>
          (await import("./command.ts")).demoCommand(
            options.repo,
            { ...options, failing: options.failing.map(readModuleAtVersion) },
            ...to,
          ),
        );
      });
  },
};

function wholeNumber(text: string, least: number, most: number): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return number;
  throw new InvalidArgumentError(`It must be a whole number from ${String(least)} to ${String(most)}.`);
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}
