import { findBinaries } from "../embedded/binaries.ts";
import { startControlPlane } from "../embedded/controlPlane.ts";
import type { Environment } from "../environment.ts";
import { type ClusterLimits, LIMITS, openAccess } from "../kubernetes/access.ts";
import { openCluster } from "../kubernetes/cluster.ts";
import type { ClusterSupply } from "../../ports.ts";
import { pooled } from "./pool.ts";

/** A server of our own that does not answer is gone: it is asked again for a moment only. */
export const EMBEDDED_LIMITS: ClusterLimits = { ...LIMITS, backOffMs: 5_000, retryAfterMs: 10_000 };

/** Control planes of our own, without anything that runs pods. */
export function embeddedSupply(environment: Environment): ClusterSupply {
  return pooled({ place: "embedded", pods: false }, async (run) => {
    const progress = (line: string): void => {
      run.log.info(line);
    };
    const binaries = await findBinaries(environment, progress, run);
    const started = await startControlPlane({ name: "smoke", binaries }, run);
    const access = await openAccess({ kubeconfig: started.kubeconfig }, EMBEDDED_LIMITS);
    return { cluster: openCluster(access), stop: () => started.stop() };
  });
}
