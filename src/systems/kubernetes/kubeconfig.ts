import type { ControlPlaneAddress } from "../../catalogue/settings.ts";
import { loadConfig } from "./access.ts";

/**
 * A kubeconfig with one context, for another program on this machine: files and programs that give credentials stay
 * where they are. Throws CONFIGURATION for a context or file that does not exist.
 */
export async function kubeconfigOf(address: ControlPlaneAddress): Promise<string> {
  const config = await loadConfig(address);
  const { currentContext } = config;
  const [context, cluster, user] = [
    config.getContextObject(currentContext),
    config.getCurrentCluster(),
    config.getCurrentUser(),
  ];
  const listed = <One>(one: One | null): readonly One[] => (one === null ? [] : [one]);
  config.loadFromOptions({
    ...{ contexts: listed(context), clusters: listed(cluster), users: listed(user) },
    currentContext,
  });
  return config.exportConfig();
}
