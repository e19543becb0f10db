import { Option, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { Fault } from "../../ports.ts";
import { parseCount, reporting, revisionOption, type CliCommand } from "../command.ts";

/** `kyma-modules render`. */
export const render: CliCommand = {
  name: "render",
  reader: "everyone",
  summary: "renders objects for Argo CD, Flux, or a cluster of your own",
  examples: [
    "kyma-modules render dev",
    "kyma-modules render certificates@1.5.0 > certificates.yaml",
    "kyma-modules render dev --output rendered/dev",
    "kyma-modules render dev --output rendered/dev --flux --argo-cd --git https://github.com/my-org/rendered --path rendered/dev",
  ],
  define: (command, session) => {
    reporting(command)
      .description(
        "Renders the objects of a landscape for Argo CD or Flux, for teams that use these instead of sync. Entries that are held or would go down stay as last rendered, and what a sync would refuse, as far as Git tells, is not rendered. For MODULE@VERSION or MODULE@CHANNEL, prints the objects that install the module without lifecycle-manager. No control plane is contacted.",
      )
      .argument("<landscape|module@version|module@channel>", "a landscape of kyma-modules.yaml, or what of a module")
      .addOption(revisionOption("the commit to render"))
      .addOption(
        new Option(
          "--output <dir>",
          "write files into this folder instead of printing; its content is the last rendering",
        ).conflicts("format"),
      )
      .addOption(
        new Option("--base <rev>", "the commit of the last rendering, for what --output lacks").conflicts("first"),
      )
      .option("--first", "what --output lacks was never rendered before", false)
      .option("--prune", "omit entries that the repository no longer has; make sure that no Kyma uses them", false)
      .addOption(
        new Option("--max-prune <count>", "refuse to omit more (default: 5, or 10 % of the objects)").argParser(
          parseCount,
        ),
      )
      .option("--argo-cd", "also render an Argo CD Application", false)
      .option("--flux", "also render a GitRepository and two Kustomizations of Flux", false)
      .option(
        "--git <url>",
        "with --argo-cd or --flux: the https or ssh address of the repository with the rendered files",
      )
      .option("--branch <name>", "the branch in that repository", "main")
      .option("--path <folder>", "the folder in that repository (default: the name of the landscape)")
      .option("--cluster <name>", "the control plane's name in Argo CD (default: its context in kyma-modules.yaml)")
      .option("--git-secret <name>", "the Secret with which Flux reads the repository")
      .option(
        "--kubeconfig-secret <name>",
        "the Secret with which Flux reaches the control plane, unless it runs there",
      )
      .option("--default-cr", "for a module: print its default CR instead of the objects that install it", false)
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

/** Throws CONFIGURATION for an option of landscapes that is given for a module, or the reverse. */
function refuseOthers(command: CommandUnknownOpts, isModule: boolean): void {
  const given = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === "cli");
  const wrong = given.find((option) => {
    const name = option.attributeName();
    return !OF_ALL.has(name) && (name === "defaultCr") !== isModule;
  });
  if (wrong === undefined) return;
  const [what, instead] = isModule ? ["a landscape", "Omit it."] : ["a module", "Name one: MODULE@VERSION."];
  throw new Fault("CONFIGURATION", `${wrong.long ?? ""} is for ${what}. ${instead}`);
}
