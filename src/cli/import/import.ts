import { Option } from "@commander-js/extra-typings";
import { reporting, type CliCommand } from "../command.ts";

/** `kyma-modules import`. */
export const importing: CliCommand = {
  name: "import",
  reader: "everyone",
  summary: "makes a catalogue out of existing objects",
  examples: [
    "kyma-modules import channels/fast --repo imported",
    "kyma-modules import --context kcp-dev --prefer newest",
  ],
  define: (command, session) => {
    reporting(command)
      .description("Makes a catalogue out of existing ModuleTemplates and ModuleReleaseMetas.")
      .argument("[path...]", "YAML files, or folders with YAML files")
      .option("--context <name>", "import from this context of your kubeconfig")
      .addOption(new Option("--prefer <which>", "which content wins when sources conflict").choices(["newest"]))
      .action((paths, options) => {
        if (paths.length === 0 && options.context === undefined)
          command.error("error: Name files, folders, or --context NAME to import from.");
        return session.carryOut(options, async (...to) => {
          const [{ importCommand }, { openImport }] = await Promise.all([
            import("./command.ts"),
            import("../compose/compose.ts"),
          ]);
          return importCommand({ ...options, paths }, openImport(options.repo), ...to);
        });
      });
  },
};
