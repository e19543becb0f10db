import pLimit from "p-limit";
import { type ClusterSupply, Fault } from "../../ports.ts";
import { type ClusterLimits, LIMITS, openAccess } from "../kubernetes/access.ts";
import { openCluster } from "../kubernetes/cluster.ts";
import { readKubeconfig } from "../kubernetes/kubeconfig.ts";

const LOCAL: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0"]);

/** Options for a cluster of a kubeconfig. */
interface ContextOptions {
  /** Whether the user agreed that modules are installed there, even on another machine. */
  readonly isAgreed: boolean;
  readonly limits?: ClusterLimits;
}

/**
 * Supplies the cluster of a kubeconfig context, to one path at a time. `take` throws CONFIGURATION for a server that is
 * not on this machine, unless the user agreed.
 */
export function contextSupply(context: string, { isAgreed, limits = LIMITS }: ContextOptions): ClusterSupply {
  const turn = pLimit(1);
  return {
    place: `context:${context}`,
    pods: true,
    isRenewable: false,
    take: async (_images, run) => {
      const access = await openAccess({ context }, limits);
      if (!isAgreed && !LOCAL.has(new URL(access.server).hostname))
        throw new Fault(
          "CONFIGURATION",
          `${access.server} is not on this machine. The run installs and removes modules there: confirm with --yes.`,
        );
      const free = Promise.withResolvers<undefined>();
      const taken = Promise.withResolvers<undefined>();
      const held = turn(async () => {
        run.signal.throwIfAborted();
        taken.resolve(undefined);
        await free.promise;
      });
      await Promise.race([taken.promise, held]);
      return {
        cluster: openCluster(access),
        kubeconfig: () => readKubeconfig({ context }),
        giveBack: async () => {
          free.resolve(undefined);
          await held;
        },
      };
    },
    close: () => Promise.resolve(),
  };
}
