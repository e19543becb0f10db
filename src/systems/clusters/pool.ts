import type { Cluster, ClusterSupply, Run } from "../../ports.ts";
import { readKubeconfig } from "../kubernetes/kubeconfig.ts";

/** A cluster that the pool created. */
export interface MadeCluster {
  readonly cluster: Cluster;
  /** Path of a kubeconfig. */
  readonly kubeconfig: string;
  /** Removes the cluster. May be called again. */
  readonly stop: () => Promise<void>;
  /** Saves logs that explain a failure. */
  readonly keepLogs?: () => Promise<void>;
  /** Loads an image from this machine, if it has it. */
  readonly loadImage?: (image: string) => Promise<void>;
}

/** A supply that reuses clean clusters and creates one when none is free. */
export function pooled(
  { place, pods }: Pick<ClusterSupply, "place" | "pods">,
  make: (run: Run) => Promise<MadeCluster>,
): ClusterSupply {
  const all = new Set<MadeCluster>();
  const free: MadeCluster[] = [];
  const discard = async (made: MadeCluster): Promise<void> => {
    all.delete(made);
    await made.stop();
  };
  return {
    place,
    pods,
    isRenewable: true,
    take: async (images, run) => {
      const made = free.pop() ?? (await make(run));
      all.add(made);
      for (const image of images) await made.loadImage?.(image);
      const { cluster, kubeconfig } = made;
      return {
        cluster,
        kubeconfig: () => readKubeconfig({ kubeconfig }),
        giveBack: async (isClean) => {
          if (isClean) free.push(made);
          else {
            await made.keepLogs?.();
            await discard(made);
          }
        },
      };
    },
    close: async () => {
      await Promise.all([...all].map(discard));
    },
  };
}
