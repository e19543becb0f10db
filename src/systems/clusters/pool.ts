import type { Cluster, ClusterSupply, Run } from "../../ports.ts";
import { kubeconfigOf } from "../kubernetes/kubeconfig.ts";

/** A cluster that was made. */
export interface MadeCluster {
  readonly cluster: Cluster;
  /** Path of a kubeconfig. */
  readonly kubeconfig: string;
  /** Removes it. May be called again. */
  readonly stop: () => Promise<void>;
  /** Keeps what tells why something failed there. */
  readonly keepLogs?: () => Promise<void>;
  /** Brings an image of this machine, where it has it. */
  readonly loadImage?: (image: string) => Promise<void>;
}

/** A supply that makes clusters when none is free, and hands a clean one out again. */
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
      const giveBack = async (isClean: boolean): Promise<void> => {
        if (isClean) free.push(made);
        else {
          await made.keepLogs?.();
          await discard(made);
        }
      };
      const { cluster, kubeconfig } = made;
      return { cluster, kubeconfig: () => kubeconfigOf({ kubeconfig }), giveBack };
    },
    close: async () => {
      await Promise.all([...all].map(discard));
    },
  };
}
