import { Option } from "@commander-js/extra-typings";
import { reporting, type CliCommand } from "../command.ts";

/** `kyma-modules install`. */
export const install: CliCommand = {
  name: "install",
  examples: [
    "kyma-modules install dev --part target",
    "kyma-modules install --git https://github.com/my-org/my-catalogue --git-secret catalogue-token",
    "kyma-modules install dev --reader --format json",
  ],
  define: (command, session) => {
    reporting(command)
      .description(
        "Prints the Kubernetes manifests of the controller, which syncs landscapes whenever the repository changes; all landscapes, when none is named. Nothing is applied.",
      )
      .argument("[landscape...]", "landscapes of kyma-modules.yaml")
      .addOption(
        new Option(
          "--part <part>",
          "target: its rights on each control plane; host: what runs in its own cluster (default: both)",
        ).choices(["host", "target"] as const),
      )
      .addOption(
        new Option("--one-shot", "the rights of plan and sync in CI instead")
          .conflicts(["part", "reader"])
          .default(false),
      )
      .addOption(
        new Option("--reader", "the rights of the next landscape's sync to read the records of this one instead")
          .conflicts("part")
          .default(false),
      )
      .option("--kymas", "with --reader: also the right to list Kymas and Manifests", false)
      .option("--namespace <namespace>", "where the controller runs; the namespace must exist", "kyma-system")
      .option("--image <image>", "the image of the controller", `ghcr.io/kyma-project/kyma-modules:${session.version}`)
      .option("--git <url>", "the repository that the controller follows, by https or ssh; the host part needs it")
      .option("--branch <name>", "the branch that it follows (default: main)")
      .option("--git-secret <name>", "a Secret with the key token (https), or ssh-privatekey and known_hosts (ssh)")
      .option(
        "--kubeconfig-secret <name>",
        "a Secret with the key kubeconfig, which has the contexts of kyma-modules.yaml (default: kyma-modules-kubeconfig)",
      )
      .option("--in-cluster", "the one landscape's control plane is where the controller runs", false)
      .option(
        "--publish",
        "the controller adds what clusters run to the branch `evidence`: the credentials of --git-secret may push there",
        false,
      )
      .option("--webhook-secret <name>", "a Secret with the key secret, by which GitHub signs its webhooks")
      .option("--service-monitor", "also a ServiceMonitor for the Prometheus operator", false)
      .action((landscapes, options) =>
        session.carryOut(options, async (...to) => {
          const [{ installCommand }, { openSource }] = await Promise.all([
            import("./command.ts"),
            import("../compose/compose.ts"),
          ]);
          return installCommand({ ...options, landscapes }, openSource(options.repo, undefined), ...to);
        }),
      );
  },
};
