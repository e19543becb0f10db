import type { KubernetesObject } from "../kubernetes/object.ts";
import type { ServedModules } from "./lookup.ts";
import { manifestOwner } from "./manifest.ts";
import { rehearse, type RehearsedCluster, type RehearsedTime } from "./rehearse.ts";

const DAY_MS = 86_400_000;

/** The state of a cluster one day after lifecycle-manager first saw it. */
export function settledCluster(kyma: KubernetesObject, served: ServedModules, time: RehearsedTime): RehearsedCluster {
  let cluster: RehearsedCluster = { kyma, manifests: new Map() };
  for (let nowMs = time.nowMs - DAY_MS; nowMs <= time.nowMs;) {
    const { kyma: next, manifests, nextMs } = rehearse(cluster, served, { ...time, nowMs });
    const written = manifests.map((manifest) => [manifestOwner(manifest).module, manifest] as const);
    cluster = { kyma: next ?? cluster.kyma, manifests: new Map([...cluster.manifests, ...written]) };
    nowMs = nextMs;
  }
  return cluster;
}
