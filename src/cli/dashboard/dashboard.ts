import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { CREDENTIALS, EVIDENCE, revisionOption, shared, type CliCommand } from "../command.ts";

/** `kyma-modules dashboard`. */
export const dashboard: CliCommand = {
  name: "dashboard",
  reader: "everyone",
  summary: "shows the train as read-only web pages",
  examples: ["kyma-modules dashboard --offline --export site"],
  define: (command, session) => {
    shared(command)
      .description(
        "Shows the train as web pages until it is stopped: what every channel serves on every landscape, what may come next, and why it waits. It only reads. Prints its address.",
      )
      .addOption(
        new Option("--port <port>", "the port; 0 for any free port")
          .argParser((text) => {
            if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
            throw new InvalidArgumentError("It must be a port: a number up to 65535.");
          })
          .default(8420),
      )
      .option("--bind <host>", "the address to listen on; any other than localhost needs --auth", "127.0.0.1")
      .option(
        "--auth <how>",
        "who may read: token (the value of KYMA_MODULES_DASHBOARD_TOKEN, also as a password), or header:NAME (a header that a proxy sets, and removes from requests)",
      )
      .option("--export <dir>", "write all pages into this folder instead, to open them with or without a web server")
      .addOption(EVIDENCE)
      .addOption(revisionOption("show this Git revision"))
      .option("--offline", "do not contact the forge and control planes; the state of clusters is not shown", false)
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
