import { Option } from "@commander-js/extra-typings";
import { reporting, type CliCommand } from "../command.ts";

/** `kyma-modules install`. */
export const install: CliCommand = {
  name: "install",
  reader: "SRE",
  summary: "prints the manifests of the controller and its permissions",
  examples: [
    "kyma-modules install dev --part target",
    "kyma-modules install --git https://github.com/my-org/my-catalogue --git-secret catalogue-token",
    "kyma-modules install dev --reader --format json",
  ],
  define: (command, session) => {
    reporting(command)
      .description(
        "Prints the Kubernetes manifests of the controller, which syncs landscapes whenever the repository changes. Nothing is applied.",
      )
      .argument("[landscape...]", "landscapes of kyma-modules.yaml (default: all)")
      .addOption(
        new Option(
          "--part <part>",
          "target: its permissions on each control plane; host: the objects in its own cluster (default: both)",
        ).choices(["host", "target"] as const),
      )
      .addOption(
        new Option("--one-shot", "print the permissions for plan and sync in CI instead")
          .conflicts(["part", "reader"])
          .default(false),
      )
      .addOption(
        new Option("--reader", "print the permissions to read the records for the next landscape's sync instead")
          .conflicts("part")
          .default(false),
      )
      .option("--kymas", "with --reader: also the permission to list Kymas and Manifests", false)
      .option("--namespace <namespace>", "the namespace of the controller, which must exist", "kyma-system")
      .option("--image <image>", "the image of the controller", `ghcr.io/kyma-project/kyma-modules:${session.version}`)
      .option("--git <url>", "the https or ssh address of the repository to follow; required for the host part")
      .option("--branch <name>", "the branch to follow (default: main)")
      .option("--git-secret <name>", "the Secret with the key token (https), or ssh-privatekey and known_hosts (ssh)")
      .option("--git-app", "--git-secret has the keys app-id and private-key of a GitHub App instead (https)", false)
      .option(
        "--kubeconfig-secret <name>",
        "the Secret with the key kubeconfig, which has the contexts of kyma-modules.yaml (default: kyma-modules-kubeconfig)",
      )
      .option("--in-cluster", "the controller runs in the control plane of the one landscape", false)
      .option("--publish", "publish evidence from clusters; --git-secret must be allowed to push", false)
      .option("--webhook-secret <name>", "the Secret with the key secret, with which GitHub signs its webhooks")
      .option("--service-monitor", "also print a ServiceMonitor for the Prometheus operator", false)
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
