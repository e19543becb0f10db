import { findBinaries } from "../embedded/binaries.ts";
import { startControlPlane } from "../embedded/controlPlane.ts";
import type { Environment } from "../environment.ts";
import { type ClusterLimits, closeAccess, LIMITS, openAccess } from "../kubernetes/access.ts";
import { openCluster } from "../kubernetes/cluster.ts";
import type { ObjectRef } from "../../kubernetes/object.ts";
import type { Cluster, ClusterSupply, Run } from "../../ports.ts";
import { pause } from "../pause.ts";
import { pooled } from "./pool.ts";

/** Short retries: an embedded server that does not answer is gone. */
export const EMBEDDED_LIMITS: ClusterLimits = { ...LIMITS, backOffMs: 5_000, retryAfterMs: 10_000 };

/** Supplies embedded control planes, which do not run pods. */
export function embeddedSupply(environment: Environment): ClusterSupply {
  return pooled({ place: "embedded", pods: false }, async (run) => {
    const binaries = await findBinaries(
      environment,
      (line) => {
        run.log.info(line);
      },
      run,
    );
    const started = await startControlPlane({ name: "smoke", binaries }, run);
    try {
      const access = await openAccess({ kubeconfig: started.kubeconfig }, EMBEDDED_LIMITS);
      const cluster = openCluster(access);
      await untilComplete(cluster, run);
      return {
        cluster,
        kubeconfig: started.kubeconfig,
        stop: async () => {
          await closeAccess(access);
          await started.stop();
        },
      };
    } catch (error) {
      await started.stop();
      throw error;
    }
  });
}

const POLL_MS = 50;

/**
 * Waits for the server's own Service, which it creates after it is ready: it must not be taken for a module's object.
 */
export async function untilComplete(cluster: Cluster, run: Run): Promise<void> {
  const service: ObjectRef = {
    resource: { apiVersion: "v1", kind: "Service", plural: "services" },
    namespace: "default",
    name: "kubernetes",
  };
  while ((await cluster.read(service, run)) === undefined) await pause(POLL_MS, run);
}
