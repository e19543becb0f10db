import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { readModuleAtVersion } from "../arguments.ts";
import { collect, shared, type CliCommand } from "../command.ts";
import type { Show } from "./command.ts";

const MOST_CLUSTERS = 2_000;
const MOST_SPEED = 3_600;
const NONE: readonly string[] = [];

const CLUSTERS = `
With --clusters, the demo prints the path of a clone, in which it commits what you save. It writes nothing to
your repository. In the clone, policies have no windows, freezes and reviews, and rehearsed smoke tests pass. Waves and holds
apply, and versions are promoted when they have earned it. --speed affects only soak, waves and states. Commands in another
terminal use the clock of this machine.`;

/** `kyma-modules demo`. */
export const demo: CliCommand = {
  name: "demo",
  reader: "everyone",
  summary: "serves the catalogue on local control planes; npm start runs it",
  examples: ["kyma-modules demo", "kyma-modules demo --once", "kyma-modules demo --clusters 200 --speed 600"],
  define: (command, session) => {
    shared(command)
      .description("Serves the catalogue on real local control planes, and follows every saved change.")
      .option("--once", "stop after the first sync", false)
      .option(
        "--crds <path...>",
        "install CustomResourceDefinitions from these files or folders instead of the built-in ones",
      )
      .option("--data <dir>", "keep the data of the control planes in this folder")
      .addOption(
        new Option(
          "--clusters <n>",
          "simulate so many clusters for each landscape, with a rehearsal of lifecycle-manager",
        )
          .argParser((text) => wholeNumber(text, 1, MOST_CLUSTERS))
          .default(0)
          .conflicts(["crds", "data"]),
      )
      .addOption(
        new Option("--speed <n>", "with --clusters, run the clock of soak, waves and states so many times as fast")
          .argParser((text) => wholeNumber(text, 1, MOST_SPEED))
          .default(1),
      )
      .addOption(
        new Option(
          "--failing <module@version>",
          "with --clusters, let this version fail on 3 % of them; may be repeated",
        )
          .argParser(collect)
          .default(NONE, "none"),
      )
      .addHelpText("after", CLUSTERS)
      .action((options) => {
        const problem = options.clusters === 0 && (options.speed !== 1 || options.failing.length > 0);
        if (problem) command.error("error: options '--speed' and '--failing' need '--clusters'");
        return session.carryOut(options, async (...to) => {
          const failing = options.failing.map(readModuleAtVersion);
          const [{ demoCommand }, show] = await Promise.all([import("./command.ts"), demoShow(options.clusters)]);
          return demoCommand({ ...options, failing }, show, ...to);
        });
      });
  },
};

async function demoShow(clusters: number): Promise<Show> {
  return clusters === 0 ? (await import("./files.ts")).showFiles : (await import("./train.ts")).showTrain;
}

function wholeNumber(text: string, least: number, most: number): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return number;
  throw new InvalidArgumentError(`It must be a whole number from ${String(least)} to ${String(most)}.`);
}
