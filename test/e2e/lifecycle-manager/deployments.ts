import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import type { Outside } from "../../sync/outside.ts";

/** A Deployment, with the fields that this file reads. */
interface Deployment extends KubernetesObject {
  readonly spec: {
    readonly progressDeadlineSeconds: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
  readonly status?: { readonly observedGeneration?: number; readonly availableReplicas?: number };
}

/** The reasons in the condition Progressing of a Deployment. */
type Progress = "ReplicaSetUpdated" | "NewReplicaSetAvailable" | "ProgressDeadlineExceeded";

const DEPLOYMENTS = "/apis/apps/v1/deployments";
/** The time until pods are ready. Milliseconds. */
const START_MS = 1_000;

/**
 * Replaces the Deployment controller and the kubelet of a cluster, which an API server alone does not have: writes the
 * status that they would write. The old pods of a Deployment stay until the new ones are ready; pods of the images in
 * `broken` never become ready. Ends with the test.
 *
 * It uses a watch like the controller: lifecycle-manager reads the status some 100 ms after its write. If that is still
 * the old status, it reports Ready for the next 5 minutes, unless the watcher on the cluster tells it of the change:
 * `notify` replaces it, and is called after each change of a status.
 */
export function keepDeployments(cluster: Outside, broken: ReadonlySet<string>, notify: () => Promise<unknown>): void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rollouts: Promise<void>[] = [];
  const watch = async (): Promise<void> => {
    for await (const { type, object } of cluster.stream(`${DEPLOYMENTS}?watch=true`, signal)) {
      const deployment = object as Deployment;
      if (type !== "DELETED" && deployment.status?.observedGeneration !== deployment.metadata.generation)
        rollouts.push(rollOut(deployment, { cluster, broken, notify }, signal).catch(unlessStopped));
    }
  };
  const unlessStopped = (error: unknown): void => {
    if (!signal.aborted) throw error;
  };
  const watched = watch().catch(unlessStopped);
  onTestFinished(async () => {
    stopping.abort();
    await watched;
    await Promise.all(rollouts);
  });
}

interface Ground {
  readonly cluster: Outside;
  readonly broken: ReadonlySet<string>;
  readonly notify: () => Promise<unknown>;
}

async function rollOut(
  { metadata, spec, status }: Deployment,
  { cluster, broken, notify }: Ground,
  signal: AbortSignal,
): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${metadata.namespace ?? ""}/deployments/${metadata.name}`;
  const { generation = 0 } = metadata;
  const { availableReplicas = 0 } = status ?? {};
  const write = async (available: number, progress: Progress): Promise<void> => {
    await cluster.send("PATCH", `${path}/status`, { status: statusOf(generation, available, progress) }, "merge-patch");
    await notify();
  };
  await write(availableReplicas, "ReplicaSetUpdated");
  const isBroken = spec.template.spec.containers.some(({ image }) => broken.has(image));
  await sleep(isBroken ? spec.progressDeadlineSeconds * 1000 : START_MS, undefined, { signal });
  const { body } = await cluster.send("GET", path);
  // A newer rollout is running, or the Deployment is gone.
  if (body.metadata.generation !== generation) return;
  await (isBroken ? write(availableReplicas, "ProgressDeadlineExceeded") : write(1, "NewReplicaSetAvailable"));
}

function statusOf(generation: number, available: number, progress: Progress): object {
  const now = new Date().toISOString();
  const condition = (type: string, holds: boolean, reason: string): object => {
    const status = holds ? "True" : "False";
    return { type, status, reason, lastUpdateTime: now, lastTransitionTime: now };
  };
  const availability = available > 0 ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable";
  const isUpdated = progress === "NewReplicaSetAvailable";
  return {
    observedGeneration: generation,
    replicas: isUpdated ? 1 : available + 1,
    updatedReplicas: 1,
    readyReplicas: available,
    availableReplicas: available,
    unavailableReplicas: isUpdated ? 0 : 1,
    conditions: [
      condition("Available", available > 0, availability),
      condition("Progressing", progress !== "ProgressDeadlineExceeded", progress),
    ],
  };
}
