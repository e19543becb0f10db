import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { collect, parseDuration, reporting, splitCommas, type CliCommand } from "../command.ts";

const NONE: readonly string[] = [];

const ONLY = new Option(
  "--only <path>",
  "run only this path: MODULE@VERSION for an install, MODULE@FROM..VERSION for an upgrade; may be repeated",
)
  .argParser(collect)
  .default(NONE, "all");

const PLACE = new Option(
  "--cluster <place>",
  "where to run. kind: throw-away clusters by kind and Docker; context:NAME: a cluster of your kubeconfig without these modules; embedded: an API server only, which does not check what needs pods (default: kind if it can run, else embedded)",
).argParser((text) => {
  if (text === "embedded" || text === "kind" || /^context:./.test(text)) return text;
  throw new InvalidArgumentError("It must be kind, embedded, or context:NAME with a context of your kubeconfig.");
});

const THROUGH = new Option(
  "--through <way>",
  "lifecycle-manager: install versions by ModuleTemplate, ModuleReleaseMeta and Kyma, with the program that LIFECYCLE_MANAGER names (default: apply the manifests)",
).choices(["lifecycle-manager"] as const);

const KUBERNETES = new Option(
  "--kubernetes <versions>",
  "for kind: the Kubernetes versions to run on, comma-separated, such as 1.34,1.36",
)
  .argParser((text): readonly string[] => {
    const versions = splitCommas(text);
    if (versions.length === 0 || !versions.every((version) => /^\d+\.\d+(\.\d+)?$/.test(version)))
      throw new InvalidArgumentError("It must be versions of Kubernetes, such as 1.34,1.36.");
    // kind runs 1.36 as 1.36.0. Two results of one path on one version would make the evidence invalid.
    const patches = versions.map((version) => (/^\d+\.\d+$/.test(version) ? `${version}.0` : version));
    if (new Set(patches).size === versions.length) return versions;
    throw new InvalidArgumentError("Name each version once: 1.36 is the same as 1.36.0.");
  })
  .default(NONE, "the version of kind");

/** `kyma-modules smoke`. */
export const smoke: CliCommand = {
  name: "smoke",
  reader: "team",
  summary: "installs and upgrades versions on a throw-away cluster",
  examples: [
    "kyma-modules smoke --plan certificates",
    "kyma-modules smoke --plan --base HEAD",
    "kyma-modules smoke certificates --cluster embedded --report smoke",
  ],
  define: (command, session) => {
    reporting(command)
      .description(
        "Tests versions of modules on a throw-away cluster: installs them, upgrades to them from every served version, and removes them. A failure names the step, the object, and the answer of the API server.",
      )
      .argument("[module...]", "test the served versions of these modules")
      .option("--base <rev>", "test what the commits since this Git revision change")
      .option("--worktree", "with --base: test the working tree, also what is not committed", false)
      .option("--all", "test every module of every channel", false)
      .option("--plan", "print the paths without running them", false)
      .addOption(ONLY)
      .addOption(PLACE)
      .addOption(THROUGH)
      .addOption(KUBERNETES)
      .addOption(
        new Option(
          "--deadline <duration>",
          "the timeout of each roll-out, state and removal (default: 3m; embedded: 20s)",
        ).argParser(parseDuration),
      )
      .addOption(
        new Option("--concurrency <count>", "test so many modules in parallel, each on its own cluster")
          .argParser((text) => {
            if (/^[1-9]\d?$/.test(text)) return Number(text);
            throw new InvalidArgumentError("It must be a number from 1 to 99.");
          })
          .default(1),
      )
      .option("--fresh", "also run paths that passed on this machine with the same content; --report implies it", false)
      .option("--report <dir>", "write report.json, evidence.json, junit.xml and summary.md into this folder")
      .option("--yes", "allow a cluster that is not on this machine", false)
      .action((modules, options) => {
        const request = { ...options, modules, deadlineMs: options.deadline };
        const problem = contradictionIn(request);
        if (problem !== undefined) command.error(`error: ${problem}`);
        return session.carryOut(options, async (...to) => {
          const [{ smokeCommand }, { openSmoke }] = await Promise.all([
            import("./command.ts"),
            import("../compose/smoke.ts"),
          ]);
          return smokeCommand(request, openSmoke(options.repo), ...to);
        });
      });
  },
};

interface Choice {
  readonly plan: boolean;
  readonly report?: string | undefined;
  readonly modules: readonly string[];
  readonly base?: string | undefined;
  readonly all: boolean;
  readonly cluster?: string | undefined;
  readonly kubernetes: readonly string[];
}

function contradictionIn({ modules, base, all, cluster, kubernetes, plan, report }: Choice): string | undefined {
  if (plan && report !== undefined)
    return "--plan runs nothing that --report could tell of: --format json=FILE keeps it";
  if (kubernetes.length > 0 && cluster !== "kind")
    return "--kubernetes is for --cluster kind: other places have their version";
  const ways = [modules.length > 0, base !== undefined, all].filter(Boolean).length;
  if (ways === 1) return undefined;
  return ways === 0
    ? "name what to try: modules, --base REF for a change, or --all"
    : "name modules, --base REF, or --all: only one of them";
}
