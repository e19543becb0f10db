import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { CREDENTIALS, EVIDENCE, revisionOption, shared, type CliCommand } from "../command.ts";

/** `kyma-modules dashboard`. */
export const dashboard: CliCommand = {
  name: "dashboard",
  examples: ["kyma-modules dashboard --offline --export site"],
  define: (command, session) => {
    shared(command)
      .description(
        "Shows the train as web pages, until it is stopped: what every channel serves on every landscape, what may come next and why it does not. It only reads. Prints its address.",
      )
      .addOption(new Option("--port <port>", "0: any that is free").argParser(parsePort).default(8420))
      .option("--bind <host>", "listen there; anything but localhost needs --auth", "127.0.0.1")
      .option(
        "--auth <how>",
        "who may read: token (that of KYMA_MODULES_DASHBOARD_TOKEN, also as the password), or header:NAME, which a proxy sets and takes from strangers",
      )
      .option("--export <dir>", "write all pages into this folder instead, for any web server or none")
      .addOption(EVIDENCE)
      .addOption(revisionOption("as of this Git revision"))
      .option("--offline", "ask no forge and no control plane: what clusters run is not shown", false)
      .addHelpText("after", CREDENTIALS)
      .action((options) =>
        session.carryOut(options, async (...to) => {
          const [{ dashboardCommand }, { openReading }] = await Promise.all([
            import("./command.ts"),
            import("../compose/promotion.ts"),
          ]);
          return dashboardCommand(options, openReading(options), ...to);
        }),
      );
  },
};

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError("It must be a port: a number up to 65535.");
  return Number(text);
}
