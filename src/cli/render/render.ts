import { Option, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { Fault } from "../../ports.ts";
import { reporting, revisionOption, type CliCommand } from "../command.ts";

/** `kyma-modules render`. */
export const render: CliCommand = {
  name: "render",
  examples: [
    "kyma-modules render dev",
    "kyma-modules render certificates@1.5.0 > certificates.yaml",
    "kyma-modules render dev --output rendered/dev",
    "kyma-modules render dev --output rendered/dev --flux --argo-cd --git https://github.com/my-org/rendered --path rendered/dev",
  ],
  define: (command, session) => {
    reporting(command)
      .description(
        "Writes the objects of a landscape for Argo CD or Flux, for teams that use these in place of sync. Entries that are held or would go down stay as they were rendered before. No server is contacted. Or prints what installs one version of a module on a cluster without lifecycle-manager.",
      )
      .argument("<landscape|module@version|module@channel>", "a landscape of kyma-modules.yaml, or what of a module")
      .addOption(revisionOption("the commit to render"))
      .addOption(
        new Option(
          "--output <dir>",
          "write files into this folder instead of printing them; what it holds is what was rendered last",
        ).conflicts("format"),
      )
      .addOption(new Option("--base <rev>", "the commit that was rendered last").conflicts("first"))
      .option("--first", "nothing was rendered before for this landscape", false)
      .option("--prune", "leave out entries that the repository no longer has; make sure that no Kyma uses them", false)
      .option("--argo-cd", "also an Argo CD Application", false)
      .option("--flux", "also a GitRepository and two Kustomizations of Flux", false)
      .option("--git <url>", "with --argo-cd or --flux: the repository of the rendered files, by https or ssh")
      .option("--branch <name>", "its branch", "main")
      .option("--path <folder>", "the folder of the rendered files in it (default: the name of the landscape)")
      .option("--cluster <name>", "the control plane's name in Argo CD (default: its context in kyma-modules.yaml)")
      .option("--git-secret <name>", "a Secret by which Flux reads the repository")
      .option("--kubeconfig-secret <name>", "a Secret by which Flux reaches the control plane, unless it runs there")
      .option("--default-cr", "of a module: its default CR, in place of what installs it", false)
      .action((what, options, of) =>
        session.carryOut({ ...options, finishesUnheard: true }, async (...to) => {
          const isModule = what.includes("@");
          refuseOthers(of, isModule);
          return isModule
            ? (await import("./module.ts")).renderModule({ ...options, what }, ...to)
            : (await import("./command.ts")).renderCommand({ ...options, landscape: what }, ...to);
        }),
      );
  },
};

const OF_ALL: ReadonlySet<string> = new Set(["repo", "color", "verbose", "format", "timeout", "revision"]);

/** A module has no folder, base or delivery, and a landscape no default CR. Throws CONFIGURATION. */
function refuseOthers(command: CommandUnknownOpts, isModule: boolean): void {
  const given = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === "cli");
  const wrong = given.find((option) => {
    const name = option.attributeName();
    return !OF_ALL.has(name) && (name === "defaultCr") !== isModule;
  });
  if (wrong === undefined) return;
  const [what, instead] = isModule ? ["a landscape", "Leave it out."] : ["a module", "Name one: MODULE@VERSION."];
  throw new Fault("CONFIGURATION", `${wrong.long ?? ""} is for ${what}. ${instead}`);
}
