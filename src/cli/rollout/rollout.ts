import { formatOption, revisionOption, shared, type CliCommand } from "../command.ts";
import { PAGE_FORMATS } from "../terminal/formats.ts";

/** `kyma-modules rollout`. */
export const rollout: CliCommand = {
  name: "rollout",
  reader: "SRE",
  summary: "shows how many clusters have a version, and why others do not",
  examples: [
    "kyma-modules rollout certificates --landscape dev",
    "kyma-modules rollout certificates@1.5.0 --landscape dev --format text,json=rollout.json",
  ],
  define: (command, session) => {
    shared(command)
      .description(
        "Shows how many clusters have a version of a module, and which ones do not, grouped by cause, on every landscape that serves it. It reads once, or with --watch continuously, the states that lifecycle-manager reports. It writes nothing.",
      )
      .argument("<module[@version]>", "the module with all versions that channels serve, or one version")
      .option("--landscape <landscape>", "only this landscape")
      .option("--watch", "report again on every change, until Ctrl-C", false)
      .addOption(revisionOption("use the landscapes of this Git revision"))
      .addOption(formatOption(PAGE_FORMATS, "text,html=FILE"))
      .action((module, options) =>
        session.carryOut(options, async (...to) =>
          (await import("./command.ts")).rolloutCommand({ ...options, module }, ...to),
        ),
      );
  },
};
