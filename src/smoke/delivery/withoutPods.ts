import { groupKindOf } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { Run } from "../../ports.ts";
import { workloadsIn } from "../rollOut.ts";
import { readLive, refTo, type StepContext } from "../step.ts";

/** What Kubernetes writes of a workload that is available. */
const AVAILABLE = {
  ...{ replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1, currentReplicas: 1 },
  conditions: [
    { type: "Available", status: "True", reason: "MinimumReplicasAvailable" },
    { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" },
  ],
};

/** Says of workloads what a cluster with pods would say: lifecycle-manager waits for it. It is evidence of nothing. */
export async function standInForPods(
  objects: readonly KubernetesObject[],
  { cluster }: StepContext,
  run: Run,
): Promise<void> {
  for (const workload of workloadsIn(objects)) {
    const live = await readLive(workload, cluster, run);
    const ref = live && (await refTo(workload, cluster, run));
    if (ref === undefined) continue;
    await cluster.patchStatus(ref, { ...AVAILABLE, observedGeneration: live?.metadata.generation }, run);
  }
}

/** Ends the namespaces among `objects` that are being deleted: nothing else does where no controller runs. */
export async function endNamespaces(
  objects: readonly KubernetesObject[],
  { cluster }: StepContext,
  run: Run,
): Promise<void> {
  for (const object of objects.filter((one) => groupKindOf(one) === "/Namespace")) {
    const live = await readLive(object, cluster, run);
    if (live?.metadata.deletionTimestamp !== undefined) await cluster.finalize(object.metadata.name, run);
  }
}
