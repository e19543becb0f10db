import { formatOption, revisionOption, shared, type CliCommand } from "../command.ts";
import { PAGE_FORMATS } from "../terminal/formats.ts";

/** `kyma-modules rollout`. */
export const rollout: CliCommand = {
  name: "rollout",
  examples: [
    "kyma-modules rollout certificates --landscape dev",
    "kyma-modules rollout certificates@1.5.0 --landscape dev --format text,json=rollout.json",
  ],
  define: (command, session) => {
    shared(command)
      .description(
        "How many clusters have a version of a module, and who does not, grouped by why, on every landscape that serves it. It is what lifecycle-manager says at one look, or with --watch as it changes; it writes nothing.",
      )
      .argument("<module[@version]>", "the module, in the versions that its channels serve; or any version of it")
      .option("--landscape <landscape>", "only this landscape")
      .option("--watch", "tell again whenever something changes, until Ctrl-C", false)
      .addOption(revisionOption("the landscapes of this Git revision"))
      .addOption(formatOption(PAGE_FORMATS, "text,html=FILE"))
      .action((module, options) =>
        session.carryOut(options, async (...to) =>
          (await import("./command.ts")).rolloutCommand({ ...options, module }, ...to),
        ),
      );
  },
};
